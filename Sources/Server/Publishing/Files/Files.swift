import ContentModel

#if canImport(Glibc)
package import Glibc
#else
package import Darwin
#endif

/// The identity of a state of a file without its bytes, as in git's index.
package struct FileStamp: Hashable, Sendable {
    /// The number of bytes.
    package var size: Int
    /// The time of the last change in nanoseconds since 1970.
    package var modified: Int
    /// The number of the file on its file system.
    var inode: Int
    /// The time of the last change of content, name or rights in nanoseconds since 1970.
    ///
    /// The kernel sets it and programs cannot: an edit in place whose author puts the time of
    /// modification back shows only here.
    var changed = 0

    /// The later of both times.
    var latest: Int { max(modified, changed) }

    /// The fields that renaming the file does not change.
    var beforeRename: FileStamp { FileStamp(size: size, modified: modified, inode: inode) }
}

/// The kind of a path's object.
package enum FileKind: Sendable {
    /// A plain file.
    case file
    /// A folder.
    case folder
    /// A symbolic link.
    case link
    /// A device, a pipe or another kind.
    case other
}

/// The few file operations of publishing on POSIX calls: each publish examines thousands of files, and a call through
/// Foundation costs ten times as much.
package enum Files {
    /// The kind and stamp of a path, without opening it; `links` is the file's number of hard links.
    package typealias Look = (kind: FileKind, stamp: FileStamp, links: Int)

    /// Returns the kind and stamp of a path without following a link; `nil` if it does not exist.
    package static func look(_ path: String) -> Look? {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        return described(info)
    }

    /// Returns the same for a path below an open folder, so that the way to the folder is walked once.
    static func look(_ path: String, below folder: OpenFolder) -> Look? {
        var info = stat()
        guard fstatat(folder.descriptor, path, &info, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return described(info)
    }

    /// Returns the same for a path that stands in the bytes of an index.
    static func look(_ path: StoredText, below folder: OpenFolder) -> Look? {
        var info = stat()
        guard let pointer = path.pointer,
            fstatat(folder.descriptor, pointer, &info, AT_SYMLINK_NOFOLLOW) == 0
        else { return nil }
        return described(info)
    }

    /// Looks at a path below an open folder; `nil` only if nothing is there.
    ///
    /// - Throws: `PublishingError` `unreadable` when it cannot be found out.
    static func find(_ path: String, below folder: OpenFolder) throws -> Look? {
        if let found = look(path, below: folder) { return found }
        guard errno == ENOENT || errno == ENOTDIR else { throw unreadable(path) }
        return nil
    }

    private static func described(_ info: stat) -> Look {
        let kind: FileKind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
        return (kind, stamp(info), Int(info.st_nlink))
    }

    private static func stamp(_ info: stat) -> FileStamp {
        #if canImport(Glibc)
        let (modified, changed) = (info.st_mtim, info.st_ctim)
        #else
        let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
        #endif
        return FileStamp(
            size: Int(info.st_size), modified: nanoseconds(modified),
            inode: Int(truncatingIfNeeded: info.st_ino), changed: nanoseconds(changed))
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        // A time beyond 2262, which a file system may store, is the last one.
        let (seconds, isTooLarge) = time.tv_sec.multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? (time.tv_sec < 0 ? .min : .max) : seconds &+ time.tv_nsec
    }

    /// Returns the names in a folder, sorted by UTF-8 bytes, without those that start with a dot.
    package static func names(in folder: String) throws -> [String] {
        guard let stream = opendir(folder) else { throw unreadable(folder) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted(by: precedes)
    }

    /// Compares by UTF-8 bytes, in one call where both lie in one piece, as those that were read do.
    private static func precedes(_ one: String, _ other: String) -> Bool {
        let order = one.utf8.withContiguousStorageIfAvailable { one in
            other.utf8.withContiguousStorageIfAvailable { other -> Bool in
                guard let left = one.baseAddress, let right = other.baseAddress else {
                    return one.count < other.count
                }
                let order = memcmp(left, right, min(one.count, other.count))
                return order == 0 ? one.count < other.count : order < 0
            }
        }
        return (order ?? nil) ?? one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns true for a folder in which this process may make files.
    static func isWritable(_ folder: String) -> Bool {
        #if canImport(Glibc)
        Glibc.access(folder, W_OK) == 0
        #else
        Darwin.access(folder, W_OK) == 0
        #endif
    }

    /// Returns the kind and the permissions of what a path leads to, following links; `nil` if nothing is there.
    static func access(_ path: String) -> (kind: FileKind, permissions: Int)? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return (described(info).kind, Int(info.st_mode & 0o777))
    }

    /// Reads all bytes of a file.
    ///
    /// - Throws: `PublishingError` `unreadable`, also above `limit` bytes.
    package static func read(
        _ path: String, limit: Int = ContentLimits.fileBytesMax
    ) throws -> [UInt8] {
        // A pipe in the place of a file is empty, and not waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw unreadable(path) }
        guard info.st_size <= limit else {
            throw PublishingError(
                .unreadable, "\(path) has \(info.st_size) bytes; at most \(limit) are allowed.")
        }
        let size = Int(info.st_size)
        var failed = false
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size, let base = buffer.baseAddress {
                let result = Self.read(descriptor, base + count, size - count)
                if result < 0, errno == EINTR { continue }
                if result < 0 { failed = true }
                if result <= 0 { break }
                count += result
            }
        }
        if failed { throw unreadable(path) }
        return bytes
    }

    /// Returns the same; `nil` where no plain file is.
    static func readIfThere(
        _ path: String, limit: Int = ContentLimits.fileBytesMax
    ) throws -> [UInt8]? {
        try look(path)?.kind == .file ? read(path, limit: limit) : nil
    }

    private static func read(
        _ descriptor: Int32, _ base: UnsafeMutablePointer<UInt8>, _ count: Int
    ) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, base, count)
        #else
        Darwin.read(descriptor, base, count)
        #endif
    }

    /// Writes a file that did not exist, with that mode and, if given, that time of change.
    static func create(
        _ path: String, _ bytes: [UInt8], mode: mode_t = 0o644, modifiedSeconds: Int? = nil
    ) throws {
        // Whatever stands under the name gives way, and is not written to: it may be a link.
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        var descriptor = open(path, flags, mode)
        if descriptor < 0, errno == EEXIST {
            unlink(path)
            descriptor = open(path, flags, mode)
        }
        guard descriptor >= 0 else { throw unwritable(path) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, path)
        guard let modifiedSeconds else { return }
        let time = timespec(tv_sec: modifiedSeconds, tv_nsec: 0)
        guard futimens(descriptor, [time, time]) == 0 else { throw unwritable(path) }
    }

    /// Writes through the existing object: a pipe, a device, or the target of a link.
    static func writeThrough(_ path: String, _ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw unwritable(path) }
        defer { close(descriptor) }
        try write(bytes, to: descriptor, path)
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32, _ path: String) throws {
        var offset = 0
        while offset < bytes.count {
            let result = bytes.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[offset...])
                #if canImport(Glibc)
                return Glibc.write(descriptor, rest.baseAddress, rest.count)
                #else
                return Darwin.write(descriptor, rest.baseAddress, rest.count)
                #endif
            }
            if result < 0, errno == EINTR { continue }
            guard result > 0 else { throw unwritable(path) }
            offset += result
        }
    }

    /// Replaces a file atomically.
    package static func replace(
        _ path: String, _ bytes: [UInt8], mode: mode_t = 0o644, modifiedSeconds: Int? = nil
    ) throws {
        let temporary = temporaryName(beside: path)
        do {
            try create(temporary, bytes, mode: mode, modifiedSeconds: modifiedSeconds)
            try rename(temporary, to: path)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Lets `path` name the same file as `target`, replacing what stood there; copies where the
    /// file system has no hard links.
    static func relink(_ path: String, to target: String) throws {
        if link(target, path) == 0 { return }
        let temporary = temporaryName(beside: path)
        unlink(temporary)
        if link(target, temporary) != 0 {
            guard errno != ENOENT else { throw unreadable(target) }
            let seconds = look(target).map { $0.stamp.modified / 1_000_000_000 }
            try create(temporary, try read(target), mode: 0o444, modifiedSeconds: seconds)
        }
        try rename(temporary, to: path)
        // Renaming one name of a file over another name of the same file does nothing.
        unlink(temporary)
    }

    /// Moves a file over another.
    static func rename(_ path: String, to target: String) throws {
        #if canImport(Glibc)
        let result = Glibc.rename(path, target)
        #else
        let result = Darwin.rename(path, target)
        #endif
        guard result == 0 else { throw unwritable(target) }
    }

    /// Removes a file if possible; a file that must disappear is discarded instead.
    package static func remove(_ path: String) { unlink(path) }

    /// Removes a folder if it is empty.
    ///
    /// - Returns: True when it is gone by that.
    @discardableResult
    package static func removeFolder(_ path: String) -> Bool { rmdir(path) == 0 }

    /// Creates a folder and its parents.
    package static func makeFolder(_ path: String) throws {
        if mkdir(path, 0o755) == 0 { return }
        if errno == EEXIST { return try checkNoFile(path) }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw unwritable(path)
        }
        try makeFolder(String(path[..<slash]))
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw unwritable(path) }
    }

    private static func checkNoFile(_ path: String) throws {
        guard look(path)?.kind == .file else { return }
        errno = ENOTDIR
        throw unwritable(path)
    }

    private static func temporaryName(beside path: String) -> String {
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return path[..<slash] + temporaryPrefix + path[slash...] + ".\(getpid())"
    }

    /// Creates an empty file in the folder of temporary files, which only its creator can read.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    package static func makeTemporary() throws -> String {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = (folder + "/underway-XXXXXX").utf8CString.map(\.self)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { throw unwritable(folder) }
        close(descriptor)
        return String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The prefix of the names of temporary files, which end with the number of their process.
    static let temporaryPrefix = ".underway-"

    static func unreadable(_ path: String) -> PublishingError {
        PublishingError(.unreadable, "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }

    /// Returns the error of an unwritable file, with the system's last error.
    package static func unwritable(_ path: String) -> PublishingError {
        PublishingError(
            .unwritable,
            "\(path) cannot be written: \(String(cString: strerror(errno))).")
    }
}

/// A folder that stays open while what is below it is looked at; any thread may use it.
final class OpenFolder: Sendable {
    fileprivate let descriptor: Int32

    /// - Throws: `PublishingError` `unreadable`.
    init(_ path: String) throws {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Files.unreadable(path) }
    }

    deinit { close(descriptor) }
}

/// Holds a lock file, so that two publishes never work on one release directory at once.
final class FolderLock: Sendable {
    private let descriptor: Int32

    /// - Throws: `PublishingError` `busy` when another process holds it.
    init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Files.unwritable(path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw PublishingError(
                .busy, "Another publish is running on this release. Wait for it to end.")
        }
        self.descriptor = descriptor
    }

    deinit {
        // A process that forks meanwhile has the file open for a moment; closing alone would leave it locked.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
