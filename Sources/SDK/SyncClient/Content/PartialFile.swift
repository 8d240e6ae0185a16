import ContentModel
import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A download in progress: bytes are hashed and written to the disk as they arrive, so that an interrupted download
/// resumes.
final class PartialFile {
    let url: URL
    private let handle: FileHandle
    private var hasher = ChecksumHasher()
    private(set) var count = 0

    /// Opens the file of an earlier attempt, or a new one.
    ///
    /// While another process writes the same file, this one gets a file of its own.
    init(_ wanted: URL) throws {
        var url = wanted
        var descriptor = Self.open(url)
        if descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            _ = Self.closeDescriptor(descriptor)
            url = wanted.appendingPathExtension("\(getpid())")
            descriptor = Self.open(url)
        }
        guard descriptor >= 0 else {
            throw SyncError(.storage, "A download cannot be saved: \(Self.reason). Make room.")
        }
        self.url = url
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        while let data = try handle.read(upToCount: 1 << 16), !data.isEmpty {
            hasher.update([UInt8](data))
            count += data.count
        }
    }

    private static func open(_ url: URL) -> Int32 {
        #if canImport(Glibc)
        Glibc.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #else
        Darwin.open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }

    private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
        #if canImport(Glibc)
        Glibc.close(descriptor)
        #else
        Darwin.close(descriptor)
        #endif
    }

    private static var reason: String { String(cString: strerror(errno)) }

    /// Closes the file, which remains for the next attempt.
    func close() {
        // Closing alone leaves the lock with a process that was just forked, until it becomes another
        // program; the next try would then start anew.
        flock(handle.fileDescriptor, LOCK_UN)
        // Every write was checked; closing has nothing more to say.
        try? handle.close()
    }

    func append(_ bytes: [UInt8]) throws {
        do {
            try handle.write(contentsOf: bytes)
        } catch {
            throw SyncError(
                .storage, "A download cannot be saved: \(error.localizedDescription) Make room.",
                cause: error)
        }
        hasher.update(bytes)
        count += bytes.count
    }

    /// Discards the bytes and restarts the download.
    func restart() throws {
        try handle.truncate(atOffset: 0)
        hasher = ChecksumHasher()
        count = 0
    }

    /// Removes the file.
    func discard() { Self.remove(url) }

    /// Removes the file of an earlier attempt.
    static func remove(_ url: URL) {
        // If it cannot be removed, its checksum will be wrong next time, which removes it.
        try? FileManager.default.removeItem(at: url)
    }

    var checksum: Checksum { hasher.finish() }

    func bytes() throws -> [UInt8] {
        try handle.seek(toOffset: 0)
        return [UInt8](try handle.readToEnd() ?? Data())
    }
}
