#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What changes whenever a file is replaced or written to.
struct FileStamp: Hashable, Sendable {
    var size: Int
    /// The time of the last change of content in nanoseconds since 1970; programs can set it.
    var modified: Int
    var inode: Int
    /// The time of the last change of content, names or rights in nanoseconds since 1970, which the
    /// kernel alone sets.
    var changed: Int

    /// Looks at a path; `nil` unless a plain file stands there (links are not followed).
    init?(path: String) {
        var info = stat()
        guard lstat(path, &info) == 0 else { return nil }
        self.init(info)
    }

    /// Looks at an open file; `nil` unless it is a plain one.
    init?(descriptor: Int32) {
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { return nil }
        self.init(info)
    }

    private init?(_ info: stat) {
        guard info.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Glibc)
        let (modified, changed) = (info.st_mtim, info.st_ctim)
        #else
        let (modified, changed) = (info.st_mtimespec, info.st_ctimespec)
        #endif
        size = Int(info.st_size)
        self.modified = Self.nanoseconds(modified)
        inode = Int(truncatingIfNeeded: info.st_ino)
        self.changed = Self.nanoseconds(changed)
    }

    /// True when the bytes are the same, as far as a stamp tells: a file gets and loses names while it
    /// is read.
    func hasBytes(of other: FileStamp) -> Bool {
        (size, modified, inode) == (other.size, other.modified, other.inode)
    }

    private static func nanoseconds(_ time: timespec) -> Int {
        time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
