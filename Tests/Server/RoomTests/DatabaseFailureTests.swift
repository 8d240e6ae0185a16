import GRDB
import Testing

@testable import Tables

/// The codes of SQLite in the words of the ledger and of the operator.
@Suite struct DatabaseFailureTests {
    @Test(
        arguments: [
            (.SQLITE_BUSY, .busy), (.SQLITE_LOCKED, .busy), (.SQLITE_INTERRUPT, .busy),
            (.SQLITE_FULL, .unavailable), (.SQLITE_IOERR_READ, .unavailable),
            (.SQLITE_READONLY, .unavailable), (.SQLITE_CANTOPEN, .unavailable),
            (.SQLITE_NOMEM, .unavailable), (.SQLITE_CORRUPT, .damaged("database")),
            (.SQLITE_NOTADB, .damaged("database")), (.SQLITE_SCHEMA, .outdatedSchema("schema")),
            (.SQLITE_CONSTRAINT_UNIQUE, nil), (.SQLITE_MISUSE, nil), (.SQLITE_ERROR, nil),
        ] as [(ResultCode, StorageError?)])
    func aCodeHasAMeaning(code: ResultCode, error: StorageError?) {
        #expect(StorageError(DatabaseError(resultCode: code)) == error)
    }

    @Test func aTableThatIsGoneIsAnOutdatedSchemaAndATypingMistakeIsNot() async throws {
        let database = try DatabaseQueue()
        func error(_ sql: String) async -> StorageError? {
            do {
                try await StorageError.naming {
                    try await database.write { try $0.execute(sql: sql) }
                }
                return nil
            } catch {
                return error as? StorageError
            }
        }
        #expect(await error("CREATE TABLE t (a INTEGER)") == nil)
        for sql in ["SELECT * FROM x", "SELECT b FROM t", "INSERT INTO t (b) VALUES (1)"] {
            guard case .outdatedSchema(let message)? = await error(sql) else {
                Issue.record("\(sql)")
                continue
            }
            #expect(message.contains("no "), "SQLite says what it lacks: \(message)")
        }
        await #expect(throws: DatabaseError.self) {
            try await StorageError.naming {
                try await database.write { try $0.execute(sql: "SELEKT 1") }
            }
        }
    }

    @Test(
        arguments: [
            (.SQLITE_FULL, "Make room"), (.SQLITE_NOTADB, "backup"),
            (.SQLITE_IOERR_SHORT_READ, "Check the disk"), (.SQLITE_IOERR_FSYNC, "Make room"),
            (.SQLITE_READONLY_DBMOVED, "own the file"), (.SQLITE_LOCKED, "End that first"),
            (.SQLITE_NOMEM, "memory"), (.SQLITE_MISUSE, "--data"),
        ] as [(ResultCode, String)])
    func anOperatorReadsTheFileAndTheRemedy(code: ResultCode, remedy: String) {
        let error = SetupError(
            DatabaseError(resultCode: code), path: "/srv/users.sqlite")
        #expect(error.message.hasPrefix("/srv/users.sqlite cannot be opened: "))
        #expect(error.message.contains(remedy), "\(error)")
    }
}
