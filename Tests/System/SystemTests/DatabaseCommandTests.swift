import DatabaseTestSupport
import Foundation
import PostgresDriver
import Tables
import TestSupport
import Testing

/// `db migrate` and `serve --database`, as an operator types them.
@Suite struct DatabaseCommandTests {
    @Test func aDatabaseIsMigratedOnce() async throws {
        let world = try await DatabaseWorld(isMigrated: false)
        let migrate = ["db", "migrate", "--json", "--database", world.address("postgres")]
        let first = try await Tool.run(migrate)
        #expect(first.status == 0 && first.output.contains("\"0.1.0\""), "\(first.errors)")
        let again = try await Tool.run(migrate)
        #expect(again.output.contains("\"migrations\": []"), "\(again.output)")
    }

    @Test(arguments: [
        ("nothing", 64, "wrong scheme"),
        ("postgres://a:s3cret@127.0.0.1:1/x", 3, "does not answer"),
        ("postgres://a:s3cret@/x?sslmode=on", 64, "sslmode"),
    ])
    func anAddressThatLeadsNowhereIsExplained(
        address: String, status: Int32, text: String
    ) async throws {
        for command in [
            ["db", "migrate"], ["serve", "--release", "/", "--data", "/nonexistent"],
        ] {
            let result = try await Tool.run(command + ["--database", address])
            #expect(result.status == status, "\(command): \(result.errors)")
            #expect(result.errors.contains(text), "\(result.errors)")
            #expect(!result.errors.contains("s3cret"))
        }
    }

    @Test func aWrongPasswordAndAMissingDatabaseAreExplained() async throws {
        let world = try await DatabaseWorld()
        let right = world.address("postgres")
        let wrong = right.replacing(world.postgres.password, with: "s3cret")
        for (address, text) in [
            (wrong, "refused the login"), (right + "_none", "no such database"),
        ] {
            let result = try await Tool.run(["db", "migrate", "--database", address])
            #expect(result.status == 3, "\(result.errors)")
            #expect(result.errors.contains(text), "\(result.errors)")
            #expect(!result.errors.contains("s3cret"))
        }
    }

    @Test func aDatabaseOfAnotherEncodingIsExplained() async throws {
        let world = try await DatabaseWorld(isMigrated: false)
        let pool = PostgresPool(PoolSettings(world.postgres.socketAddress()))
        try await pool.query(
            """
            CREATE DATABASE \(identifier: world.name + "_latin") ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0
            """)
        await pool.close()
        let result = try await Tool.run([
            "db", "migrate", "--database", world.address("postgres") + "_latin",
        ])
        #expect(result.status == 3 && result.errors.contains("UTF8"), "\(result.errors)")
    }

    /// What expires by a wrong clock would be removed for all processes.
    @Test func aClockThatIsOffIsRefused() async throws {
        let world = try await DatabaseWorld()
        let pool = PostgresPool(PoolSettings(world.postgres.address(world.name)))
        try await pool.use { connection in
            try PostgresClock.check(connection, now: Date().addingTimeInterval(200))
            for seconds in [-400.0, 400, 31_536_000] {
                #expect(throws: PostgresClockError.self) {
                    try PostgresClock.check(connection, now: Date().addingTimeInterval(seconds))
                }
            }
        }
        await pool.close()
    }

    /// Everything that would go wrong later is refused at the start.
    @Test func serveRefusesWhatWouldGoWrongLater() async throws {
        let world = try await DatabaseWorld(isMigrated: false)
        func refused(_ arguments: [String]) async throws -> String {
            let result = try await Tool.run(["serve", "--port", "0"] + arguments)
            #expect(result.status != 0, "\(arguments)")
            return result.errors
        }
        // Another database of this server has made the login.
        _ = try await DatabaseWorld()
        let plain = world.serveArguments("one")
        #expect(try await refused(plain).contains("underway db migrate"))
        try await world.migrate()
        let asOwner = world.serveArguments("one", database: world.address("postgres"))
        #expect(try await refused(asOwner).contains("underway_server"))
        let homeless = ["--release", world.fleet.release, "--database", world.address()]
        #expect(try await refused(homeless).contains("--data"))
        try world.fleet.folder.write("", to: "used/users.sqlite")
        #expect(try await refused(world.serveArguments("used")).contains("underway db copy"))
        let one = try await world.serve("one")
        defer { try? one.kill() }
        try world.fleet.folder.write(String(repeating: "k", count: 32), to: "other/token-key")
        #expect(try await refused(world.serveArguments("other")).contains("other/token-key"))
    }

    @Test func twoProcessesAreOneServer() async throws {
        let world = try await DatabaseWorld()
        let one = try await world.serve("one")
        let two = try await world.serve("two", ["--prepared-statements"])
        defer {
            try? one.kill()
            try? two.kill()
        }
        let phone = CommandDevices(fleet: world.fleet, server: one)
        let tablet = CommandDevices(fleet: world.fleet, server: two)
        try await phone.reserve("int/swift", "2027-12-24", on: "phone")
        let upgraded = try await phone.account(
            ["upgrade", "ada@example.org"], on: "phone", input: "correct horse\n")
        #expect(upgraded.status == 0, "\(upgraded.errors)")
        try await phone.sync("phone")
        let signedIn = try await tablet.account(
            ["sign-in", "ada@example.org"], on: "tablet", input: "correct horse\n")
        #expect(signedIn.status == 0, "\(signedIn.errors)")
        try await tablet.sync("tablet")
        #expect(try await tablet.run(["reserve"], on: "tablet").output.contains("2027-12-24"))
        // A process that is killed is one of several: the other goes on.
        try one.kill()
        try await tablet.sync("tablet")
        try await one.start()
        try await phone.reserve("int/other", "2027-12-25", on: "phone")
        try await phone.sync("phone")
        try await tablet.sync("tablet")
        #expect(try await tablet.run(["reserve"], on: "tablet").output.contains("2027-12-25"))
        #expect(try await two.end() == 0)
    }

    /// A proxy sends nobody to a process that would fail, and everybody once it would not.
    @Test func aProcessIsReadyWhileItsDatabaseIs() async throws {
        let postgres = try PostgresServer()
        let world = try await DatabaseWorld(postgres)
        let server = try await world.serve("one")
        defer { try? server.kill() }
        func becomes(_ status: Int, _ text: String? = nil) async throws {
            try await eventually("\(status) \(text ?? "")") {
                let reply = try await world.readiness(server)
                return reply.status == status && text.map { reply.reason.contains($0) } ?? true
            }
        }
        try await becomes(200)
        let readOnly = "ALTER ROLE underway_server SET default_transaction_read_only"
        try await world.execute("\(readOnly) = on")
        try await endConnections(world)
        try await becomes(503, "read-only")
        try await world.execute("\(readOnly) = off")
        try await endConnections(world)
        try await becomes(200)
        try await world.execute(
            "INSERT INTO underway.migration VALUES ('99 later', 'x', TRUE)")
        try await becomes(503, "99 later")
        try await world.execute("DELETE FROM underway.migration WHERE name = '99 later'")
        try await becomes(200)
        postgres.kill()
        try await becomes(503, "does not answer")
        try postgres.start()
        try await becomes(200)
    }

    /// Settings of a role hold for new connections.
    private func endConnections(_ world: DatabaseWorld) async throws {
        try await world.execute(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'underway_server'
            """)
    }
}
