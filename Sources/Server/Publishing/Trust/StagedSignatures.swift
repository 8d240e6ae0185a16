import ContentModel

/// The staged signatures of a release, prepared under other names, so that all work that needs disk space is done
/// before the first is moved.
struct StagedSignatures: Sendable {
    private struct Move: Sendable {
        var staged: String
        var target: String
    }

    /// The trusted metadata of a device after applying them.
    let trusted: TrustedMetadata
    private let directory: ReleaseDirectory
    /// The files that nobody reads yet, and a root, in the order in which they are moved.
    private let moves: [Move]
    private let changesets: [Move]
    /// With it they take effect; `nil` where the present one stays.
    private let timestamp: Move?
    /// Changesets that lead to a release before.
    private let stale: [ReleasePath]

    /// Prepares the signatures of a manifest.
    ///
    /// - Parameters:
    ///   - metadata: The signed metadata.
    ///   - root: The next root, if there is one.
    ///   - manifest: The manifest, which gets its signed name unless it has that.
    ///   - packed: Its compressed forms, if they are known.
    ///   - changes: The changesets that carry the signatures.
    ///   - directory: The release directory, whose lock is held.
    ///   - nowSeconds: Seconds since 1970.
    /// - Throws: `PublishingError` `unwritable`; nothing that is served has changed then.
    init(
        _ metadata: SignedMetadata, root: (bytes: [UInt8], version: Int)? = nil,
        of manifest: ManifestFile, packed: [(ContentEncoding, [UInt8])]? = nil,
        _ changes: ChangesetFiles.Change, in directory: ReleaseDirectory, nowSeconds: Int
    ) throws {
        let staging = StagingFolder(of: directory)
        for folder in ["targets", "metadata", "changes"] {
            try Files.makeFolder(directory.path(folder))
        }
        @Sendable func stage(_ bytes: [UInt8], at path: ReleasePath?) throws -> Move {
            guard let path else { preconditionFailure("metadata have positive versions") }
            let seconds = directory.laterSecond(than: path, nowSeconds: nowSeconds)
            let staged = try staging.write(
                bytes, modifiedSeconds: seconds, mode: 0o444, syncs: directory.syncsEachFile)
            return Move(staged: staged, target: directory.path(path))
        }
        var files: [(path: ReleasePath?, bytes: [UInt8])] = []
        let target = ReleasePath.target(manifest.checksum)
        // One that is missing or damaged is written again.
        if (try? Files.read(directory.path(target))) != manifest.bytes {
            files += (packed ?? ReleaseCommit.packed(manifest.bytes)).map {
                (target.packed($0), $1)
            }
            files.append((target, manifest.bytes))
        }
        files += metadata.files.map { ($0.path, $0.bytes) }
        if let root { files.append((.metadata(.root, version: root.version), root.bytes)) }
        moves = try files.map { try stage($0.bytes, at: $0.path) }
        changesets = try changes.files.concurrentMap { try stage($0.bytes, at: $0.path) }
        timestamp = try metadata.timestamp.map {
            try stage($0, at: .metadata(.timestamp, version: nil))
        }
        stale = changes.stale
        trusted = metadata.trusted
        self.directory = directory
    }

    /// Moves all to their places, the timestamp last: what it names is on the disk by then.
    ///
    /// - Throws: `PublishingError` `unwritable`; the present timestamp is in effect then.
    func move() throws {
        for move in moves { try Files.rename(move.staged, to: move.target) }
        // Each one takes the place of another, whose blocks the file system gives back meanwhile.
        _ = try changesets.concurrentMap { try Files.rename($0.staged, to: $0.target) }
        try directory.syncSignatures()
        if let timestamp { try Files.rename(timestamp.staged, to: timestamp.target) }
    }

    /// Waits until the timestamp is on the disk, and removes what leads to a release before.
    ///
    /// - Throws: `PublishingError` `unwritable`; the signatures are in effect all the same.
    func finish() throws {
        try directory.syncTimestamp()
        for path in stale { try Files.discard(directory.path(path)) }
    }
}
