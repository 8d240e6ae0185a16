import ContentModel

/// The end of a publish: everything is prepared in a folder that nobody sees, then moved to its place.
///
/// `manifest.json` alone says what is current. Its compressed siblings are only ever valid together
/// with it: they are removed before it changes and follow after it, so that a static host serves the
/// plain manifest in between, and never another one. A readable name and its siblings are switched in
/// the same order. All that needs room on the disk is done before the first visible step.
struct ReleaseCommit: Sendable {
    /// The progress of a publish, for the message when it fails.
    enum Progress: Sendable {
        /// Clients see the previous state.
        case untouched
        /// The manifest is the previous one, without its compressed siblings.
        case withoutSiblings
        /// The new manifest is current; the signatures are still the previous ones.
        case liveUnsigned
        /// The new manifest is current.
        case live
    }

    /// A staged file and its target.
    struct StagedFile: Sendable {
        var staged: String
        var target: String
    }

    /// A file with its compressed siblings.
    private struct StagedName {
        var file: StagedFile
        var siblings: [StagedFile]
        /// Its path in the release, when what is removed stands in its way.
        var blocked: String?
    }

    private(set) var progress = Progress.untouched
    let directory: ReleaseDirectory
    private let staging: StagingFolder
    private var manifest: StagedName?
    /// The compressed forms of the manifest that was prepared; `nil` without one.
    private(set) var packedManifest: [(ContentEncoding, [UInt8])]?
    /// The kept manifest, which nobody reads before its release is current.
    private var history: ReleasePath?
    private var names: [StagedName] = []
    private var removed: Set<String> = []
    private var records: [StagedFile] = []
    private var signatures: StagedSignatures?

    init(_ directory: ReleaseDirectory) {
        self.directory = directory
        staging = StagingFolder(of: directory)
    }

    private var syncs: Bool { !directory.isForDevelopment }

    private var syncsEachFile: Bool { directory.syncsEachFile }

    // MARK: Staging

    /// Prepares a manifest and its siblings.
    ///
    /// Its time of change is at least one whole second after that of the manifest it replaces, because
    /// static hosts make validators of it.
    /// - Returns: The stamps that the manifest and its siblings will have.
    mutating func stage(
        manifest file: ManifestFile, nowSeconds: Int
    ) throws -> (manifest: FileStamp, siblings: [ContentEncoding: FileStamp]) {
        let target = directory.path(.manifest)
        let seconds = directory.laterSecond(than: .manifest, nowSeconds: nowSeconds)
        guard let history = ReleasePath.history(release: file.release) else {
            preconditionFailure("A release has a number from 1, not \(file.release).")
        }
        let bytes = file.bytes
        self.history = history
        let kept = directory.path(history)
        try Files.makeFolder(directory.path(history.folder))
        try Files.rename(try staging.write(bytes, syncs: syncsEachFile), to: kept)
        let staged = try staging.write(bytes, modifiedSeconds: seconds, syncs: syncsEachFile)
        var name = StagedName(file: .init(staged: staged, target: target), siblings: [])
        var stamps: [ContentEncoding: FileStamp] = [:]
        let siblings = directory.isForDevelopment ? [] : Self.packed(bytes)
        for (encoding, packed) in siblings {
            let sibling = try staging.write(
                packed, modifiedSeconds: seconds, syncs: syncsEachFile)
            stamps[encoding] = try Self.stamp(sibling).beforeRename
            name.siblings.append(
                .init(staged: sibling, target: "\(target).\(encoding.rawValue)"))
        }
        manifest = name
        packedManifest = siblings
        return (try Self.stamp(staged), stamps)
    }

    /// Returns a manifest in all encodings, compressed concurrently, since each publish compresses that of a large
    /// library.
    static func packed(_ manifest: [UInt8]) -> [(ContentEncoding, [UInt8])] {
        let encodings = ContentEncoding.allCases
        let quality = ContentEncoding.manifestQuality(byteCount: manifest.count)
        return encodings.concurrentMap { encoding in
            encoding.compress(manifest, brotliQuality: quality).map { (encoding, $0) }
        }.compactMap(\.self)
    }

    /// Prepares a readable name and its siblings as further names of an object.
    ///
    /// - Returns: The stamp that the name will have.
    mutating func stage(name: String, to checksum: Checksum) throws -> FileStamp {
        let target = directory.path(name)
        let object = directory.path(.object(checksum))
        let isBlocked = try directory.isBlocked(name, removed: removed)
        if !isBlocked, let slash = target.lastIndex(of: "/") {
            try Files.makeFolder(String(target[..<slash]))
        }
        let staged = try staging.link(object)
        var entry = StagedName(
            file: .init(staged: staged, target: target), siblings: [],
            blocked: isBlocked ? name : nil)
        for suffix in ContentEncoding.allCases.map({ "." + $0.rawValue })
        where Files.look(object + suffix) != nil {
            entry.siblings.append(
                .init(staged: try staging.link(object + suffix), target: target + suffix))
        }
        names.append(entry)
        return try Self.stamp(staged)
    }

    /// Takes the signatures of the manifest, which take effect after it: a manifest without them is only not seen
    /// by devices that want them.
    mutating func stage(_ signatures: StagedSignatures) { self.signatures = signatures }

    /// Prepares a file that only the publisher reads.
    mutating func stage(record bytes: [UInt8], at path: String) throws {
        records.append(try staged(record: bytes, at: path, syncs: false))
    }

    /// Prepares the same on any thread, for ``add(_:)``.
    func staged(record bytes: [UInt8], at path: String, syncs: Bool) throws -> StagedFile {
        StagedFile(staged: try staging.write(bytes, syncs: syncs), target: directory.path(path))
    }

    /// Takes a record that was prepared on another thread.
    mutating func add(_ record: StagedFile) { records.append(record) }

    /// Prepares to remove files that stand under readable names; comes before `stage(name:to:)`.
    mutating func remove(files: [String]) { removed.formUnion(files) }

    private static func stamp(_ path: String) throws -> FileStamp {
        guard let stamp = Files.look(path)?.stamp else { throw Files.unreadable(path) }
        return stamp
    }

    // MARK: Committing

    /// Waits until the staged files are on disk, while `body` runs.
    ///
    /// It does not wait for an index: a checksum detects an index that a loss of power damages, which costs one full
    /// reading.
    ///
    /// - Throws: `PublishingError` `unwritable`, and the error of `body`.
    func flush<Value>(while body: () throws -> Value) throws -> Value {
        guard syncs, manifest != nil || !names.isEmpty else { return try body() }
        return try alongside(
            { [root = directory.root] in
                try Files.syncFileSystem(of: root)
            }, body
        ).1
    }

    /// Moves everything to its place.
    ///
    /// - Throws: `PublishingError` `unwritable`; `progress` says what clients see then.
    mutating func run() throws {
        try switchManifest()
        try switchSignatures()
        // A name that goes may stand where a folder must be, or the other way round.
        let failure = discardRemoved()
        for name in names {
            if let blocked = name.blocked { try directory.clearWay(to: blocked) }
            try Self.switchFiles(name)
        }
        for path in removed { directory.removeEmptyFolders(above: path) }
        // Without the index of this publish, the next one looks at everything again.
        if let failure { throw failure }
        for record in records { try Files.rename(record.staged, to: record.target) }
    }

    private mutating func switchSignatures() throws {
        guard let signatures else { return }
        try signatures.move()
        if progress == .liveUnsigned { progress = .live }
        try signatures.finish()
    }

    /// Removes what goes, as far as that is possible.
    ///
    /// - Returns: Why the first of those that are still there is.
    private func discardRemoved() -> (any Error)? {
        var failure: (any Error)?
        for path in removed.sorted() where Files.look(directory.path(path))?.kind != .folder {
            do {
                try Files.discard(directory.path(path))
            } catch {
                failure = failure ?? error
            }
        }
        return failure
    }

    private mutating func switchManifest() throws {
        guard let manifest else { return }
        try removeSiblings()
        try Files.rename(manifest.file.staged, to: manifest.file.target)
        progress = signatures == nil ? .live : .liveUnsigned
        try syncRoot()
        // What follows may be lost with the power: the next publish finds it missing.
        for sibling in manifest.siblings { try Files.rename(sibling.staged, to: sibling.target) }
    }

    /// Removes the compressed manifests, for good before anything else happens.
    mutating func removeSiblings() throws {
        for encoding in ContentEncoding.allCases {
            let sibling = directory.path(ReleasePath.manifest.packed(encoding))
            guard Files.look(sibling) != nil else { continue }
            progress = .withoutSiblings
            try Files.discard(sibling)
        }
        try syncRoot()
    }

    /// Notes that the compressed manifests are those of the manifest again.
    mutating func siblingsAreBack() { progress = .untouched }

    private func syncRoot() throws {
        if syncs { try Files.sync(directory.root) }
    }

    private static func switchFiles(_ name: StagedName) throws {
        for encoding in ContentEncoding.allCases {
            try Files.discard("\(name.file.target).\(encoding.rawValue)")
        }
        for file in [name.file] + name.siblings {
            try Files.rename(file.staged, to: file.target)
            // Renaming one name of a file over another name of the same file does nothing.
            Files.remove(file.staged)
        }
    }

    /// Removes what was prepared; the kept manifest too, when it did not become current.
    func clear() {
        if progress != .live, progress != .liveUnsigned, let history {
            Files.remove(directory.path(history))
            Files.removeFolder(directory.path(history.folder))
        }
        staging.remove()
    }
}
