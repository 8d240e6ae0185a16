import DatabaseTestSupport
import PostgresDriver
import Testing

/// Everything that the storage needs works through PgBouncer in transaction mode.
@Suite struct PoolerTests {
    private func withPooler<Value>(
        _ change: (inout PoolSettings) -> Void = { _ in },
        _ body: (PostgresPool, PgBouncerServer) async throws -> Value
    ) async throws -> Value {
        let server = try PostgresServer.shared()
        let pooler = try PgBouncerServer(server, connectionsMax: 3)
        var settings = PoolSettings(pooler.address(try await server.newDatabase().database ?? ""))
        // A machine that runs many tests at once is slow, and no test here is about that.
        settings.waitTimeout = .seconds(60)
        change(&settings)
        return try await withPool(settings) { try await body($0, pooler) }
    }

    @Test func transactionsPipelinesAndCopiesWork() async throws {
        try await withPooler { pool, _ in
            try await pool.query("CREATE TABLE t (n int, text text)")
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...100 {
                    group.addTask {
                        try await pool.transaction { transaction in
                            let results = try transaction.pipeline([
                                "SELECT set_config('app.number', \("\(number)"), true)",
                                "SELECT current_setting('app.number')::bigint AS n",
                            ])
                            try transaction.commit(after: [
                                "INSERT INTO t SELECT unnest(\([Int32(number)])), 'x'"
                            ])
                            return try results[1][0].value("n", as: Int.self)
                        }
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 5_050)
            let copied = try await pool.transaction { transaction in
                try transaction.copyIn("COPY t FROM STDIN") { rows in
                    for number in 101...200 { try rows.write(row: ["\(number)", nil]) }
                }
            }
            #expect(copied == 100)
            let rows = try await pool.query("SELECT count(*) AS n FROM t")
            #expect(try rows[0].value("n", as: Int.self) == 200)
        }
    }

    @Test func aCancellationPassesThroughIt() async throws {
        try await withPooler { pool, _ in
            let task = Task { try await pool.query("SELECT pg_sleep(600) /* pooled */") }
            try await eventually("the statement runs") {
                try await pool.query(
                    "SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%/* pooled */' AND pid <> pg_backend_pid()"
                ).count == 1
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            for _ in 0..<50 { try await pool.query("SELECT 1") }
        }
    }

    @Test func namesAreGivenUpWhereThePoolerDoesNotKnowThem() async throws {
        try await withPooler {
            $0.statementNamesMax = 10
        } _: { pool, _ in
            for number in 1...50 {
                let read = try await pool.transaction { transaction in
                    try transaction.query("SELECT \(number) + 0 AS n")[0].value("n", as: Int.self)
                }
                #expect(read == number)
            }
        }
    }

    @Test func aPoolerThatIsKilledIsAConnectionThatIsLost() async throws {
        try await withPooler { pool, pooler in
            try await pool.query("SELECT 1")
            pooler.kill()
            let error = await failure { try await pool.query("SELECT 1") }
            #expect(error?.code.meansConnectionLost == true)
            try pooler.start()
            let rows = try await pool.query("SELECT 1 AS n")
            #expect(rows.count == 1)
        }
    }
}
