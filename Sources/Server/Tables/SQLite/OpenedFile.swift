import CCompression
import Synchronization

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
    /// The log beside the file, once it was seen: what is acknowledged is there first, so it must not be removed either.
    private let log = Mutex<Identity?>(nil)

    /// Looks at a file that was just opened.
    init(path: String) {
        self.path = path
        identity = Self.look(path)
    }

    private static func look(_ path: String) -> Identity? {
        // By C: which module Swift finds `stat` in depends on how the standard library is linked.
        var (device, inode) = (UInt64(0), UInt64(0))
        guard underway_identity(path, &device, &inode) != 0 else { return nil }
        return Identity(device: device, inode: inode)
    }

    /// SQLite removes its log with the last connection alone, so that of an open database is always the same file.
    private var isLogThere: Bool {
        let present = Self.look(path + "-wal")
        return log.withLock { known in
            if known == nil { known = present }
            return known == present
        }
    }

    /// Notes that the database said that it is damaged: it is not asked again until the process starts anew.
    func noteDamage() { damage.withLock { $0 = true } }

    /// The reason why nothing must be written; `nil` when there is none.
    var fault: Fault? {
        if damage.withLock({ $0 }) { return .isDamaged }
        guard let now = Self.look(path), now == identity, isLogThere else { return .isGone }
        return nil
    }
}
