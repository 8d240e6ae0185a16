import ContentModel
import PageRendering
import Synchronization

/// The files whose imports are shown and not written yet: the last one of each author, in memory.
final class ImportUploads: Sendable {
    /// The maximum number of bytes of a file.
    static let fileBytesMax = 8 * 1024 * 1024
    /// The maximum number of files; the oldest gives way.
    private static let countMax = 8

    private struct Upload {
        var user: String
        var key: String
        var file: FormFile
    }

    private let uploads = Mutex<[Upload]>([])

    /// Keeps a file in place of the author's former one.
    ///
    /// - Returns: The key by which the author's next form names it.
    func keep(_ file: FormFile, of user: String) -> String {
        let key = Checksum(of: Array(file.name.utf8) + [0] + file.bytes).hex
        uploads.withLock { uploads in
            uploads.removeAll { $0.user == user }
            uploads = uploads.suffix(Self.countMax - 1) + [Upload(user: user, key: key, file: file)]
        }
        return key
    }

    /// Returns an author's file; `nil` once another took its place.
    func file(_ key: String, of user: String) -> FormFile? {
        uploads.withLock { $0.first { $0.key == key && $0.user == user }?.file }
    }

    /// Forgets the author's file.
    func forget(of user: String) { uploads.withLock { $0.removeAll { $0.user == user } } }
}
