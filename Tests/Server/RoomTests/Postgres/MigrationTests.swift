import DatabaseTestSupport
import Foundation
import Operations
import PostgresDriver
import Synchronization
import Tables
import Testing

/// Migrations run forward, once, whole, and again after a kill.
@Suite struct MigrationTests {
    private let address: PostgresAddress

    init() async throws {
        // Migrated, so that roles are there: those belong to the whole server.
        _ = try await PostgresUsers([])
        address = try await PostgresServer.shared().newDatabase("migrations")
    }

    private static let added = [
        PostgresMigration(name: "90 one", script: "CREATE TABLE underway.one (n integer)"),
        PostgresMigration(
            name: "91 two",
            script: "CREATE TABLE underway.two (n integer); INSERT INTO underway.two VALUES (1)"),
    ]

    private func use<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let pool = PostgresPool(.patient(address))
        do {
            let value = try await pool.use(body)
            await pool.close()
            return value
        } catch {
            await pool.close()
            throw error
        }
    }

    private func count(_ table: String) async throws -> Int {
        try await use { connection in
            try connection.query("SELECT count(*) AS n FROM underway.\(sql: table)")
                .column("n", as: Int.self)[0]
        }
    }

    @Test func migrationsRunOnce() async throws {
        let names = try await use { try PostgresMigrator().migrate($0) }
        #expect(names == PostgresMigration.all.map(\.name))
        #expect(try await use { try PostgresMigrator().migrate($0) }.isEmpty)
        let all = PostgresMigration.all + Self.added
        #expect(try await use { try PostgresMigrator(all).migrate($0) } == ["90 one", "91 two"])
        #expect(try await use { try PostgresMigrator(all).migrate($0) }.isEmpty)
        #expect(try await count("two") == 1)
    }

    @Test func severalMigratorsRunEachMigrationOnce() async throws {
        let all = PostgresMigration.all + Self.added
        let ran = try await withThrowingTaskGroup { group in
            for _ in 0..<4 {
                group.addTask { try await use { try PostgresMigrator(all).migrate($0) } }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(ran.sorted() == all.map(\.name).sorted())
        #expect(try await count("two") == 1)
    }

    @Test func aMigrationThatFailsLeavesThoseBeforeIt() async throws {
        let broken = PostgresMigration(
            name: "91 two", script: "CREATE TABLE underway.two (n integer); SELECT 1 / 0")
        let error = await #expect(throws: PostgresError.self) {
            try await use {
                try PostgresMigrator(PostgresMigration.all + [Self.added[0], broken]).migrate($0)
            }
        }
        #expect(error?.code.rawValue == "22012")
        #expect(try await count("one") == 0)
        await #expect(throws: PostgresError.self) { try await count("two") }
        let rest = try await use {
            try PostgresMigrator(PostgresMigration.all + Self.added).migrate($0)
        }
        #expect(rest == ["91 two"])
    }

    /// The session ends in the middle of a script, as with a killed program.
    @Test func aKilledMigrationIsRunAgain() async throws {
        let killed = PostgresMigration(
            name: "91 two",
            script: """
                CREATE TABLE underway.two (n integer);
                RESET ROLE;
                SELECT pg_terminate_backend(pg_backend_pid());
                """)
        await #expect(throws: PostgresError.self) {
            try await use {
                try PostgresMigrator(PostgresMigration.all + [Self.added[0], killed]).migrate($0)
            }
        }
        let rest = try await use {
            try PostgresMigrator(PostgresMigration.all + Self.added).migrate($0)
        }
        #expect(rest == ["91 two"])
        #expect(try await count("two") == 1)
    }

    /// An earlier migrator has nothing to do beside additions, and does not mix its own with them.
    @Test func anotherVersionIsRefusedAndNothingIsChanged() async throws {
        let all = PostgresMigration.all + Self.added
        _ = try await use { try PostgresMigrator(all).migrate($0) }
        #expect(try await use { try PostgresMigrator().migrate($0) } == [])
        let three = PostgresMigration(
            name: "92 three", script: "CREATE TABLE underway.three (n integer)")
        await #expect(throws: PostgresMigrationError.later("90 one")) {
            try await use { try PostgresMigrator(PostgresMigration.all + [three]).migrate($0) }
        }
        let edited =
            PostgresMigration.all + [
                Self.added[0], PostgresMigration(name: "91 two", script: "SELECT 1"), three,
            ]
        await #expect(throws: PostgresMigrationError.edited("91 two")) {
            try await use { try PostgresMigrator(edited).migrate($0) }
        }
        await #expect(throws: PostgresError.self) { try await count("three") }
    }

    @Test func anEarlierMigratorRefusesBreakingMigrations() async throws {
        let breaking = PostgresMigration(name: "90 one", script: "SELECT 1", isBreaking: true)
        _ = try await use { try PostgresMigrator(PostgresMigration.all + [breaking]).migrate($0) }
        await #expect(throws: PostgresMigrationError.later("90 one")) {
            try await use { try PostgresMigrator().migrate($0) }
        }
    }

    @Test func theProgramSeesWhatIsMissing() async throws {
        let users = try await PostgresUsers([])
        let pool = users.pool()
        try await pool.use { try PostgresMigrator().check($0) }
        await #expect(throws: PostgresMigrationError.missing("90 one")) {
            try await pool.use {
                try PostgresMigrator(PostgresMigration.all + Self.added).check($0)
            }
        }
        // Everything is of a later version, and nothing of it is breaking.
        try await pool.use { try PostgresMigrator([]).check($0) }
    }

    @Test func withoutAnyTableAllMigrationsAreMissing() async throws {
        let first = PostgresMigration.all[0].name
        await #expect(throws: PostgresMigrationError.missing(first)) {
            try await use { try PostgresMigrator().check($0) }
        }
    }

    /// As a database of a version that was never released.
    @Test func aDatabaseOfBeforeTheFirstReleaseIsRefusedByItsName() async throws {
        let former = [PostgresMigration(name: "1 ledger", script: "CREATE TABLE underway.one ()")]
        _ = try await use { try PostgresMigrator(former).migrate($0) }
        let error = await #expect(throws: PostgresMigrationError.self) {
            try await use { try PostgresMigrator().migrate($0) }
        }
        #expect(error?.description.contains("was made before 0.1.0. Export its users") == true)
        await #expect(throws: PostgresMigrationError.beforeRelease) {
            try await use { try PostgresMigrator().check($0) }
        }
        let report = try await PostgresCheck(address).run()
        #expect(report.findings.contains { $0.problem == "It was made before 0.1.0." })
    }

    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private func locks(_ condition: String) async throws -> Int {
        try await use { connection in
            try connection.query(
                """
                SELECT count(*) AS n FROM pg_locks
                WHERE relation = 'underway.account'::regclass AND \(sql: condition)
                """
            ).column("n", as: Int.self)[0]
        }
    }

    /// While a migration waits for a table, others use the table and do not wait behind it.
    @Test func aMigrationLetsOthersGoFirst() async throws {
        _ = try await use { try PostgresMigrator().migrate($0) }
        let migration = PostgresMigration(
            name: "90 one", script: "ALTER TABLE underway.account ADD COLUMN note text")
        let flag = Flag()
        async let holder: Void = use { connection in
            try connection.pipeline(["BEGIN", "LOCK TABLE underway.account IN ROW SHARE MODE"])
            while !flag.isSet.load(ordering: .sequentiallyConsistent) {
                try connection.query("SELECT pg_sleep(0.01)")
            }
            try connection.query("COMMIT")
        }
        try await eventually("the table is used") {
            try await locks("mode = 'RowShareLock' AND granted") > 0
        }
        async let ran = use {
            try PostgresMigrator(PostgresMigration.all + [migration]).migrate($0)
        }
        try await eventually("the migration waits") {
            try await locks("mode = 'AccessExclusiveLock' AND NOT granted") > 0
        }
        try await use { connection in
            try connection.query("SET lock_timeout = '10s'")
            try connection.query("SELECT count(*) FROM underway.account")
        }
        flag.isSet.store(true, ordering: .sequentiallyConsistent)
        #expect(try await ran == ["90 one"])
        try await holder
    }

    /// Supabase has its own subject of a token, which stays, and the policies hold with it.
    @Test func theTokenSubjectOfSupabaseIsKept() async throws {
        let body = """
            select coalesce(
                nullif(current_setting('request.jwt.claim.sub', true), ''),
                (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'))::uuid
            """
        let script = """
            CREATE SCHEMA auth;
            CREATE FUNCTION auth.uid() RETURNS uuid LANGUAGE sql STABLE AS $$\(body)$$;
            GRANT USAGE ON SCHEMA auth TO authenticated, anon;
            """
        let rows = try await use { connection in
            try connection.execute(script: script)
            _ = try PostgresMigrator().migrate(connection)
            let (own, other) = (UserClaims(of: "u"), UserClaims(of: "v"))
            for claims in [own, other] {
                try connection.query(
                    """
                    INSERT INTO underway.account (id, user_id, created_at)
                    VALUES (\(claims.user.uuidString), \(claims.user), 0)
                    """)
            }
            return try connection.pipeline([
                "SELECT prosrc FROM pg_proc WHERE oid = 'auth.uid()'::regprocedure",
                own.statement, "SELECT underway.enter_1(true)",
                "SELECT user_id FROM underway.account",
            ])
        }
        #expect(try rows[0].column("prosrc", as: String.self) == [body])
        #expect(try rows[3].column("user_id", as: UUID.self) == [UserClaims(of: "u").user])
    }

    /// The program's login reads and writes rows, and makes or changes no table.
    @Test func theProgramMayNotMigrate() async throws {
        let users = try await PostgresUsers([])
        let error = await #expect(throws: PostgresError.self) {
            try await users.pool().use { try PostgresMigrator().migrate($0) }
        }
        #expect(error?.code == .insufficientPrivilege)
    }
}
