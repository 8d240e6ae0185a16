import DatabaseTestSupport
import Dispatch
import HTTPTypes
import PostgresDriver
import ServerTestSupport
import ServiceAPI
import Testing

/// A database that has no connection, or no time, for us.
@Suite struct BusyDatabaseTests {
    /// A session of somebody else, until it is ended.
    private final class Holder: Sendable {
        private let pool: PostgresPool
        private let end = DispatchSemaphore(value: 0)
        private let use: Task<Void, any Error>

        /// Opens a session, and executes statements in a transaction that stays open.
        init(_ server: UserDatabaseServer, _ statements: PostgresStatement...) async throws {
            var settings = PoolSettings(server.admin)
            settings.connectionsMax = 1
            let pool = PostgresPool(settings)
            self.pool = pool
            let (end, isHeld) = (self.end, DispatchSemaphore(value: 0))
            use = Task {
                try await pool.transaction(retry: .never) { transaction in
                    try transaction.pipeline(["SELECT 1"] + statements)
                    isHeld.signal()
                    end.wait()
                }
            }
            try await eventually("the session holds") { isHeld.wait(timeout: .now()) == .success }
        }

        func release() async throws {
            end.signal()
            try await use.value
            await pool.close()
        }
    }

    /// The time in which a client gets any reply, on a machine that runs many tests at once.
    private static let bound = Duration.seconds(15)

    private func expectBusy(
        _ code: ProblemCode = .busy, at place: SourceLocation = #_sourceLocation,
        _ send: () async throws -> TestClient.Reply
    ) async throws {
        let begin = ContinuousClock.now
        expectProblem(try await send(), code, at: place)
        #expect(ContinuousClock.now - begin < Self.bound, sourceLocation: place)
    }

    // MARK: Out of connections

    private func crowdedServer(_ connections: Int) async throws -> UserDatabaseServer {
        var settings = PostgresServer.Settings()
        settings.parameters = [
            "max_connections": "\(connections)", "superuser_reserved_connections": "0",
            "max_wal_senders": "0",
        ]
        return try await UserDatabaseServer(on: PostgresServer(settings))
    }

    @Test func withoutAConnectionTheServerIsBusyAndRecovers() async throws {
        let server = try await crowdedServer(4)
        let first = try await TestProcess(server.login)
        let client = try await first.newClient()
        await first.pool?.close()
        // A process without any connection, as after its connections were replaced.
        let process = try await TestProcess(
            server.login, beside: first,
            settings: {
                $0.waitTimeout = .milliseconds(300)
                $0.connectionAgeMax = .zero
            })
        let here = client.at(process)
        var holders: [Holder] = []
        for _ in 0..<4 { holders.append(try await Holder(server)) }
        try await expectBusy { try await here.put("a") }
        try await expectBusy { try await here.get("a") }
        try await expectBusy { try await here.account("anonymous") }
        #expect(process.log.text.contains("busy"))
        for holder in holders { try await holder.release() }
        #expect(try await persistently("a connection") { try await here.put("a") }.isSuccess)
    }

    /// Two connections are what is left: they are kept, and serve all.
    @Test func theConnectionsThatAreLeftServeAll() async throws {
        let server = try await crowdedServer(5)
        let process = try await TestProcess(
            server.login,
            settings: {
                $0.connectionsMax = 8
                $0.waitTimeout = .seconds(60)
            })
        let client = try await process.newClient()
        var holders: [Holder] = []
        while holders.count < 3 { holders.append(try await Holder(server)) }
        let replies = try await withThrowingTaskGroup(of: TestClient.Reply.self) { group in
            for number in 0..<40 { group.addTask { try await client.put("r\(number)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.allSatisfy { $0.status == .created })
        let pool = try #require(process.pool)
        let status = pool.status
        #expect((1...2).contains(status.idle + status.inUse), "\(status)")
        for holder in holders { try await holder.release() }
    }

    // MARK: Slow

    /// A server that stands still accepts connections, and says nothing.
    @Test func aServerThatSaysNothingIsGivenUpInTime() async throws {
        let host = try PostgresServer()
        let server = try await UserDatabaseServer(on: host)
        var address = server.login
        address.connectTimeout = .seconds(2)
        let process = try await TestProcess(
            address, settings: { $0.replyTimeout = .seconds(2) })
        let client = try await process.newClient()
        #expect(try await persistently("it stores") { try await client.put("a") }.isSuccess)
        host.freeze()
        defer { host.thaw() }
        try await expectBusy(.unavailable) { try await client.put("b") }
        try await expectBusy(.unavailable) { try await client.get("a") }
        try await expectBusy(.unavailable) { try await client.account("anonymous") }
        try await eventually("it is not ready") {
            try await client.send(.get, "/health/ready").status == .serviceUnavailable
        }
        host.thaw()
        #expect(try await persistently("it goes on") { try await client.put("b") }.isSuccess)
    }

    /// What another session has locked is waited for, but not for long; nobody else waits.
    @Test(arguments: ["lock_timeout", "statement_timeout"])
    func aLockedAccountIsBusyAndTheOthersAreServed(parameter: String) async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        let (client, other) = (try await process.newClient(), try await process.newClient())
        try await server.set("lock_timeout", to: "0")
        try await server.set(parameter, to: "300ms")
        let user = client.tokens?.user ?? ""
        let holder = try await Holder(
            server, "SELECT FROM underway.account WHERE id = \(user) FOR UPDATE")
        try await expectBusy { try await client.put("a") }
        try await expectBusy { try await client.exchange("a") }
        try await expectBusy { try await client.account("revoke-all") }
        #expect(try await client.get("a").status == .notFound)
        #expect(try await other.put("a").status == .created)
        try await holder.release()
        #expect(try await client.put("a").status == .created)
    }

    /// Deletion waits for nobody for long, and goes on where it ended.
    @Test func aTableThatIsLockedIsBusy() async throws {
        let server = try await UserDatabaseServer()
        let process = try await TestProcess(server.login)
        let client = try await process.newClient()
        try await server.set("lock_timeout", to: "300ms")
        let holder = try await Holder(
            server, "LOCK TABLE underway.account IN ACCESS EXCLUSIVE MODE")
        try await expectBusy { try await client.get("a") }
        try await expectBusy { try await client.account("anonymous") }
        try await expectBusy {
            try await client.send(.delete, UserDataRoutes.accounts + "/account")
        }
        try await holder.release()
        let reply = try await client.send(.delete, UserDataRoutes.accounts + "/account")
        #expect(reply.status == .noContent)
    }
}
