import Foundation
import Synchronization

/// Notes that damage was found, until a sync has begun to repair it.
///
/// It is a file beside the database, since a damaged database may not take a note. Where the file cannot be
/// made, the process remembers.
final class RepairFlag: Sendable {
    private let file: URL
    private let isRaisedHere = Mutex(false)

    init(folder: URL) {
        file = folder.appending(path: "needs-repair")
    }

    var isRaised: Bool {
        isRaisedHere.withLock { $0 } || FileManager.default.fileExists(atPath: file.path)
    }

    func raise() {
        let isNew = isRaisedHere.withLock { isRaised in
            defer { isRaised = true }
            return !isRaised
        }
        if isNew { PrivateFiles.create(file) }
    }

    func lower() {
        isRaisedHere.withLock { $0 = false }
        // One that cannot be removed costs a second repair.
        try? FileManager.default.removeItem(at: file)
    }
}
