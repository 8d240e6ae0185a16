import Foundation
import GRDB
import TestSupport
import Testing
import UserData

@testable import Tables

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
    @Test func aCommandChangesNoTablesOfAnotherProgram() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users.sqlite"
        let tables = "SELECT name FROM sqlite_schema ORDER BY name"
        let queue = try DatabaseQueue(path: path)
        try await queue.write { try $0.execute(sql: "CREATE TABLE other (a)") }
        let before = try await queue.read { try String.fetchAll($0, sql: tables) }
        let error = #expect(throws: SetupError.self) {
            try UserDatabase.ofServer(path: path)
        }
        #expect(error?.message.contains("underway serve") == true)
        #expect(try await queue.read { try String.fetchAll($0, sql: tables) } == before)
    }

    @Test func aFileOfAVersionBeforeTheReleaseIsRefusedUnchanged() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/users.sqlite"
        let queue = try DatabaseQueue(path: path)
        try queue.write {
            try $0.execute(
                sql: """
                    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
                    INSERT INTO grdb_migrations VALUES ('v1 users');
                    CREATE TABLE account (number INTEGER PRIMARY KEY) STRICT;
                    """)
        }
        try queue.close()
        let before = try Data(contentsOf: URL(filePath: path))
        for open in [UserDatabase.init(path:), UserDatabase.ofServer(path:)] {
            let error = #expect(throws: SetupError.self) { _ = try open(path) }
            #expect(error?.message.contains("made before 0.1.0. Export its users") == true)
        }
        #expect(try Data(contentsOf: URL(filePath: path)) == before)
    }

    /// Policies and collections are the author's: the database knows none of them by name.
    @Test func noTableKnowsACollection() async throws {
        let sql = try await UserDatabase.inMemory().read { database in
            try String.fetchAll(database, sql: "SELECT sql FROM sqlite_schema WHERE sql NOT NULL")
        }
        for rules in CollectionRules.builtIn {
            #expect(!sql.contains { $0.contains(rules.declaration.name) })
        }
    }
}
