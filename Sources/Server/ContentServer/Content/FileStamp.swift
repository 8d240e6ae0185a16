import CCompression

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
    init?(path: String) { self.init(descriptor: -1, path: path) }

    /// Looks at an open file; `nil` unless it is a plain one.
    init?(descriptor: Int32) { self.init(descriptor: descriptor, path: "") }

    /// In C: the fields of `stat` belong to another module wherever a file beside this one imports
    /// Foundation.
    private init?(descriptor: Int32, path: String) {
        var stamp = underway_file_stamp()
        guard underway_look(descriptor, path, &stamp) != 0 else { return nil }
        size = Int(stamp.size)
        modified = Int(stamp.modified)
        inode = Int(stamp.inode)
        changed = Int(stamp.changed)
    }

    /// True when the bytes are the same, as far as a stamp tells: a file gets and loses names while it
    /// is read.
    func hasBytes(of other: FileStamp) -> Bool {
        (size, modified, inode) == (other.size, other.modified, other.inode)
    }
}
