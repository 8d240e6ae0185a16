import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

/// `db migrate`, killed in the middle of a step, and run again by two at once.
@Suite struct MigrationKillTests {
    enum Victim: String, CaseIterable, CustomTestStringConvertible {
        case migrator
        case database

        var testDescription: String { rawValue }
    }

    /// Each view of the first step waits until the test lets it go on.
    private static let hold = """
        CREATE FUNCTION public.hold() RETURNS event_trigger LANGUAGE plpgsql AS
            'BEGIN PERFORM pg_advisory_xact_lock(99); END';
        CREATE EVENT TRIGGER hold ON ddl_command_end WHEN TAG IN ('CREATE VIEW')
            EXECUTE FUNCTION public.hold();
        """

    private static func migration(_ world: DatabaseWorld) -> [String] {
        ["db", "migrate", "--json", "--database", world.address("postgres")]
    }

    @Test(arguments: Victim.allCases)
    func aKilledMigrationIsRunAgain(victim: Victim) async throws {
        let postgres = try PostgresServer()
        let world = try await DatabaseWorld(postgres, isMigrated: false)
        try await world.execute(Self.hold)
        let holder = PostgresPool(PoolSettings(postgres.address(world.name)))
        try await holder.query("SELECT pg_advisory_lock(99)")
        let process = Process()
        process.executableURL = Tool.url
        process.arguments = Self.migration(world)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try await eventually("the migration is in the middle") {
            let waiting = try await holder.query(
                """
                SELECT count(*) AS n FROM pg_locks
                WHERE locktype = 'advisory' AND objid = 99 AND NOT granted
                """)
            return try waiting.column("n", as: Int.self) == [1]
        }
        switch victim {
        case .migrator: kill(process.processIdentifier, SIGKILL)
        case .database: postgres.kill()
        }
        try await Tool.blocking { process.waitUntilExit() }
        #expect(process.terminationStatus != 0)
        if victim == .database { try postgres.start() }
        await holder.close()
        try await world.execute("DROP EVENT TRIGGER hold; DROP FUNCTION public.hold()")
        let before = try await Tool.run(["db", "check", "--database", world.address("postgres")])
        #expect(before.status == 1 && before.output.contains("\"0.1.0\""), "\(before.output)")
        try await expectWholeMigration(world)
    }

    /// Two migrators at once run each step once.
    private func expectWholeMigration(_ world: DatabaseWorld) async throws {
        async let one = Tool.run(Self.migration(world))
        async let other = Tool.run(Self.migration(world))
        let results = try await [one, other]
        #expect(results.map(\.status) == [0, 0], "\(results.map(\.errors))")
        #expect(results.filter { $0.output.contains("\"0.1.0\"") }.count == 1)
        try await world.postgres.openLogin(in: world.name)
        let check = try await Tool.run(["db", "check", "--database", world.address()])
        #expect(check.status == 0, "\(check.output)")
    }
}
