import ContentModel
import Foundation
import ServiceAPI

extension MetadataDelta {
    /// Reads the fact of a role from its trusted file.
    ///
    /// - Returns: `nil` where the file is not in the one spelling that devices write, or signed by a key beyond the first
    ///   eight: then no changeset can stand for it.
    init?(_ role: TrustRole, of trusted: TrustedMetadata) {
        guard let file = trusted.file(role),
            let document = try? JSONParser.parse(file.bytes, nodesMax: TrustLimits.valuesMax),
            case .array(let signatures)? = document.member("signatures")?.value.value
        else { return nil }
        let keyIDs = trusted.keyIDs(of: role).prefix(ChangesetLimits.signersMax)
        var found: [Int: [UInt8]] = [:]
        for signature in signatures {
            guard case .object(let members) = signature, case .string(let id)? = members["keyid"],
                case .string(let digits)? = members["sig"], let index = keyIDs.firstIndex(of: id),
                let bytes = HexDigits.decode(digits), bytes.count == Self.signatureBytes
            else { return nil }
            found[index] = bytes
        }
        let signers = found.keys.sorted()
        let day = Int(file.expires.timeIntervalSince1970) / 86_400 - Self.firstDay
        guard day >= 0 else { return nil }
        self.init(
            version: file.version, expiryDay: day, signers: signers,
            signatures: signers.compactMap { found[$0] })
    }
}

/// The facts of the metadata of a release, if devices can write the same files from them.
struct ReleaseFacts: Sendable {
    let rootVersion: Int
    let facts: [TrustRole: MetadataDelta]

    /// Reads the facts; `nil` where devices could not write what is there.
    ///
    /// - Parameters:
    ///   - trusted: The metadata as a device has them that took them up now.
    ///   - manifest: The manifest that they name.
    init?(_ trusted: TrustedMetadata, _ manifest: ManifestFile) {
        var facts: [TrustRole: MetadataDelta] = [:]
        for role in Changeset.roles { facts[role] = MetadataDelta(role, of: trusted) }
        guard facts.count == Changeset.roles.count else { return nil }
        rootVersion = trusted.root.version
        self.facts = facts
        // What a device would write must be what is there, byte for byte.
        let whole = Changeset(
            from: manifest.release, to: manifest.release, rootVersion: rootVersion, facts: facts,
            isDeflated: false, body: [])
        guard (try? whole.timestamp(after: trusted)) == trusted.file(.timestamp)?.bytes,
            (try? whole.snapshot(after: trusted)) == trusted.file(.snapshot)?.bytes,
            let targets = try? whole.targets(
                after: trusted, manifest: manifest.checksum, length: manifest.bytes.count),
            targets == trusted.file(.targets)?.bytes
        else { return nil }
    }

    /// Returns a changeset with the facts that a device at its first release may not have.
    func changeset(
        from: Int, to: Int, body: (bytes: [UInt8], isDeflated: Bool)
    ) -> Changeset {
        var needed = facts
        if from == to, facts[.snapshot]?.version == facts[.targets]?.version {
            // Both are of the release's own publish: a device at it has them.
            (needed[.snapshot], needed[.targets]) = (nil, nil)
        }
        return Changeset(
            from: from, to: to, rootVersion: rootVersion, facts: needed,
            isDeflated: body.isDeflated, body: body.bytes)
    }
}
