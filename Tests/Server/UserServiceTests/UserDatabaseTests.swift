import Foundation
import GRDB
import TestSupport
import Testing

@testable import UserService

@Suite struct UserDatabaseTests {
    /// A reply that was sent must be true after a power loss.
    @Test func eachCommitIsOnTheDiskBeforeItsReply() throws {
        let folder = try TemporaryFolder()
        let database = try UserDatabase(path: folder.path + "/users.sqlite")
        let synchronous = try database.connections.write { database in
            try Int.fetchOne(database, sql: "PRAGMA synchronous")
        }
        #expect(synchronous == 2)
    }
}
