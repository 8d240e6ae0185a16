import CCompression
import ContentModel
import Dispatch
import ServiceAPI
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The files of a release directory: objects by checksum, readable names linked to them, kept
/// manifests, and the one manifest that says what is current.
struct ReleaseDirectory: Sendable {
    /// Without a slash at its end.
    let root: String
    /// True for a release that only apps under development read: it is neither compressed nor flushed
    /// to the disk, which takes longer than all the rest.
    var isForDevelopment = false

    func path(_ relative: String) -> String { root + "/" + relative }

    /// Makes the folders that every release has, and takes the lock.
    func open() throws -> FolderLock {
        try Files.makeFolder(path(".underway"))
        try Files.makeFolder(path("objects"))
        return try FolderLock(path(".underway/lock"))
    }

    /// Takes the lock of a directory that something was published to.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` when there is none.
    func openExisting() throws -> FolderLock {
        guard Files.look(path("releases"))?.kind == .folder else {
            throw PublishingError(
                .noSuchRelease, "Nothing was published to \(root). `underway publish` does it.")
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
        let object = path(ContentRoutes.object(file.checksum))
        if let found = Files.look(object), found.kind == .file, found.stamp.size == file.size {
            if try !verify || isIntact(file.checksum) { return false }
        }
        let bytes = try bytes()
        let seconds = Self.modifiedSeconds(of: file.checksum)
        guard bytes.count == file.size else {
            throw PublishingError(
                .unreadable, "A source of \(file.path) changed while it was read. Publish again.")
        }
        try Files.makeFolder(path("objects/\(file.checksum.hex.prefix(2))"))
        if !isForDevelopment, ContentEncoding.pays(for: file.path) {
            for encoding in ContentEncoding.allCases {
                let sibling = "\(object).\(encoding.rawValue)"
                guard let compressed = encoding.compress(bytes) else {
                    Files.remove(sibling)
                    continue
                }
                try Files.put(sibling, compressed, modifiedSeconds: seconds)
            }
        }
        try Files.put(object, bytes, modifiedSeconds: seconds)
        return true
    }

    /// The time of change that an object gets: a function of its content.
    ///
    /// Static hosts build their validators from size and whole-second time (nginx), and rsync
    /// compares both to find what changed. Two blobs of one size that replace each other within
    /// a second would look the same to both; with a time made of 28 bits of the checksum they do
    /// not, and every mirror gives the same validator. The times lie in 2001 to 2010.
    static func modifiedSeconds(of checksum: Checksum) -> Int {
        1_000_000_000 + (Int(checksum.hex.prefix(7), radix: 16) ?? 0)
    }

    /// The bytes of an object, verified.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` when it is gone or damaged.
    func object(_ checksum: Checksum) throws -> [UInt8] {
        let bytes = try? Files.read(path(ContentRoutes.object(checksum)))
        guard let bytes, Checksum(of: bytes) == checksum else {
            throw PublishingError(
                .noSuchRelease,
                "The object \(checksum) is gone or damaged."
                    + " `publish --verify` restores what the content folder still has.")
        }
        return bytes
    }

    /// True when there is an object of that checksum and its bytes are right.
    func isIntact(_ checksum: Checksum) throws -> Bool {
        let object = path(ContentRoutes.object(checksum))
        guard Files.look(object)?.kind == .file else { return false }
        return Checksum(of: try Files.read(object)) == checksum
    }

    // MARK: Readable names

    /// Lets a readable name and its compressed siblings name an object.
    func link(_ readable: String, to checksum: Checksum) throws -> FileStamp? {
        let target = path(readable)
        let object = path(ContentRoutes.object(checksum))
        if let slash = target.lastIndex(of: "/") { try Files.makeFolder(String(target[..<slash])) }
        for encoding in ContentEncoding.allCases {
            let sibling = "\(object).\(encoding.rawValue)"
            if Files.look(sibling) != nil {
                try Files.relink("\(target).\(encoding.rawValue)", to: sibling)
            } else {
                Files.remove("\(target).\(encoding.rawValue)")
            }
        }
        try Files.relink(target, to: object)
        return Files.look(target)?.stamp
    }

    func removeReadable(_ readable: String) {
        Files.remove(path(readable))
        for encoding in ContentEncoding.allCases {
            Files.remove(path("\(readable).\(encoding.rawValue)"))
        }
    }

    // MARK: The manifest

    /// The current manifest; `nil` when nothing was published here.
    func manifestBytes() throws -> [UInt8]? {
        guard Files.look(path(ContentRoutes.manifest)) != nil else { return nil }
        return try Files.read(
            path(ContentRoutes.manifest), limit: ContentLimits.manifestBytesMax)
    }

    /// The kept manifest of a release.
    func manifest(release: Int) throws -> Manifest {
        guard let bytes = try? Files.read(path(ContentRoutes.history(release: release))) else {
            throw PublishingError(
                .noSuchRelease,
                "There is no release \(release); kept are "
                    + "\(keptReleases.map(String.init).joined(separator: ", ")).")
        }
        return try Manifest(bytes)
    }

    /// The numbers of the kept releases, ascending.
    var keptReleases: [Int] {
        ((try? Files.names(in: path("releases"))) ?? []).compactMap { Int($0) }.sorted()
    }

    /// Keeps the manifest of a release for rollbacks and for readers that still hold it.
    func keep(_ manifest: [UInt8], release: Int) throws {
        try Files.makeFolder(path("releases/\(release)"))
        try Files.replace(path(ContentRoutes.history(release: release)), manifest)
    }

    /// Puts a manifest in place, which makes its release current: the last step of a publish.
    ///
    /// Everything that it names is on the disk before. Its time of change is at least one whole
    /// second after that of the manifest it replaces, because validators are made of it.
    func makeCurrent(_ manifest: [UInt8], nowSeconds: Int) throws -> FileStamp {
        let target = path(ContentRoutes.manifest)
        let previous = Files.look(target).map { $0.stamp.modified / 1_000_000_000 } ?? 0
        let seconds = max(nowSeconds, previous + 1)
        let compressed: [[UInt8]?] =
            isForDevelopment ? ContentEncoding.allCases.map { _ in nil } : Self.compressed(manifest)
        if !isForDevelopment { try flushToDisk() }
        for (encoding, bytes) in zip(ContentEncoding.allCases, compressed) {
            let sibling = "\(target).\(encoding.rawValue)"
            if let bytes {
                try Files.replace(sibling, bytes, modifiedSeconds: seconds)
            } else {
                Files.remove(sibling)
            }
        }
        try Files.replace(target, manifest, modifiedSeconds: seconds)
        guard let stamp = Files.look(target)?.stamp else { throw Files.unreadable(target) }
        return stamp
    }

    /// In all encodings at once: the manifest of a large library is compressed in each publish.
    private static func compressed(_ bytes: [UInt8]) -> [[UInt8]?] {
        let encodings = ContentEncoding.allCases
        let results = Mutex<[[UInt8]?]>(.init(repeating: nil, count: encodings.count))
        DispatchQueue.concurrentPerform(iterations: encodings.count) { index in
            let result = encodings[index].compress(
                bytes, brotliQuality: ContentEncoding.manifestQuality(byteCount: bytes.count))
            results.withLock { $0[index] = result }
        }
        return results.withLock { $0 }
    }

    private func flushToDisk() throws {
        let descriptor = Self.openFolder(root)
        guard descriptor >= 0 else { throw Files.unreadable(root) }
        defer { close(descriptor) }
        guard underway_syncfs(descriptor) == 0 else { throw Files.unwritable(root) }
    }

    private static func openFolder(_ path: String) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(path, O_RDONLY | O_CLOEXEC)
        #else
        Darwin.open(path, O_RDONLY | O_CLOEXEC)
        #endif
    }

    // MARK: The index

    func readIndex() -> ReleaseIndex? {
        // A missing or unreadable index costs time, never correctness.
        (try? Files.read(path(ReleaseIndex.path))).flatMap { ReleaseIndex($0) }
    }

    func write(_ index: ReleaseIndex) throws {
        try Files.replace(path(ReleaseIndex.path), index.bytes)
    }
}
