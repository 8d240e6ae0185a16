import CCompression

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Files {
    /// Waits until a file, or the names in a folder, are on the disk.
    ///
    /// - Throws: `PublishingError` `unwritable`; what was written may be lost with the power.
    static func sync(_ path: String) throws {
        try withDescriptor(path) { fsync($0) }
    }

    /// Waits until all that was written to the file system of a folder is on the disk: one call for
    /// thousands of files.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    static func syncFileSystem(of folder: String) throws {
        try withDescriptor(folder) { underway_syncfs($0) }
    }

    private static func withDescriptor(_ path: String, _ body: (Int32) -> Int32) throws {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(path) }
        defer { close(descriptor) }
        guard body(descriptor) == 0 else { throw unwritable(path) }
    }

    /// Removes a file that must not be there any more.
    ///
    /// - Throws: `PublishingError` `unwritable` when it still is.
    static func discard(_ path: String) throws {
        guard unlink(path) != 0, errno != ENOENT, errno != ENOTDIR else { return }
        throw PublishingError(
            .unwritable, "\(path) cannot be removed: \(String(cString: strerror(errno))).")
    }

    /// Removes the temporary files that killed processes left in a folder; those of a process that
    /// runs stay.
    ///
    /// - Parameter folder: A folder that may be missing.
    static func removeTemporaries(in folder: String) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(temporaryPrefix), let dot = name.lastIndex(of: "."),
                let process = pid_t(name[name.index(after: dot)...]), process > 0,
                process != getpid(), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            unlink(folder + "/" + name)
        }
    }

    /// Calls `body` with a folder and all folders in it, those that start with a dot left out.
    static func forEachFolder(from root: String, _ body: (String) -> Void) {
        body(root)
        for name in (try? names(in: root)) ?? [] {
            let path = root + "/" + name
            if look(path)?.kind == .folder { forEachFolder(from: path, body) }
        }
    }
}
