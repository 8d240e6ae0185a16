import CCompression

/// A file's identity, size and times; a different stamp means that the file was replaced or written to.
package struct ServedFileStamp: Hashable, Sendable {
    var size: Int
    /// The time of the last change of content in nanoseconds since 1970; programs can set it.
    var modified: Int
    var inode: Int
    /// The time of the last change of content, names or rights in nanoseconds since 1970, which the
    /// kernel alone sets.
    var changed: Int

    /// Reads the stamp of a path; `nil` unless it is a regular file (links are not followed).
    package init?(path: String) { self.init(descriptor: -1, path: path) }

    /// Reads the stamp of an open file; `nil` unless it is a regular one.
    init?(descriptor: Int32) { self.init(descriptor: descriptor, path: "") }

    /// Reads `stat` in C: its fields would belong to another module in files that import Foundation
    /// too.
    private init?(descriptor: Int32, path: String) {
        var stamp = underway_file_stamp()
        guard underway_look(descriptor, path, &stamp) != 0 else { return nil }
        size = Int(stamp.size)
        modified = Int(stamp.modified)
        inode = Int(stamp.inode)
        changed = Int(stamp.changed)
    }

    /// Returns whether both stamps mean the same bytes: the number of links may differ, because a
    /// publish adds and removes names of an object.
    func hasBytes(of other: ServedFileStamp) -> Bool {
        (size, modified, inode) == (other.size, other.modified, other.inode)
    }
}
