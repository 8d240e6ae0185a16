import DatabaseTestSupport
import PostgresDriver
import TestSupport
import Testing

/// A server that is killed, frozen, full, slow or read-only.
@Suite struct FaultTests {
    @Test func aServerThatIsKilledDuringAStatementLosesItAndThePoolRecovers() async throws {
        let server = try PostgresServer()
        try await withPool(on: server) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            let isRunning = Counter()
            let task = Task {
                try await pool.transaction(retry: .never) { transaction in
                    try transaction.query("INSERT INTO t VALUES (1)")
                    isRunning.add()
                    try transaction.query("SELECT pg_sleep(600)")
                }
            }
            try await eventually("the statement runs") { isRunning.value == 1 }
            server.kill()
            let error = await failure { try await task.value }
            #expect(error?.code.meansConnectionLost == true)
            #expect(error?.phase == .executing)
            #expect(error?.isOutcomeUnknown == false)
            let down = await failure { try await pool.query("SELECT 1") }
            #expect(down?.phase == .connecting)
            #expect(down?.code.meansConnectionLost == true)
            try server.start()
            let rows = try await pool.query("SELECT n FROM t")
            #expect(rows.isEmpty)
        }
    }

    /// COMMIT is on the disk, and its reply waits for a standby that never comes: then the server dies.
    @Test func aConnectionThatIsLostBetweenCommitAndReplyHasAnUnknownOutcome() async throws {
        var settings = PostgresServer.Settings()
        settings.syncsToDisk = true
        let server = try PostgresServer(settings)
        try await withPool(on: server) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            try await pool.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
            try await pool.query("SELECT pg_reload_conf()")
            try await eventually("the setting is read") {
                let rows = try await pool.query("SHOW synchronous_standby_names")
                return try rows[0].value("synchronous_standby_names", as: String.self) == "nobody"
            }
            let runs = Counter()
            let task = Task {
                try await pool.transaction { transaction in
                    runs.add()
                    try transaction.commit(after: ["INSERT INTO t VALUES (1)"])
                }
            }
            try await eventually("the commit waits for its standby") {
                try await pool.query("SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
                    .count == 1
            }
            server.kill()
            let error = await failure { try await task.value }
            #expect(error?.isOutcomeUnknown == true)
            #expect(error?.code.meansConnectionLost == true)
            // It was not repeated, and it was committed: a repetition would have been a second row.
            #expect(runs.value == 1)
            try server.start()
            let rows = try await pool.query("SELECT n FROM t")
            #expect(rows.count == 1)
        }
    }

    @Test func aTransactionIsRepeatedWhenItsConnectionIsLostBeforeTheCommit() async throws {
        let server = try PostgresServer()
        try await withPool(on: server) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            let runs = Counter()
            let address = pool.settings.address
            try await pool.transaction { transaction in
                try transaction.query("INSERT INTO t VALUES (1)")
                runs.add()
                if runs.value == 1 {
                    try transaction.query("SELECT pg_terminate_backend(pg_backend_pid())")
                }
            }
            #expect(runs.value == 2)
            let rows = try await pool.query("SELECT n FROM t")
            #expect(rows.count == 1)
            #expect(pool.settings.address == address)
        }
    }

    @Test func acknowledgedTransactionsSurviveAKillUnderLoad() async throws {
        var settings = PostgresServer.Settings()
        settings.syncsToDisk = true
        let server = try PostgresServer(settings)
        try await withPool(on: server) { pool in
            try await pool.query("CREATE TABLE t (n int PRIMARY KEY)")
            let acknowledged = Shared<Set<Int>>([])
            let refused = Shared<Set<Int>>([])
            await withTaskGroup(of: Void.self) { group in
                for task in 0..<8 {
                    group.addTask {
                        for step in 0..<1_000 {
                            let number = task * 1_000 + step
                            do {
                                try await pool.transaction(retry: .never) { transaction in
                                    try transaction.commit(after: [
                                        "INSERT INTO t VALUES (\(number))"
                                    ])
                                }
                                acknowledged.change { $0.insert(number) }
                            } catch let error as PostgresError {
                                if !error.isOutcomeUnknown { refused.change { $0.insert(number) } }
                                return
                            } catch {
                                return
                            }
                        }
                    }
                }
                group.addTask {
                    while acknowledged.value.count < 200 { await Task.yield() }
                    server.kill()
                }
            }
            try server.start()
            let found = Set(try await pool.query("SELECT n FROM t").column("n", as: Int.self))
            #expect(acknowledged.value.count >= 200)
            #expect(acknowledged.value.isSubset(of: found))
            #expect(refused.value.isDisjoint(with: found))
        }
    }

    /// Sessions are ended and tasks cancelled at random: what was acknowledged is there once, what failed is not, and
    /// only an unknown outcome may be either.
    @Test(arguments: [UInt64(1), 2]) func nothingIsLostOrDoubled(seed: UInt64) async throws {
        try await withPool(connectionsMax: 4) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            let outcomes = Shared<[Int32: Int]>([:])
            let workers = Counter()
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<8 {
                    group.addTask {
                        var random = SeededGenerator(seed: seed * 100 + UInt64(worker))
                        for step in 0..<60 {
                            let number = Int32(worker * 1_000 + step)
                            let isCancelled = Int.random(in: 0..<10, using: &random) == 0
                            let most = await Self.insert(number, isCancelled, pool)
                            outcomes.change { $0[number] = most }
                        }
                        workers.add()
                    }
                }
                group.addTask {
                    while workers.value < 8 {
                        // It may end its own session.
                        _ = try? await pool.query(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = current_database() ORDER BY random() LIMIT 1
                            """)
                    }
                }
            }
            let rows = try await pool.query("SELECT n, count(*) AS count FROM t GROUP BY n")
            let counts = Dictionary(
                uniqueKeysWithValues: zip(
                    try rows.column("n", as: Int32.self), try rows.column("count", as: Int.self)))
            #expect(outcomes.value.count == 480)
            for (number, outcome) in outcomes.value {
                let allowed = outcome == Self.unknown ? [0, 1] : [outcome]
                #expect(allowed.contains(counts[number] ?? 0), "seed \(seed), row \(number)")
            }
            #expect(outcomes.value.values.contains(1))
        }
    }

    private static let unknown = -1

    /// Inserts a row, and returns how many of it the table has; `unknown` if that cannot be said.
    private static func insert(_ number: Int32, _ isCancelled: Bool, _ pool: PostgresPool) async
        -> Int
    {
        let task = Task {
            try await pool.transaction { transaction in
                try transaction.query("SELECT count(*) FROM t")
                try transaction.commit(after: ["INSERT INTO t VALUES (\(number))"])
            }
        }
        if isCancelled { task.cancel() }
        switch await task.result {
        case .success: return 1
        case .failure(let error as PostgresError): return error.isOutcomeUnknown ? unknown : 0
        case .failure: return 0
        }
    }

    @Test func aServerThatSaysNothingIsGivenUp() async throws {
        let server = try PostgresServer()
        try await withPool(on: server) {
            $0.replyTimeout = .seconds(1)
        } _: { pool in
            try await eventually("it is used") { (try? await pool.query("SELECT 1"))?.count == 1 }
            server.freeze()
            let error = await failure { try await pool.query("SELECT 1") }
            server.thaw()
            #expect(error?.code == .replyOverdue)
            #expect(pool.status.idle == 0)
            try await eventually("it is used again") {
                (try? await pool.query("SELECT 1"))?.count == 1
            }
        }
    }

    @Test func tooManyConnectionsLeaveThePoolWithThoseThatItHas() async throws {
        var settings = PostgresServer.Settings()
        settings.parameters = [
            "max_connections": "5", "superuser_reserved_connections": "0", "max_wal_senders": "0",
        ]
        let server = try PostgresServer(settings)
        let address = try await server.newDatabase()
        try await withPool(PoolSettings(address)) { other in
            let gate = Gate()
            async let first: Void = other.use { _ in gate.wait() }
            async let second: Void = other.use { _ in gate.wait() }
            try await eventually("two of five are taken") { other.status.inUse == 2 }
            var wanting = PoolSettings(address)
            wanting.connectionsMax = 8
            wanting.waitTimeout = .seconds(60)
            try await withPool(wanting) { pool in
                let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 1...100 {
                        group.addTask {
                            try await pool.query("SELECT \(number) AS n, pg_sleep(0.002)")[0].value(
                                "n")
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(sum == 5_050)
                #expect(pool.status.idle == 3)
            }
            gate.open()
            _ = try await (first, second)
        }
    }

    @Test func aPoolWithoutAnyConnectionWaitsForOneAndThenReportsIt() async throws {
        var settings = PostgresServer.Settings()
        settings.parameters = [
            "max_connections": "1", "superuser_reserved_connections": "0", "max_wal_senders": "0",
        ]
        let server = try PostgresServer(settings)
        try await withPool(PoolSettings(server.address())) { other in
            let gate = Gate()
            let use = Task { try await other.use { _ in gate.wait() } }
            try await eventually("the only one is taken") { other.status.inUse == 1 }
            var poor = PoolSettings(server.address())
            poor.waitTimeout = .milliseconds(200)
            try await withPool(poor) { pool in
                let error = await failure { try await pool.query("SELECT 1") }
                #expect(error?.code == .tooManyConnections)
                #expect(error?.phase == .connecting)
            }
            poor.waitTimeout = .seconds(60)
            try await withPool(poor) { pool in
                async let rows = pool.query("SELECT 1 AS n")
                gate.open()
                try await use.value
                await other.close()
                #expect(try await rows.count == 1)
            }
        }
    }

    @Test func timeoutsAndReadOnlyHaveTheirCodes() async throws {
        try await withPool { pool in
            try await pool.query("CREATE TABLE t (n int)")
            let slow = await failure {
                try await pool.transaction { transaction in
                    try transaction.query("SET LOCAL statement_timeout = 20")
                    try transaction.query("SELECT pg_sleep(600)")
                }
            }
            #expect(slow?.code == .statementCancelled)
            let blocked = await failure { try await lockTimeout(pool) }
            #expect(blocked?.code == .lockNotAvailable)
            let readOnly = await failure {
                try await pool.use { connection in
                    try connection.query("SET default_transaction_read_only = on")
                    try connection.query("INSERT INTO t VALUES (1)")
                }
            }
            #expect(readOnly?.code == .readOnlyTransaction)
            // The session that could only read is gone.
            try await pool.query("INSERT INTO t VALUES (1)")
        }
    }

    /// Two sessions want one table; the second has 20 ms.
    private func lockTimeout(_ pool: PostgresPool) async throws {
        let (gate, isLocked) = (Gate(), Counter())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await pool.transaction { holder in
                    try holder.query("LOCK TABLE t")
                    isLocked.add()
                    gate.wait()
                }
            }
            try await eventually("the table is locked") { isLocked.value == 1 }
            defer { gate.open() }
            try await pool.transaction { transaction in
                try transaction.query("SET LOCAL lock_timeout = 20")
                try transaction.query("LOCK TABLE t")
            }
        }
    }

    @Test func aServerThatCannotWriteIsPassedOver() async throws {
        var settings = PostgresServer.Settings()
        settings.parameters = ["default_transaction_read_only": "on"]
        let (reader, writer) = (try PostgresServer(settings), try PostgresServer.shared())
        var address = reader.address()
        let other = writer.address()
        address.hosts += other.hosts
        address.sessionAttributes = .readWrite
        // Each host has its own password; the first refuses this one, and the next is asked.
        address.password = other.password
        try await withPool(PoolSettings(address)) { pool in
            let port = try await pool.query("SHOW port")[0].value("port", as: String.self)
            #expect(port == "\(writer.port)")
        }
    }
}
