import ContentModel
import DatabaseTestSupport
import Foundation
import HTTPTypes
import PostgresDriver
import ServerTestSupport
import ServiceAPI
import Testing

/// A database that answers, and refuses: read-only, full, of another version, or without a privilege.
@Suite struct RefusingDatabaseTests {
    /// Expects that a load balancer is told so soon; the reason has words for the operator.
    private func expectReady(_ process: TestProcess, unless reason: String? = nil) async throws {
        try await eventually(reason ?? "ready") {
            let reply = try await process.client.send(.get, "/health/ready")
            guard let reason else { return reply.status == .ok }
            return reply.status == .serviceUnavailable && reply.text.contains(reason)
        }
    }

    // MARK: Read-only

    @Test func aReadOnlyDatabaseIsReadAndTakesNothing() async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        var client = try await process.newClient()
        let tag = try await client.put("a").headers[.eTag]
        _ = try await client.account("upgrade", ["email": "a@b.c", "password": "correct horse"])
        try await expectReady(process)
        try await server.set("default_transaction_read_only", to: "on")
        try await expectReady(process, unless: "read-only")
        for reply in [
            try await client.put("b"), try await client.put("a", 2, ifMatch: tag),
            try await client.exchange("c"), try await client.account("anonymous"),
            try await client.account(
                "sign-in", ["email": "a@b.c", "password": "correct horse"]),
            try await client.account(
                "refresh", ["refresh_token": .string(client.tokens?.refreshToken ?? "")]),
            try await client.account("revoke-all"),
            try await client.send(.delete, UserDataRoutes.accounts + "/account"),
        ] { expectProblem(reply, .unavailable) }
        // A wrong password is still a wrong password.
        expectProblem(
            try await client.account("sign-in", ["email": "a@b.c", "password": "wrong horse"]),
            .wrongCredentials)
        for path in [
            TestClient.record("a"), UserDataRoutes.collections + "/stars",
            UserDataRoutes.progress, UserDataRoutes.devices,
            UserDataRoutes.accounts + "/ways", UserDataRoutes.accounts + "/export",
        ] {
            let reply = try await client.send(.get, path)
            #expect(reply.status == .ok, "\(path) \(reply.text)")
        }
        try await server.set("default_transaction_read_only", to: "off")
        #expect(try await client.put("a", 2, ifMatch: tag).status == .ok)
        let renewed = try await client.account(
            "refresh", ["refresh_token": .string(client.tokens?.refreshToken ?? "")])
        client.tokens = try AccountBody.Tokens(renewed.body)
        #expect(try await client.get("b").status == .notFound)
        #expect(try await client.get("a").text.contains(#""n":2"#))
        try await expectReady(process)
    }

    // MARK: Full

    /// The file of the records may not grow: the server cuts the write short, and reports 53100.
    ///
    /// The limit lies behind a segment of the log of 16 MiB, which it would stop too.
    @Test func aFullDiskTakesNothingAndIsReadUntilThereIsRoom() async throws {
        let host = try PostgresServer()
        let server = try await UserDatabaseServer(on: host)
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        #expect(try await client.put("a").status == .created)
        try await server.execute(
            """
            ALTER TABLE underway.record SET (autovacuum_enabled = off);
            INSERT INTO underway.record (account, collection, id, position, batch, json)
            SELECT (SELECT number FROM underway.account), 'stars', 'filler' || n, n, n,
                json_build_object('x', repeat(md5(n::text), 50))
            FROM generate_series(100000, 111000) AS n;
            CHECKPOINT;
            """)
        let size = try await bytes(of: "record", server)
        #expect(size > 16 << 20)
        try host.limitFiles(to: size + 4_096)
        let stored = try await fill(client)
        for path in [TestClient.record("a"), TestClient.record("full0"), UserDataRoutes.progress] {
            #expect(try await client.send(.get, path).status == .ok, "\(path)")
        }
        try host.limitFiles(to: nil)
        for number in 0...stored {
            let reply = try await client.send(
                .put, TestClient.record("later\(number)"), Self.large)
            #expect(reply.status == .created, "\(reply.text)")
        }
        for number in 0..<stored {
            #expect(try await client.get("full\(number)").status == .ok)
        }
        #expect(try await client.get("full\(stored)").status == .notFound)
    }

    /// A file system that is full: a load balancer is told before, and until, a user would find out.
    @Test(.enabled(if: geteuid() == 0, "only root can make a small disk"))
    func aDatabaseOnAFullFileSystemIsNotReady() async throws {
        var settings = PostgresServer.Settings()
        settings.diskMegabytes = 160
        let host = try PostgresServer(settings)
        let server = try await UserDatabaseServer(on: host)
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        #expect(try await client.put("a").status == .created)
        try await expectReady(process)
        try host.fillDisk(true)
        try await expectReady(process, unless: "disk of the database of users is full")
        #expect(try await client.get("a").status == .ok)
        try host.fillDisk(false)
        try await expectReady(process)
        #expect(try await client.put("b").status == .created)
    }

    /// Reads are answered, and no commit: a standby that must confirm each one is gone.
    @Test func aDatabaseThatAnswersNoWriteIsNotReady() async throws {
        let host = try PostgresServer()
        let server = try await UserDatabaseServer(on: host)
        let process = try await TestProcess(server.login)
        try await expectReady(process)
        try await server.execute("ALTER SYSTEM SET synchronous_standby_names = 'gone'")
        try await server.execute("SELECT pg_reload_conf()")
        try await expectReady(process, unless: "takes no write")
        try await server.execute("ALTER SYSTEM RESET synchronous_standby_names")
        try await server.execute("SELECT pg_reload_conf()")
        try await expectReady(process)
    }

    private static let large =
        #"{"fields":{"x":""# + String(repeating: "0123456789abcdef", count: 90) + #""}}"#

    /// Writes until the database has no room, and returns how many records it took.
    private func fill(_ client: TestClient) async throws -> Int {
        for number in 0..<200 {
            let reply = try await client.send(
                .put, TestClient.record("full\(number)"), Self.large)
            guard reply.status != .created else { continue }
            expectProblem(reply, .unavailable)
            #expect(number > 0)
            return number
        }
        Issue.record("the disk was never full")
        return 0
    }

    private func bytes(of table: String, _ server: UserDatabaseServer) async throws -> Int {
        try await server.number(
            "SELECT pg_relation_size('underway.\(identifier: table)') AS n")
    }

    // MARK: Another version

    @Test(arguments: [
        (
            "ALTER TABLE underway.record RENAME TO other",
            "ALTER TABLE underway.other RENAME TO record"
        ),
        (
            "ALTER TABLE underway.account RENAME COLUMN epoch TO other",
            "ALTER TABLE underway.account RENAME COLUMN other TO epoch"
        ),
        ("ALTER SCHEMA underway RENAME TO other", "ALTER SCHEMA other RENAME TO underway"),
    ])
    func aSchemaThatChangesWhileItIsUsedIsOutdated(change: String, back: String) async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        #expect(try await client.put("a").status == .created)
        try await server.execute(change)
        let reply = try await client.put("b")
        expectProblem(reply, .outdatedSchema)
        for word in ["underway.", "record", "epoch", "42"] {
            #expect(!reply.text.contains(word), "nothing of the schema is told a stranger")
        }
        #expect(process.log.text.contains("PostgreSQL"), "the log says what is missing")
        try await server.execute(back)
        #expect(try await client.put("b").status == .created)
    }

    @Test func anotherMigrationIsNamedWhereReadinessIsAsked() async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        try await expectReady(process)
        try await server.execute(
            """
            INSERT INTO underway.migration (name, checksum, is_breaking)
            VALUES ('999 later', 'x', true)
            """)
        try await expectReady(process, unless: "999 later")
        try await server.execute("DELETE FROM underway.migration WHERE name = '999 later'")
        try await expectReady(process)
        try await server.execute("ALTER SCHEMA underway RENAME TO other")
        try await expectReady(process, unless: "lacks the migration")
        try await server.execute("ALTER SCHEMA other RENAME TO underway")
        try await expectReady(process)
    }

    // MARK: Without a privilege

    /// Without its policy the ledger sees no account. A device must not take that for a deleted one.
    @Test func anAccountWithoutItsPolicyIsNotGone() async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        #expect(try await client.put("a").status == .created)
        try await server.execute("DROP POLICY own ON underway.account")
        for path in [
            TestClient.record("a"), UserDataRoutes.progress, UserDataRoutes.devices,
            UserDataRoutes.accounts + "/export",
        ] { expectProblem(try await client.send(.get, path), .serverError) }
        expectProblem(try await client.exchange("a"), .serverError)
        expectProblem(try await client.put("a", 2, ifMatch: "\"1\""), .serverError)
        try await server.execute(
            """
            CREATE POLICY own ON underway.account TO authenticated
                USING (user_id = (SELECT underway.token_user()))
                WITH CHECK (user_id = (SELECT underway.token_user()))
            """)
        #expect(try await client.put("a", 2, ifMatch: "\"1\"").status == .ok)
        let deletion = try await client.send(.delete, UserDataRoutes.accounts + "/account")
        #expect(deletion.status == .noContent)
        expectProblem(try await client.get("a"), .noAccount)
    }

    @Test(arguments: [
        "REVOKE INSERT ON underway.record FROM authenticated",
        "REVOKE SELECT ON underway.record FROM authenticated",
        "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA underway FROM authenticated, PUBLIC",
        """
        DO $$ DECLARE name text; BEGIN
            FOR name IN SELECT polname FROM pg_policy WHERE polrelid = 'underway.record'::regclass
            LOOP EXECUTE format('DROP POLICY %I ON underway.record', name); END LOOP;
        END $$
        """,
        "REVOKE USAGE ON SCHEMA underway FROM authenticated",
    ])
    func aMissingPrivilegeIsTheOperatorsAndNamedInTheLog(mistake: String) async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        let secret = "hunter2"
        try await server.execute(mistake)
        let path = TestClient.record("a-\(secret)")
        let reply = try await client.send(.put, path, #"{"fields":{"x":"\#(secret)"}}"#)
        expectProblem(reply, .serverError)
        #expect(!reply.text.contains("underway"))
        // One line for one request: nobody tried again.
        #expect(process.log.count == 1, "\(process.log.text)")
        #expect(process.log.text.contains("PostgreSQL 42501"), "\(process.log.text)")
        for word in [secret, client.tokens?.accessToken ?? "", client.tokens?.user ?? ""] {
            #expect(!process.log.text.contains(word), "\(process.log.text)")
        }
    }
}
