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

    /// What an operator's command opens stays as it is, unless this version wrote it.
    @Test(arguments: ["v9 events", nil])
    func aCommandChangesNoTablesOfAnEarlierVersionOrAnotherProgram(version: String?) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users.sqlite"
        let tables = "SELECT name FROM sqlite_schema ORDER BY name"
        let queue = try DatabaseQueue(path: path)
        if let version {
            try UserSchema.migrator.migrate(queue, upTo: version)
        } else {
            try await queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        }
        let before = try await queue.read { try String.fetchAll($0, sql: tables) }
        let error = #expect(throws: UserServiceSetupError.self) {
            try UserDatabase.ofServer(path: path)
        }
        #expect(error?.message.contains("underway serve") == true)
        #expect(try await queue.read { try String.fetchAll($0, sql: tables) } == before)
        if version != nil {
            _ = try UserDatabase(path: path)
            #expect(await (try UserDatabase.ofServer(path: path)).obstacle() == nil)
        }
    }
}
