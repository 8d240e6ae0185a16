import ContentModel
import ServiceAPI

/// A release that waits for signatures, and the publish that finishes it.
///
/// Nothing that waits is put in place as it is: the publish makes the release from the content folder again, under the
/// number and time of the one that waits, and goes on only when both are the same, byte for byte.
extension PublishRun {
    /// Looks for a release that waits; one that is live already is forgotten.
    ///
    /// - Returns: The time with which it was built, for the manifest of this run.
    /// - Throws: `PublishingError` `unreadable` when what lies there is something else.
    mutating func takeUpPending() throws -> String? {
        guard !directory.isForDevelopment else { return nil }
        let folder = PendingFolder(of: directory)
        guard let trust = baseline.trust, let found = try folder.load(trust.trusted) else {
            return nil
        }
        let checksum = Checksum(of: found.manifest)
        if checksum == index.manifestChecksum, trust.names(checksum) {
            try folder.remove()
            return nil
        }
        pending = found
        return found.generatedAt
    }

    /// The number of the release that waits, if a publish could still make it.
    ///
    /// - Throws: `PublishingError` `pendingIsStale`.
    func pendingNumber(next: Int) throws -> Int? {
        guard let pending else { return nil }
        let known = max(index.release, baseline.forgottenNumber ?? 0)
        // A publish that was killed may have left a manifest under the number itself.
        guard pending.release > known, pending.release <= next else { throw isStale(pending) }
        return pending.release
    }

    /// Refuses to publish anything but the release that waits.
    ///
    /// - Throws: `PublishingError` `pendingIsStale`.
    func demandPending(is manifest: [UInt8]) throws {
        guard let pending, pending.manifest != manifest else { return }
        throw isStale(pending)
    }

    /// The same for a run that makes no new release: the current one may still wait for its signatures.
    ///
    /// - Throws: `PublishingError` `pendingIsStale`.
    func demandPendingIsCurrent(_ pending: PendingRelease) throws {
        guard Checksum(of: pending.manifest) != index.manifestChecksum else { return }
        throw isStale(pending)
    }

    private func isStale(_ pending: PendingRelease) -> PublishingError {
        PublishingError(
            .pendingIsStale,
            "Release \(pending.release) waits for signatures, and this would be another one: the content, the current"
                + " release or its signatures have changed, or it was left by another command (as `rollback`) or"
                + " with other options (as `--rollout`). Nothing was published. Run the command that left it, with"
                + " that content, to finish it, or drop it with its"
                + " signatures by `underway trust discard --release \(directory.root)`.")
    }

    /// Signs a new manifest, or lets it wait for more signatures.
    ///
    /// - Throws: `PublishingError` `isPending` when it waits, `needsSignatures` when it may not,
    ///   `pendingIsStale`, `rootExpired`; nothing that is served has changed then.
    func sign(_ manifest: ManifestFile, by signing: ReleaseSigning) throws -> SignedMetadata {
        try demandPending(is: manifest.bytes)
        let isShort = !signing.shortRoles.isEmpty
        guard pending != nil || isShort && publisher.leavesPending else {
            return try signing.sign(manifest)
        }
        var waiting = try pending ?? signing.pending(manifest)
        let trusted = signing.trust.trusted
        guard signing.couldHaveMade(waiting) else { throw isStale(waiting) }
        try signing.addSignatures(to: &waiting)
        let progress = PendingProgress(waiting, trusted)
        let others = signing.shortRoles.filter { $0 != .targets }
        if progress.isReached, others.isEmpty { return try signing.sign(waiting) }
        guard publisher.leavesPending else {
            throw PublishingError(
                .needsSignatures,
                progress.sentence + " Nothing was published; `underway trust status` says more.")
        }
        let folder = PendingFolder(of: directory)
        try folder.save(waiting, isNew: pending == nil)
        throw PublishingError(
            .isPending,
            progress.message(file: folder.file(of: waiting.release), lacking: others))
    }
}

/// The signatures that a pending release has, and those that it lacks.
package struct PendingProgress: Sendable, Equatable {
    /// The number of the release.
    package let release: Int
    /// The ids of the authors' keys that have signed.
    package let signed: [String]
    /// The ids of the authors' keys that have not.
    package let unsigned: [String]
    /// The number of authors who must sign.
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
