// On Linux, `stat` belongs to the first C module that shows it, which is this one.
import CoreFoundation
import Foundation

/// What changes whenever a file is replaced.
struct FileStamp: Equatable, Sendable {
    var size: Int
    var seconds: Int
    var nanoseconds: Int
    var inode: Int

    /// Looks at a path; `nil` unless a plain file stands there (links are not followed).
    init?(path: String) {
        var info = stat()
        guard lstat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return nil }
        #if canImport(Glibc)
        let time = info.st_mtim
        #else
        let time = info.st_mtimespec
        #endif
        size = Int(info.st_size)
        seconds = time.tv_sec
        nanoseconds = time.tv_nsec
        inode = Int(truncatingIfNeeded: info.st_ino)
    }
}
