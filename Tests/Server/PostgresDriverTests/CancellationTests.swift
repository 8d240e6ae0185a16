import DatabaseTestSupport
import Foundation
import PostgresDriver
import Testing

@Suite struct CancellationTests {
    /// Waits until a statement with a mark in it is running.
    private func isRunning(_ mark: String, _ pool: PostgresPool) async throws {
        try await eventually("\(mark) runs") {
            try await pool.query(
                "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE \("%/* \(mark) */%") AND pid <> pg_backend_pid()"
            ).isEmpty == false
        }
    }

    @Test func aCancelledTaskCancelsItsStatementAndTheConnectionGoesOn() async throws {
        try await withPool(connectionsMax: 2) { pool in
            let session = Counter()
            let task = Task {
                try await pool.use { connection in
                    session.add(connection.serverProcess)
                    try connection.query("SELECT pg_sleep(600) /* one */")
                }
            }
            try await isRunning("one", pool)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let active = try await pool.query(
                "SELECT FROM pg_stat_activity WHERE pid = \(session.value) AND state = 'active' AND pid <> pg_backend_pid()"
            )
            #expect(active.isEmpty)
            #expect(pool.status.idle == 2)
            // The connection itself is used again, and no late cancellation meets its next statements.
            for _ in 0..<50 { try await pool.pipeline(["SELECT 1", "SELECT 2"]) }
        }
    }

    @Test func aCancelledTransactionIsRolledBack() async throws {
        try await withPool(connectionsMax: 2) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            let task = Task {
                try await pool.transaction { transaction in
                    try transaction.query("INSERT INTO t VALUES (1)")
                    try transaction.query("SELECT pg_sleep(600) /* two */")
                }
            }
            try await isRunning("two", pool)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            let rows = try await pool.query("SELECT FROM t")
            #expect(rows.isEmpty)
            #expect(pool.status == PoolStatus(idle: 2, inUse: 0, connecting: 0, waiting: 0))
        }
    }

    @Test func nothingIsSentForATaskThatWasCancelledBefore() async throws {
        try await withPool { pool in
            let reached = Counter()
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await pool.use { connection in
                    try connection.query("CREATE TABLE t (n int)")
                    reached.add()
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(reached.value == 0)
            let tables = try await pool.query("SELECT FROM pg_class WHERE relname = 't'")
            #expect(tables.isEmpty)
        }
    }

    @Test func randomCancellationsNeverReachAnotherStatement() async throws {
        try await withPool(connectionsMax: 4) { pool in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    group.addTask {
                        let task = Task {
                            try await pool.query("SELECT pg_sleep(\(Double(number % 5) / 1000))")
                        }
                        if number.isMultiple(of: 2) {
                            await Task.yield()
                            task.cancel()
                            _ = await task.result
                        } else {
                            // A statement that nobody cancelled is never cancelled.
                            _ = try await task.value
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(pool.status.inUse == 0)
            #expect(pool.status.waiting == 0)
        }
    }

    @Test func connectingIsCancelled() async throws {
        // A server that accepts and never says anything.
        let listener = try SilentListener()
        var address = PostgresAddress(
            hosts: [PostgresAddress.Host("127.0.0.1", port: listener.port)], user: "u")
        address.connectTimeout = .seconds(600)
        try await withPool(PoolSettings(address)) { pool in
            let task = Task { try await pool.query("SELECT 1") }
            try await eventually("it connects") {
                listener.hasCaller && pool.status.connecting == 1
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(pool.status.connecting == 0)
        }
    }

    @Test func connectingEndsInTime() async throws {
        let listener = try SilentListener()
        var address = PostgresAddress(
            hosts: [PostgresAddress.Host("127.0.0.1", port: listener.port)], user: "u")
        address.connectTimeout = .milliseconds(100)
        try await withPool(PoolSettings(address)) { pool in
            let error = await failure { try await pool.query("SELECT 1") }
            #expect(error?.code == .replyOverdue)
            #expect(error?.phase == .connecting)
        }
    }

    @Test func aPoolThatClosesCancelsWhatLastsTooLong() async throws {
        try await withPool { watcher in
            let pool = PostgresPool(watcher.settings)
            let task = Task { try await pool.query("SELECT pg_sleep(600) /* three */") }
            try await isRunning("three", watcher)
            await pool.close(cancellingAfter: .milliseconds(10))
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }
}

/// A socket that accepts connections and says nothing.
private final class SilentListener: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        port = try freePort()
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        let descriptor = descriptor
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else {
            throw ProgramFailure(description: "The port is taken.")
        }
    }

    /// True when somebody waits to be accepted.
    var hasCaller: Bool {
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&watched, 1, 0) == 1
    }

    deinit { close(descriptor) }
}
