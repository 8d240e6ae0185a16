import ContentModel
import ServiceAPI

/// The files of a release directory: objects by checksum, readable names linked to them, kept
/// manifests, and the one manifest that says what is current.
struct ReleaseDirectory: Sendable {
    /// Without a slash at its end.
    let root: String
    /// True for a release that only apps under development read: it is neither compressed nor flushed
    /// to the disk, which takes longer than all the rest.
    var isForDevelopment = false

    func path(_ relative: String) -> String { root + "/" + relative }

    func path(_ file: ReleasePath) -> String { path(file.text) }

    /// Makes the folders that every release has, takes the lock, and removes what killed runs left.
    ///
    /// - Throws: `PublishingError`; `invalidRequest` for a link in the place of a folder, behind which nothing is touched.
    func open() throws -> FolderLock {
        try ReleasePlace(directory: self, content: "").checkNoLinks()
        try Files.makeFolder(path(".underway"))
        try Files.makeFolder(path("objects"))
        let lock = try FolderLock(path(".underway/lock"))
        try StagingFolder(of: self).empty()
        return lock
    }

    /// Takes the lock of a directory that something was published to.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` when there is none.
    func openExisting() throws -> FolderLock {
        guard Files.look(path("releases"))?.kind == .folder else {
            throw PublishingError(
                .noSuchRelease,
                "There is no release in \(root). Run `underway publish` to make one.")
        }
        return try open()
    }

    // MARK: Objects

    /// Writes an object and its compressed forms unless it is there.
    ///
    /// The compressed forms come first and the object last, so that an object of the right size
    /// means that all of it is there, even after a kill.
    /// - Parameters:
    ///   - bytes: The content, made only when it is needed.
    ///   - file: Its checksum and size, and the readable path that tells whether it is text.
    ///   - verify: True to read an object that is there, and replace a damaged one.
    /// - Returns: True when the object was written.
    /// - Throws: `PublishingError`.
    func write(
        _ bytes: @autoclosure () throws -> [UInt8], of file: BuiltFile, verify: Bool
    ) throws -> Bool {
        let object = path(.object(file.checksum))
        if let found = Files.look(object), found.kind == .file, found.stamp.size == file.size {
            if try !verify || isIntact(file.checksum) { return false }
        }
        let bytes = try bytes()
        let seconds = Self.modifiedSeconds(of: file.checksum)
        guard Checksum(of: bytes) == file.checksum else {
            throw PublishingError(
                .unreadable, "A source of \(file.path) changed while it was read. Publish again.")
        }
        try Files.makeFolder(path(ReleasePath.object(file.checksum).folder))
        if !isForDevelopment, ContentEncoding.pays(for: file.path) {
            for encoding in ContentEncoding.allCases {
                let sibling = "\(object).\(encoding.rawValue)"
                guard let compressed = encoding.compress(bytes) else {
                    try Files.discard(sibling)
                    continue
                }
                try put(sibling, compressed, modifiedSeconds: seconds)
            }
        }
        try put(object, bytes, modifiedSeconds: seconds)
        return true
    }

    /// Returns the modification time of an object: a function of its content.
    ///
    /// Static hosts build their validators from size and whole-second time (nginx), and rsync compares both to find
    /// changes. Two blobs of one size that replace each other within a second would look the same to both. A time made
    /// of 28 bits of the checksum prevents that, and every mirror gives the same validator. The times lie in 2001 to
    /// 2010.
    static func modifiedSeconds(of checksum: Checksum) -> Int {
        1_000_000_000 + (Int(checksum.hex.prefix(7), radix: 16) ?? 0)
    }

    /// Returns the bytes of an object, verified.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` when it is gone or damaged, `unreadable` when it cannot be read.
    func object(_ checksum: Checksum) throws -> [UInt8] {
        let bytes = try Files.readIfThere(path(.object(checksum)))
        guard let bytes, Checksum(of: bytes) == checksum else {
            throw PublishingError(
                .noSuchRelease,
                "The released file with the checksum \(checksum) is missing or damaged."
                    + " Run `underway publish --verify`, which restores it if the content folder still has it."
            )
        }
        return bytes
    }

    /// Returns true when there is an object of that checksum and its bytes are right.
    func isIntact(_ checksum: Checksum) throws -> Bool {
        let object = path(.object(checksum))
        guard Files.look(object)?.kind == .file else { return false }
        return Checksum(of: try Files.read(object)) == checksum
    }

    /// Replaces the bytes of an object by a new file, so that other names of the old one keep theirs.
    ///
    /// Its folder may be gone as well.
    func replaceObject(_ checksum: Checksum, _ bytes: [UInt8]) throws {
        try Files.makeFolder(path(ReleasePath.object(checksum).folder))
        try replace(
            path(.object(checksum)), bytes,
            modifiedSeconds: Self.modifiedSeconds(of: checksum))
    }

    /// Writes a file that no one reads yet, or replaces one that someone may be reading.
    private func put(_ path: String, _ bytes: [UInt8], modifiedSeconds: Int) throws {
        guard Files.look(path) == nil else {
            return try replace(path, bytes, modifiedSeconds: modifiedSeconds)
        }
        try Files.create(path, bytes, mode: 0o444, modifiedSeconds: modifiedSeconds)
    }

    /// Replaces a file that never changes, durably.
    func replace(_ target: String, _ bytes: [UInt8], modifiedSeconds: Int) throws {
        let staging = StagingFolder(of: self)
        let staged = try staging.write(
            bytes, modifiedSeconds: modifiedSeconds, mode: 0o444, syncs: !isForDevelopment)
        try Files.rename(staged, to: target)
    }

    /// Returns the time of change for a file that replaces another: at least one whole second after that one's, because
    /// static hosts make validators of it.
    func laterSecond(than former: ReleasePath, nowSeconds: Int) -> Int {
        let previous = Files.look(path(former)).map { $0.stamp.modified / 1_000_000_000 } ?? 0
        return max(nowSeconds, previous + 1)
    }

    /// True where no call syncs a whole file system, so that each file is synced separately.
    var syncsEachFile: Bool {
        #if os(Linux)
        false
        #else
        !isForDevelopment
        #endif
    }

    /// Waits until the names of signatures are on disk; a wait for each folder would take as long as one for the whole
    /// file system.
    func syncSignatures() throws {
        guard !isForDevelopment else { return }
        guard syncsEachFile else { return try Files.syncFileSystem(of: root) }
        for folder in ["targets", "metadata", "changes"] where Files.look(path(folder)) != nil {
            try Files.sync(path(folder))
        }
    }

    /// Waits until the name of the timestamp is on the disk.
    func syncTimestamp() throws {
        if !isForDevelopment { try Files.sync(path("metadata")) }
    }

    // MARK: Readable names

    /// Lets a readable name and its compressed siblings name an object.
    func link(_ readable: String, to checksum: Checksum) throws -> FileStamp? {
        let target = path(readable)
        let object = path(.object(checksum))
        _ = try isBlocked(readable, removed: [])
        try clearWay(to: readable)
        for encoding in ContentEncoding.allCases {
            let sibling = "\(object).\(encoding.rawValue)"
            if Files.look(sibling) != nil {
                try Files.relink("\(target).\(encoding.rawValue)", to: sibling)
            } else {
                try Files.discard("\(target).\(encoding.rawValue)")
            }
        }
        try Files.relink(target, to: object)
        return Files.look(target)?.stamp
    }

    // MARK: The manifest

    /// Returns the current manifest; `nil` when nothing was published here.
    func manifestBytes() throws -> [UInt8]? {
        guard Files.look(path(.manifest)) != nil else { return nil }
        return try Files.read(
            path(.manifest), limit: ContentLimits.manifestBytesMax)
    }

    /// Returns the kept manifest of a release.
    func manifest(release: Int) throws -> Manifest { try keptManifest(release: release).manifest }

    /// Returns the same with its bytes.
    func keptManifest(release: Int) throws -> (bytes: [UInt8], manifest: Manifest) {
        guard let kept = ReleasePath.history(release: release),
            let bytes = try Files.readIfThere(path(kept))
        else {
            throw PublishingError(
                .noSuchRelease,
                "There is no release \(release); kept are "
                    + "\(keptReleases.map(String.init).joined(separator: ", ")).")
        }
        return (bytes, try Manifest(bytes))
    }

    /// The numbers of the kept releases, ascending: of those whose manifest is there.
    var keptReleases: [Int] {
        historyFolders.filter { number in
            ReleasePath.history(release: number).map { Files.look(path($0))?.kind == .file } == true
        }
    }

    /// The numbers that folders of kept releases have, ascending; a publish that was killed leaves one
    /// without a manifest.
    var historyFolders: [Int] {
        ((try? Files.names(in: path("releases"))) ?? []).compactMap { name in
            guard
                case .history(let release)? = ReleasePath("releases/\(name)/manifest.json")?.target
            else { return nil }
            return release
        }.sorted()
    }

    // MARK: The index

    func readIndex() -> ReleaseIndex? {
        // A missing or unreadable index costs time, never correctness.
        (try? Files.read(path(ReleaseIndex.path))).flatMap { ReleaseIndex($0) }
    }

    // MARK: The marks

    /// Reads who made which release; an empty log in a directory without one.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func readPublications() throws -> PublicationLog {
        guard Files.look(path(PublicationLog.path)) != nil else { return PublicationLog() }
        return PublicationLog(try Files.read(path(PublicationLog.path)))
    }

    /// Returns the marks; new ones in a directory without any.
    func readMarks() -> DirectoryIdentity {
        // Missing or unreadable marks cost one look at the compressed manifests.
        (try? Files.read(path(DirectoryIdentity.path))).flatMap { DirectoryIdentity($0) }
            ?? DirectoryIdentity()
    }
}
