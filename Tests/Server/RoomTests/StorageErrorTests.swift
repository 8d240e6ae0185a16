import Accounts
import Foundation
import GRDB
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import ContentServer
@testable import Ledger
@testable import Tables

/// The failures of SQLite in the words of the ledger, and in those of the service.
@Suite struct StorageErrorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.path + "/users.sqlite" }

    /// Its cause is what the log says.
    @Test func anAccountThatIsGoneIsNobodysFailure() {
        #expect(StorageError.noAccount.reply.code == .noAccount)
        #expect(StorageError.noAccount.reply.cause == nil)
        #expect(StorageError.unavailable.reply.cause as? StorageError == .unavailable)
    }

    /// Opens a database with a user `u` that waits for nobody's lock.
    private func open() async throws -> (UserDatabase, SQLiteLedger) {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let database = try UserDatabase(
            DatabaseQueue(path: path, configuration: configuration))
        try await database.addAccount("u")
        return (database, SQLiteLedger(database: database))
    }

    private func write(_ ledger: SQLiteLedger, bytes: Int = 1) async throws {
        let record = LogRow.sample("r", at: 1)
        let row = LogRow(
            record: record.record,
            json: "{\"x\":\"" + String(repeating: "x", count: bytes) + "\"}",
            position: 1, batch: 1, deletedAt: nil)
        try await ledger.exchange(LedgerReadSet(user: "u", client: ClientID("d"), now: 1)) { _ in
            var changes = LedgerChanges()
            changes.records = [row]
            return LedgerDecision(changes: changes, reply: ())
        }
    }

    @Test func aLockedDatabaseIsBusy() async throws {
        let (_, ledger) = try await open()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        await #expect(throws: StorageError.busy) { try await write(ledger) }
        await #expect(throws: StorageError.busy) { _ = try await ledger.progress(of: "u") }
        try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
        try await write(ledger)
    }

    @Test func aFullDiskIsUnavailable() async throws {
        let (database, ledger) = try await open()
        try await database.connections.writeWithoutTransaction { database in
            let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            try database.execute(sql: "PRAGMA max_page_count = \(pages + 1)")
        }
        await #expect(throws: StorageError.unavailable) {
            try await write(ledger, bytes: 100_000)
        }
        try await write(ledger)
    }

    @Test func aDatabaseOfALaterVersionIsNotOpened() async throws {
        _ = try await open()
        let later = try DatabaseQueue(path: path)
        try await later.write {
            try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99 later')")
        }
        #expect(throws: StorageError.outdatedSchema("v99 later")) { try UserDatabase(later) }
        let error = #expect(throws: SetupError.self) { try UserDatabase(path: path) }
        #expect(error?.message.contains("later version") == true)
    }

    @Test func aDatabaseThatALaterVersionChangesIsOutdated() async throws {
        let (database, ledger) = try await open()
        #expect(await database.obstacle() == nil)
        let later = try DatabaseQueue(path: path)
        try await later.write { database in
            try database.execute(sql: "ALTER TABLE mark RENAME COLUMN text TO name")
            try database.execute(sql: "INSERT INTO grdb_migrations VALUES ('v99 later')")
        }
        let error = await #expect(throws: StorageError.self) { try await write(ledger) }
        guard case .outdatedSchema = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await database.obstacle() == .noAnswer)
    }

    @Test(
        arguments: [
            (StorageError.noAccount, ProblemCode.noAccount, 410, nil),
            (.busy, .busy, 503, 2), (.unavailable, .unavailable, 503, 60),
            (.damaged("records"), .unavailable, 503, 60),
            (.outdatedSchema("no such table: x"), .outdatedSchema, 503, nil),
            (.refused("42501, table x"), .serverError, 500, nil),
        ] as [(StorageError, ProblemCode, Int, Int?)])
    func theServiceSaysWhatItMeans(
        error: StorageError, code: ProblemCode, status: Int, seconds: Int?
    ) {
        let problem = RequestError(error)
        #expect(problem.code == code && problem.code.status == status)
        #expect(problem.retryAfterSeconds == seconds)
        // Nothing of the database is told a stranger.
        #expect(!problem.message.contains("table"))
    }
}
