import Foundation
import Synchronization

/// A flag for damage, set until a sync begins to repair it, and for a rebuild during this time.
///
/// The flag is a file beside the database, since a damaged database may not be writable. If the file cannot be created,
/// the flag is in memory.
final class RepairFlag: Sendable {
    private let file: URL
    private let isRaisedHere = Mutex(false)
    /// A function that is called after the flag was set or cleared.
    private let changed: @Sendable () -> Void

    init(folder: URL, changed: @escaping @Sendable () -> Void = {}) {
        file = folder.appending(path: "needs-repair")
        self.changed = changed
    }

    var isRaised: Bool {
        isRaisedHere.withLock { $0 } || FileManager.default.fileExists(atPath: file.path)
    }

    func raise() {
        let isNew = isRaisedHere.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
        guard isNew else { return }
        // Damage that is found after a rebuild needs another one.
        if isFilled { try? FileManager.default.removeItem(at: file) }
        PrivateFiles.create(file)
        changed()
    }

    /// Records that a rebuilt database replaced the damaged one; a sync must still fetch missing documents.
    func noteRebuilt(_ database: URL) {
        PrivateFiles.create(file)
        // Without this note it is rebuilt a second time.
        let isNoted = (try? Data(database.lastPathComponent.utf8).write(to: file)) != nil
        if isNoted { isRaisedHere.withLock { $0 = false } }
    }

    /// Returns true for the database that was rebuilt last, if no damage was found since.
    func isRebuilt(_ database: URL) -> Bool {
        let name = FileManager.default.contents(atPath: file.path)
        return !isRaisedHere.withLock { $0 } && name == Data(database.lastPathComponent.utf8)
    }

    private var isFilled: Bool {
        FileManager.default.contents(atPath: file.path).map { !$0.isEmpty } ?? false
    }

    func lower() {
        isRaisedHere.withLock { $0 = false }
        // One that cannot be removed costs a second repair.
        try? FileManager.default.removeItem(at: file)
        changed()
    }
}
