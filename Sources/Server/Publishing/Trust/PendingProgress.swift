import ContentModel

/// The present and the missing signatures of a pending release.
package struct PendingProgress: Sendable, Equatable {
    /// The number of the release.
    package let release: Int
    /// The ids of the authors' keys with a signature.
    package let signed: [String]
    /// The ids of the authors' keys without a signature.
    package let unsigned: [String]
    /// The required number of authors' signatures.
    package let threshold: Int

    init(_ pending: PendingRelease, _ trusted: TrustedMetadata) {
        release = pending.release
        let signed = trusted.validSignatures(pending.allSignatures, of: pending.document)
            .map(\.keyID)
        self.signed = signed
        unsigned = trusted.keyIDs(of: .targets).filter { !signed.contains($0) }
        threshold = trusted.threshold(of: .targets)
    }

    /// True when enough authors have signed.
    package var isReached: Bool { signed.count >= threshold }

    /// The state in one sentence.
    package var sentence: String {
        let keys = unsigned.map { String($0.prefix(12)) }.joined(separator: ", ")
        let state =
            "Release \(release) has \(signed.count) of \(threshold) signatures of its authors."
        return isReached ? state : state + " Keys that have not signed: \(keys)."
    }

    /// Says what is missing, and who does what next.
    func message(file: String, lacking roles: [TrustRole]) -> String {
        var text = "Nothing was published yet: \(file) waits. \(sentence)"
        if !isReached {
            text +=
                " Send the file to the next author, for `underway trust sign \(release).json --keys DIR --root ROOT`"
                + " (ROOT: the root that the app pins), and put what comes back into its folder."
        }
        if !roles.isEmpty {
            let names = roles.map(\.rawValue).joined(separator: " and ")
            text += " The keys at hand do not sign for the role \(names)."
        }
        return text
            + " Run this command again \(isReached ? "" : "then, ")where the keys of snapshot and timestamp are."
    }
}
