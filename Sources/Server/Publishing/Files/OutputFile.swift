#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The output file of a command.
public enum OutputFile {
    /// Writes the file: a plain file is replaced atomically, a link stays and its target is replaced, and devices,
    /// pipes and other kinds are written through.
    ///
    /// - Throws: `PublishingError` `unwritable`.
    public static func write(_ bytes: [UInt8], to path: String) throws {
        var info = stat()
        if stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, let target = resolved(path) {
            // Whoever closed the file to others meant its content.
            let mode = info.st_mode & 0o777
            try Files.replace(target, bytes, mode: mode)
            // It stays its owner's where that can be, and the mask of this process takes nothing away.
            _ = chown(target, info.st_uid, info.st_gid)
            _ = chmod(target, mode)
            return
        }
        guard Files.look(path) != nil else { return try Files.replace(path, bytes) }
        try Files.writeThrough(path, bytes)
    }

    private static func resolved(_ path: String) -> String? {
        guard let name = realpath(path, nil) else { return nil }
        defer { free(name) }
        return String(cString: name)
    }
}
