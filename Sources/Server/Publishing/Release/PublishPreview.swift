package import ContentModel

/// A preview of a publish: the differences, the warnings, and the download size for a device.
///
/// ```swift
/// let preview = try PublishPreview(publisher)
/// publisher.expectedFingerprint = preview.fingerprint
/// let summary = try publisher.publish(nowSeconds: seconds, generatedAt: moment)
/// ```
package struct PublishPreview: Sendable {
    /// The expected result of the publish.
    package let summary: PublishSummary
    /// The changed files, and the changed fields of questions.
    package let difference: ReleaseDiff
    /// The identifier of this state of the content over this release, for ``Publisher/expectedFingerprint``.
    package let fingerprint: Checksum
    /// The approximate compressed bytes of the manifest and changed documents for a device with the current release.
    ///
    /// It excludes files that devices fetch on demand, such as audio.
    package let bytes: Int

    /// Reads the content folder, and changes nothing.
    ///
    /// - Throws: `PublishingError`; `contentErrors` with all errors of the content.
    package init(_ publisher: Publisher) throws {
        try publisher.checkFolders()
        let directory = ReleaseDirectory(root: publisher.releaseDirectory)
        var run = try PublishRun(publisher, directory: directory)
        run.keepsBuilt = true
        try run.build(writes: false, generatedAt: "")
        summary = run.content.summary
        fingerprint = run.content.fingerprint(over: run.baseline)
        let old =
            try run.baseline.loaded.release > 0
            ? directory.manifest(release: run.baseline.loaded.release) : nil
        difference = try Self.difference(run, old, directory)
        let documents = run.content.summary.changed.compactMap { run.content.documents[$0] }
        bytes =
            Self.packedSize(try directory.manifestBytes() ?? [])
            + documents.reduce(0) { $0 + Self.packedSize($1) }
    }

    private static func packedSize(_ bytes: [UInt8]) -> Int {
        guard !bytes.isEmpty else { return 0 }
        return ContentEncoding.brotli.compress(bytes)?.count ?? bytes.count
    }

    private static func difference(
        _ run: PublishRun, _ old: Manifest?, _ directory: ReleaseDirectory
    ) throws -> ReleaseDiff {
        let before = Dictionary(
            (old?.entries ?? []).map { ($0.path.text, $0.checksum) }, uniquingKeysWith: { $1 })
        let changed = try run.content.summary.changed.map { path -> ReleaseDiff.FileChange in
            let bytes = run.content.documents[path]
            guard let checksum = before[path] else {
                return try .init(
                    added: path, isFirst: before.isEmpty || bytes == nil, bytes: bytes ?? [])
            }
            guard let bytes, ReleasePath(path)?.bank != nil else {
                return .init(path: path, kind: .changed)
            }
            return .init(
                path: path, from: try Blueprint(released: directory.object(checksum), file: path),
                to: try Blueprint(released: bytes, file: path))
        }
        let removed = run.content.summary.removed.map {
            ReleaseDiff.FileChange(path: $0, kind: .removed)
        }
        return ReleaseDiff(files: (changed + removed).sorted { $0.path < $1.path })
    }
}
