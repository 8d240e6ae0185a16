import DatabaseTestSupport
import Foundation
import PostgresDriver
import TestSupport
import Testing

/// `db copy`, as an operator types it, between the servers that devices talk to.
@Suite struct DatabaseCopyCommandTests {
    private func users(_ world: DatabaseWorld) -> String { world.fleet.folder.path + "/users" }

    private func copy(_ from: String, _ to: String, _ more: [String] = []) async throws
        -> Tool.Result
    {
        try await Tool.run(["db", "copy", "--from", from, "--to", to] + more)
    }

    /// Starts a server on SQLite with two devices of one account.
    private func serveSQLite(_ world: DatabaseWorld) async throws -> CommandDevices {
        let server = try await Tool.Server([
            "--release", world.fleet.release, "--data", users(world),
        ])
        let devices = CommandDevices(fleet: world.fleet, server: server)
        try await devices.reserve("int/swift", "2027-12-24", on: "phone")
        try await devices.shareAccount("phone", "tablet")
        try await devices.sync("phone")
        try await devices.sync("tablet")
        return devices
    }

    /// Reads a number from the database.
    private func number(_ world: DatabaseWorld, _ sql: String) async throws -> Int {
        let pool = PostgresPool(PoolSettings(world.postgres.address(world.name)))
        let result = try await pool.query(PostgresStatement(sql: sql))
        await pool.close()
        return try result.column("n", as: Int.self).first ?? 0
    }

    /// True while a session waits for the gate.
    private func isHeld(_ world: DatabaseWorld) async throws -> Bool {
        try await number(
            world,
            """
            SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """) == 1
    }

    private func moveAway(_ world: DatabaseWorld) throws {
        // A log of SQLite may stay beside the file when several connections close at once.
        let files = try FileManager.default.contentsOfDirectory(atPath: users(world))
        for name in files where name.hasPrefix("users.sqlite") {
            try FileManager.default.moveItem(
                atPath: users(world) + "/" + name, toPath: world.fleet.folder.path + "/old-" + name)
        }
    }

    // MARK: Stories

    /// The devices of before go on with the next server, and with the one after that.
    @Test func devicesGoOnThereAndBack() async throws {
        let world = try await DatabaseWorld()
        let devices = try await serveSQLite(world)
        let busy = try await copy(users(world), world.address("postgres"))
        #expect(busy.status == 5 && busy.errors.contains("Stop the server"), "\(busy.errors)")
        #expect(try await devices.server.end() == 0)

        let result = try await copy(users(world), world.address("postgres"), ["--json"])
        #expect(result.status == 0, "\(result.errors)")
        #expect(!result.output.contains(world.postgres.password))
        let tables = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        let rows = try #require(tables["tables"] as? [[String: Any]])
        let accounts = rows.first { $0["name"] as? String == "account" }
        #expect(accounts?["rows"] as? Int == 1)
        #expect((accounts?["sha256"] as? String)?.count == 64)

        try moveAway(world)
        let second = try await Tool.Server(
            world.serveArguments("users"), port: devices.server.port)
        try await goOn(devices, "2027-12-25")
        #expect(try await second.end() == 0)

        let back = try await copy(world.address("postgres"), users(world))
        #expect(back.status == 0, "\(back.errors)")
        #expect(back.output.contains("account: 1, sha256 ") && back.output.contains("Next: "))
        let third = try await Tool.Server(
            ["--release", world.fleet.release, "--data", users(world)], port: devices.server.port)
        try await goOn(devices, "2027-12-26")
        #expect(try await third.end() == 0)
    }

    /// Changes something on one device, and finds it on the other.
    private func goOn(_ devices: CommandDevices, _ day: String) async throws {
        try await devices.reserve("int/swift", day, on: "tablet")
        let tablet = try await devices.sync("tablet")
        let phone = try await devices.sync("phone")
        for result in [tablet, phone] { #expect(!result.output.contains("conflict")) }
        #expect(try await devices.run(["reserve"], on: "phone").output.contains(day))
    }

    // MARK: Kills

    /// A trigger holds the copy in its middle, where it is killed.
    @Test func aKilledCopyLeavesTheDatabaseAsItWas() async throws {
        let world = try await DatabaseWorld()
        #expect(try await serveSQLite(world).server.end() == 0)
        try await world.execute(
            """
            CREATE FUNCTION underway.halted() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN PERFORM pg_advisory_xact_lock(4711); RETURN NEW; END $$;
            CREATE TRIGGER halted BEFORE INSERT ON underway.record
                FOR EACH ROW EXECUTE FUNCTION underway.halted();
            """)
        let gate = try await Gate(world)
        let arguments = [
            "db", "copy", "--from", users(world), "--to", world.address("postgres"),
        ]
        let result = try await Tool.run(arguments) { try await isHeld(world) }
        #expect(result.wasKilled)
        try await gate.open()
        let all =
            "SELECT (SELECT count(*) FROM underway.account) + (SELECT count(*) FROM underway.device)"
        #expect(try await number(world, all + " AS n") == 0)
        let unguarded = """
            SELECT count(*) AS n FROM pg_class WHERE relnamespace = 'underway'::regnamespace
                AND relrowsecurity AND NOT relforcerowsecurity
            """
        #expect(try await number(world, unguarded) == 0)
        try await world.execute("DROP TRIGGER halted ON underway.record")
        let again = try await Tool.run(arguments)
        #expect(again.status == 0, "\(again.errors)")
        #expect(try await number(world, all + " AS n") > 1)
    }

    /// A lock that a test holds until it opens the gate.
    private final class Gate: Sendable {
        private let release = DispatchSemaphore(value: 0)
        private let holder: Task<Void, any Error>

        init(_ world: DatabaseWorld) async throws {
            let address = world.postgres.address(world.name)
            let release = release
            let (held, isHeld) = AsyncStream<Void>.makeStream()
            holder = Task {
                let pool = PostgresPool(PoolSettings(address))
                try await pool.use { connection in
                    try connection.query("SELECT pg_advisory_lock(4711)")
                    isHeld.finish()
                    release.wait()
                }
                await pool.close()
            }
            for await _ in held {}
        }

        func open() async throws {
            release.signal()
            try await holder.value
        }
    }

    /// A view in the place of the last table holds the copy, which is killed there.
    @Test func aKilledCopyLeavesNoFolder() async throws {
        let world = try await DatabaseWorld(try PostgresServer())
        #expect(try await serveSQLite(world).server.end() == 0)
        #expect(try await copy(users(world), world.address("postgres")).status == 0)
        try await world.execute(
            """
            ALTER TABLE underway.release_spread RENAME TO spreads;
            CREATE FUNCTION underway.halted() RETURNS SETOF underway.spreads LANGUAGE plpgsql AS $$
                BEGIN
                    PERFORM pg_advisory_xact_lock(4711);
                    RETURN QUERY SELECT * FROM underway.spreads;
                END $$;
            CREATE VIEW underway.release_spread AS SELECT * FROM underway.halted();
            GRANT SELECT ON underway.release_spread TO underway_owner;
            """)
        let gate = try await Gate(world)
        let folder = world.fleet.folder.path + "/back"
        let arguments = ["db", "copy", "--from", world.address("postgres"), "--to", folder]
        let result = try await Tool.run(arguments) { try await isHeld(world) }
        try await gate.open()
        #expect(result.wasKilled)
        #expect(FileManager.default.fileExists(atPath: folder + "/users.sqlite.copy"))
        #expect(!FileManager.default.fileExists(atPath: folder + "/users.sqlite"))
        try await world.execute(
            """
            DROP VIEW underway.release_spread;
            DROP FUNCTION underway.halted();
            ALTER TABLE underway.spreads RENAME TO release_spread;
            """)
        let again = try await Tool.run(arguments)
        #expect(again.status == 0, "\(again.errors)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["revocations", "users.sqlite"])
    }

    // MARK: Refusals

    @Test func whatCannotBeCopiedIsExplained() async throws {
        let world = try await DatabaseWorld(isMigrated: false)
        let database = world.address("postgres")
        let none = try await copy("/nonexistent", database)
        #expect(none.status == 6 && none.errors.contains("no database of users"), "\(none.errors)")
        #expect(try await serveSQLite(world).server.end() == 0)
        let unmigrated = try await copy(users(world), database)
        #expect(unmigrated.status == 7 && unmigrated.errors.contains("underway db migrate"))
        try await world.migrate()
        let asServer = try await copy(users(world), world.address())
        #expect(asServer.status == 7 && asServer.errors.contains("underway_owner"))
        #expect(try await copy(users(world), database).status == 0)
        for (from, to) in [(users(world), database), (database, users(world))] {
            let result = try await copy(from, to, ["--json"])
            #expect(result.status == 7, "\(result.errors)")
            #expect(result.output.contains("\"refused\""), "\(result.output)")
            #expect(!(result.output + result.errors).contains(world.postgres.password))
        }
        let silent = try await copy(users(world), "postgres://a:s3cret@127.0.0.1:1/x")
        #expect(silent.status == 3 && silent.errors.contains("does not answer"))
        #expect(!silent.errors.contains("s3cret"))
    }

    @Test(arguments: [
        ("/a", "/b", "One side is a database"),
        ("postgres://h/a", "postgres://h/b", "pg_dump"),
        ("", "postgres://h/b", "--from"),
        ("/a", "postgres://u:s3cret@/x?sslmode=on", "--to: "),
        ("postgres://u:s3cret@h:0/x", "/a", "--from: "),
    ])
    func wrongUsageIsExplained(from: String, to: String, text: String) async throws {
        let result = try await copy(from, to)
        #expect(result.status == 64, "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
        #expect(!result.errors.contains("s3cret"))
    }
}
