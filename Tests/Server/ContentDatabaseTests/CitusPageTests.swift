import DatabaseTestSupport
import Foundation
import Operations
import PostgresDriver
import Tables
import Testing

/// The real schema, prepared as docs/citus.md says, meets the conditions that Citus checks.
@Suite struct CitusPageTests {
    private let page: CitusPage
    private let pool: PostgresPool

    init() async throws {
        page = try CitusPage()
        pool = PostgresPool(PoolSettings(try await PostgresServer.shared().newDatabase("citus")))
        _ = try await pool.use { try PostgresMigrator().migrate($0) }
    }

    private func execute(_ script: String) async throws {
        try await pool.use { try $0.execute(script: script) }
    }

    private func tables() async throws -> Set<String> {
        let rows = try await pool.query(
            """
            SELECT schemaname || '.' || tablename AS name FROM pg_tables
            WHERE schemaname IN ('underway', 'content')
            """)
        return Set(try rows.column("name", as: String.self))
    }

    private func violations() async throws -> [String] {
        var found: [String] = []
        for condition in CitusPage.conditions {
            let rows = try await pool.query(page.violations(of: condition))
            found += try rows.column("what", as: String.self)
        }
        return found.sorted()
    }

    @Test func thePageNamesEveryTableOnce() async throws {
        try await execute(page.preparation)
        let named = page.distributed.map(\.table) + page.reference + page.local
        #expect(named.count == Set(named).count)
        #expect(Set(named) == (try await tables()))
    }

    /// Each line is what Citus would refuse of the schema as it is, and what the page changes.
    @Test func withoutThePreparationCitusWouldRefuse() async throws {
        let found = try await violations()
        for expected in [
            "account_id_key is unique without number",
            "account_user_id_key is unique without number",
            "erase_answers is a trigger of account",
            "password_account_fkey leads from password, which is local, to account",
            "own of answer has a subquery", "erased of device has a subquery",
        ] {
            #expect(found.contains(expected), "\(found)")
        }
    }

    @Test func afterThePreparationNothingIsRefused() async throws {
        try await execute(page.preparation)
        #expect(try await violations() == [])
    }

    /// The conditions find what a later migration could get wrong.
    @Test func aTableThatDoesNotFitIsFound() async throws {
        try await execute(page.preparation)
        try await execute(
            """
            ALTER TABLE underway.answer ADD UNIQUE (at, device);
            ALTER TABLE underway.refresh_token ADD number bigint UNIQUE;
            ALTER TABLE underway.result ADD FOREIGN KEY (account) REFERENCES underway.refresh_token (number);
            """)
        #expect(
            try await violations() == [
                "answer_at_device_key is unique without account",
                "result_account_fkey leads from result to refresh_token, which is local",
            ])
    }

    /// The policies mean the same without their subqueries.
    @Test func aUserSeesOnlyHisRowsAfterThePreparation() async throws {
        try await execute(page.preparation)
        let users = ["u", "v"].map(UserClaims.init)
        let names = try await pool.use { connection in
            for claims in users {
                try connection.query(
                    """
                    WITH added AS (
                        INSERT INTO underway.account (id, user_id, created_at)
                        VALUES (\(claims.user.uuidString), \(claims.user), 0) RETURNING number)
                    INSERT INTO underway.device (account, number, name)
                    SELECT number, 1, \(claims.user.uuidString) FROM added
                    """)
            }
            return try connection.transaction { transaction in
                try transaction.query(users[0].statement)
                try transaction.query("SELECT underway.enter_1(true)")
                return try transaction.query("SELECT name FROM underway.device")
                    .column("name", as: String.self)
            }
        }
        #expect(names == [users[0].user.uuidString])
    }
}
