import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The file of a database as it was opened: whether the name still leads to it, and whether it was found damaged.
///
/// SQLite goes on writing into a file that was removed, and everything in it is gone with the process.
final class OpenedFile: Sendable {
    private struct Identity: Equatable {
        let device: UInt64
        let inode: UInt64
    }

    /// A reason why nothing must be written any more.
    enum Fault: Sendable {
        case isGone, isDamaged
    }

    private let path: String
    private let identity: Identity?
    private let damage = Mutex(false)

    /// Looks at a file that was just opened.
    init(path: String) {
        self.path = path
        identity = Self.look(path)
    }

    private static func look(_ path: String) -> Identity? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
    }

    /// Notes that the database said that it is damaged: it is not asked again until the process starts anew.
    func noteDamage() { damage.withLock { $0 = true } }

    /// The reason why nothing must be written; `nil` when there is none.
    var fault: Fault? {
        if damage.withLock({ $0 }) { return .isDamaged }
        guard let now = Self.look(path), now == identity else { return .isGone }
        return nil
    }
}
