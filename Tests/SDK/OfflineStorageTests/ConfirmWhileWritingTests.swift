import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing

@testable import OfflineStorage

/// Saved data is confirmed while another process writes.
@Suite struct ConfirmWhileWritingTests {
    @Test func whatAnotherProcessWritesBetweenTwoLooksIsNoLoss() throws {
        let folder = try TemporaryFolder()
        let store = try UserStore(folder: folder.url)
        let other = try UserStore(folder: folder.url)
        try store.put(Favourite(bank: "es"), id: "q")
        let looks = Mutex(0)
        try store.database.confirm { database in
            let version = try Int.fetchOne(database, sql: "SELECT max(version) FROM person")
            let isFirst = looks.withLock { looks in
                looks += 1
                return looks == 1
            }
            if isFirst { try other.put(Favourite(bank: "es"), id: "other") }
            return version
        }
        #expect(looks.withLock { $0 } == 4)
        try store.confirmSaved()
    }
}
