import Foundation
import PostgresDriver
import Tables
import Testing

@testable import Accounts
@testable import Ledger
@testable import Operations
@testable import ServerApplication

/// Servers of this version beside migrations of the next one.
@Suite struct MigrationSideBySideTests {
    private let next = PostgresMigration(
        name: "90 next",
        script: """
            ALTER TABLE underway.account ADD COLUMN note text NOT NULL DEFAULT '';
            ALTER TABLE underway.record ADD COLUMN note text;
            CREATE TABLE underway.note (account bigint NOT NULL REFERENCES underway.account (number));
            CREATE FUNCTION underway.ledger_write_2() RETURNS void LANGUAGE sql AS 'SELECT 1';
            CREATE INDEX record_by_note ON underway.record (account, note);
            """)

    private func migrate(_ users: PostgresUsers, _ added: PostgresMigration) async throws {
        let pool = PostgresPool(.patient(users.admin))
        let ran = try await pool.use {
            try PostgresMigrator(PostgresMigration.all + [added]).migrate($0)
        }
        await pool.close()
        #expect(ran == [added.name])
    }

    /// Devices write at two servers of this version while the next version's migration runs.
    @Test func devicesNoticeNothingOfAnAddition() async throws {
        let users = try await PostgresUsers()
        let (pools, reader) = ([users.pool(2), users.pool(2)], users.pool(1))
        let writers = LedgerWriters(
            seed: 14, storages: (pools + [reader]).map { PostgresLedger($0) })
        async let read = writers.run()
        while writers.replyCount < 10 { await Task.yield() }
        let before = writers.replyCount
        try await migrate(users, next)
        #expect(before < 8 * 15, "the migration ran beside the devices")
        try await writers.expectAgreement(try await read, with: PostgresLedger(reader))
        let accounts = try PostgresAccounts.withRooms(reader)
        #expect(await accounts.obstacle() == nil)
        let report = try await PostgresCheck(users.server).run()
        #expect(report.findings == [])
    }

    @Test func aBreakingMigrationStopsServersOfThisVersion() async throws {
        let users = try await PostgresUsers()
        let accounts = try PostgresAccounts.withRooms(users.pool())
        #expect(await accounts.obstacle() == nil)
        let breaking = PostgresMigration(
            name: "90 next", script: "DROP FUNCTION underway.ledger_page_1", isBreaking: true)
        try await migrate(users, breaking)
        let reason = await accounts.obstacle()?.description
        #expect(reason?.contains("A later version of this program") == true)
        #expect(reason?.contains("\"90 next\"") == true)
        await #expect(throws: PostgresMigrationError.later("90 next")) {
            try await users.pool().use { try PostgresMigrator().check($0) }
        }
        let report = try await PostgresCheck(users.server).run()
        #expect(report.findings.map(\.kind) == [.migration])
        #expect(report.findings.first?.problem.contains("\"90 next\"") == true)
    }
}
