import ContentModel

/// The compressed manifests, judged by their content: each must hold the bytes of `manifest.json`.
struct ManifestSiblings {
    let directory: ReleaseDirectory
    /// The checksum of `manifest.json`.
    let checksum: Checksum
    /// True to read them whatever their stamps say.
    let readsAll: Bool

    /// Finds the encodings whose file is missing or holds something else.
    ///
    /// - Parameter marks: What is known to be right; refreshed.
    /// - Returns: Those that `mend` makes anew.
    /// - Throws: `PublishingError` `unreadable` when the manifest cannot be read.
    func wrong(_ marks: inout DirectoryIdentity) throws -> [ContentEncoding] {
        let stamps = ContentEncoding.allCases.map { Files.look(path($0))?.stamp.beforeRename }
        let isKnown = zip(ContentEncoding.allCases, stamps).allSatisfy {
            marks.siblings[$0] == $1
        }
        if isKnown, !readsAll, marks.manifest == checksum { return [] }
        guard let manifest = try directory.manifestBytes() else { return [] }
        var wrong: [ContentEncoding] = []
        marks.manifest = checksum
        marks.siblings = [:]
        for (encoding, stamp) in zip(ContentEncoding.allCases, stamps) {
            if try isRight(encoding, manifest) {
                marks.siblings[encoding] = stamp
            } else {
                wrong.append(encoding)
            }
        }
        return wrong
    }

    private func isRight(_ encoding: ContentEncoding, _ manifest: [UInt8]) throws -> Bool {
        // What cannot be read is as good as missing.
        guard let packed = try? Files.read(path(encoding)) else {
            return encoding.compress(manifest, brotliQuality: 1) == nil
        }
        return encoding.holds(packed, manifest)
    }

    private func path(_ encoding: ContentEncoding) -> String {
        directory.path(ReleasePath.manifest.packed(encoding))
    }

    /// Makes them anew from the manifest: first none, then the right ones.
    ///
    /// - Parameter commit: What notes how far it came.
    /// - Returns: Their stamps.
    /// - Throws: `PublishingError` `unwritable`.
    func mend(_ commit: inout ReleaseCommit) throws -> [ContentEncoding: FileStamp] {
        guard let manifest = try directory.manifestBytes(),
            let seconds = Files.look(directory.path(.manifest))?.stamp.modified
        else { return [:] }
        try commit.removeSiblings()
        let staging = StagingFolder(of: directory)
        var stamps: [ContentEncoding: FileStamp] = [:]
        for (encoding, packed) in ReleaseCommit.packed(manifest) {
            let staged = try staging.write(
                packed, modifiedSeconds: seconds / 1_000_000_000, syncs: true)
            try Files.rename(staged, to: path(encoding))
            stamps[encoding] = Files.look(path(encoding))?.stamp.beforeRename
        }
        try Files.sync(directory.root)
        commit.siblingsAreBack()
        return stamps
    }
}
