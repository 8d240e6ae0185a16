package import ContentModel

/// The metadata files of the facts of a changeset, in their canonical spelling.
extension Changeset {
    /// Returns the timestamp.
    ///
    /// - Parameter trusted: The device's trusted metadata, with the root and the unchanged files.
    /// - Returns: The file.
    /// - Throws: `ChangesetError` `damaged` for signers that the role does not have.
    package func timestamp(
        after trusted: TrustedMetadata
    ) throws(ChangesetError) -> [UInt8] {
        let version = facts[.snapshot]?.version ?? trusted.file(.snapshot)?.version ?? 0
        return try file(.timestamp, trusted) {
            .timestamp(version: $0.version, expires: $0.expires, snapshotVersion: version)
        } ?? []
    }

    /// Returns the snapshot; `nil` when it did not change.
    ///
    /// - Throws: `ChangesetError` `damaged`.
    package func snapshot(
        after trusted: TrustedMetadata
    ) throws(ChangesetError) -> [UInt8]? {
        let version = facts[.targets]?.version ?? trusted.file(.targets)?.version ?? 0
        return try file(.snapshot, trusted) {
            .snapshot(version: $0.version, expires: $0.expires, targetsVersion: version)
        }
    }

    /// Returns the targets, which name a manifest; `nil` when they did not change.
    ///
    /// - Throws: `ChangesetError` `damaged`.
    package func targets(
        after trusted: TrustedMetadata, manifest: Checksum, length: Int
    ) throws(ChangesetError) -> [UInt8]? {
        try file(.targets, trusted) {
            .targets(
                version: $0.version, expires: $0.expires, manifest: manifest, length: length)
        }
    }

    private func file(
        _ role: TrustRole, _ trusted: TrustedMetadata,
        _ document: (MetadataDelta) -> MetadataDocument
    ) throws(ChangesetError) -> [UInt8]? {
        guard let fact = facts[role] else { return nil }
        let keyIDs = trusted.keyIDs(of: role)
        guard fact.signers.allSatisfy({ keyIDs.indices.contains($0) }) else {
            throw .damaged("a key has signed that the role does not have")
        }
        return document(fact).file(
            zip(fact.signers, fact.signatures).map { .init(keyID: keyIDs[$0], bytes: $1) })
    }
}
