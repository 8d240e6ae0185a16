import DatabaseTestSupport
import PostgresDriver
import Testing

@Suite struct PoolTests {
    @Test func twoHundredTasksShareFourConnections() async throws {
        try await withPool(connectionsMax: 4) { pool in
            let most = Shared((now: 0, most: 0))
            let sessions = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<200 {
                    group.addTask {
                        try await pool.use { connection in
                            most.change { count in
                                count.now += 1
                                count.most = max(count.most, count.now)
                            }
                            defer { most.change { $0.now -= 1 } }
                            return try connection.query("SELECT pg_backend_pid() AS pid")[0].value(
                                "pid", as: Int.self)
                        }
                    }
                }
                return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            }
            #expect(most.value.most <= 4)
            #expect(sessions.count <= 4)
            #expect(pool.status.idle == sessions.count)
            #expect(pool.status.waiting == 0)
        }
    }

    @Test func whoeverCameFirstIsServedFirst() async throws {
        try await withPool(connectionsMax: 1) { pool in
            let gate = Gate()
            let order = Shared<[Int]>([])
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.use { _ in gate.wait() } }
                try await eventually("the connection is in use") { pool.status.inUse == 1 }
                for number in 0..<20 {
                    group.addTask {
                        try await pool.use { _ in order.change { $0.append(number) } }
                    }
                    try await eventually("task \(number) waits") {
                        pool.status.waiting == number + 1
                    }
                }
                gate.open()
                try await group.waitForAll()
            }
            #expect(order.value == Array(0..<20))
        }
    }

    @Test func whoeverWaitsTooLongOrInTooLongAQueueIsRefused() async throws {
        try await withPool(connectionsMax: 1) {
            $0.waitTimeout = .milliseconds(50)
            $0.waitersMax = 1
        } _: { pool in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.use { _ in gate.wait() } }
                try await eventually("the connection is in use") { pool.status.inUse == 1 }
                let overdue = await failure { try await pool.query("SELECT 1") }
                #expect(overdue?.code == .poolBusy)
                #expect(overdue?.phase == .waiting)
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func aCancelledTaskLeavesTheQueue() async throws {
        try await withPool(connectionsMax: 1) { pool in
            let gate = Gate()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await pool.use { _ in gate.wait() } }
                try await eventually("the connection is in use") { pool.status.inUse == 1 }
                let waiter = Task { try await pool.query("SELECT 1") }
                try await eventually("it waits") { pool.status.waiting == 1 }
                waiter.cancel()
                await #expect(throws: CancellationError.self) { try await waiter.value }
                #expect(pool.status.waiting == 0)
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func aClosedPoolLetsItsUsersFinish() async throws {
        let settings = PoolSettings(try await PostgresServer.shared().newDatabase())
        let pool = PostgresPool(settings)
        let gate = Gate()
        let closed = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await pool.use { connection in
                    gate.wait()
                    _ = try connection.query("SELECT 1")
                    #expect(closed.value == 0)
                }
            }
            try await eventually("the connection is in use") { pool.status.inUse == 1 }
            group.addTask {
                await pool.close()
                closed.add()
            }
            try await eventually("new callers are refused") {
                await failure { try await pool.query("SELECT 1") }?.code == .poolClosed
            }
            gate.open()
            try await group.waitForAll()
        }
        await pool.close()
        #expect(pool.status == PoolStatus(idle: 0, inUse: 0, connecting: 0, waiting: 0))
        try await eventually("the server has no session of it") {
            try await withPool(PoolSettings(PostgresServer.shared().socketAddress())) { pool in
                let rows = try await pool.query(
                    "SELECT FROM pg_stat_activity WHERE datname = \(settings.address.database)")
                return rows.isEmpty
            }
        }
    }

    @Test func anIdleConnectionThatTheServerEndedIsReplaced() async throws {
        let server = try PostgresServer.shared()
        try await withPool(connectionsMax: 2) { pool in
            let gate = Gate()
            // Two connections, both idle in the end.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<2 { group.addTask { try await pool.use { _ in gate.wait() } } }
                try await eventually("both are in use") { pool.status.inUse == 2 }
                gate.open()
                try await group.waitForAll()
            }
            try await withPool(PoolSettings(server.socketAddress())) { other in
                try await other.query(
                    """
                    SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
                    WHERE datname = \(pool.settings.address.database)
                    """)
            }
            let rows = try await pool.query("SELECT 1 AS n")
            #expect(rows.count == 1)
        }
    }

    @Test func aConnectionThatRestedIsAskedFirst() async throws {
        try await withPool(connectionsMax: 1) {
            $0.idleCheckAfter = .zero
        } _: { pool in
            for _ in 0..<3 { try await pool.query("SELECT 1") }
            #expect(pool.status.idle == 1)
        }
    }

    @Test func anOldConnectionIsReplaced() async throws {
        try await withPool(connectionsMax: 1) {
            $0.connectionAgeMax = .zero
        } _: { pool in
            var sessions: Set<Int> = []
            for _ in 0..<3 { sessions.insert(try await pool.use { $0.serverProcess }) }
            #expect(sessions.count == 3)
            #expect(pool.status.idle == 0)
        }
    }
}
