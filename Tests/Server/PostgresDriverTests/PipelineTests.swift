import DatabaseTestSupport
import PostgresDriver
import Testing

@Suite struct PipelineTests {
    @Test func eachStatementHasItsResult() async throws {
        try await withPool { pool in
            let results = try await pool.pipeline([
                "CREATE TABLE t (n int)", "INSERT INTO t VALUES (1), (2)",
                "SELECT n FROM t ORDER BY n", "",
            ])
            #expect(results.map(\.commandTag) == ["CREATE TABLE", "INSERT 0 2", "SELECT 2", ""])
            #expect(results[1].affectedRows == 2)
            #expect(try results[2].column("n", as: Int.self) == [1, 2])
        }
    }

    @Test func anErrorInTheMiddleSkipsTheRestAndUndoesTheStart() async throws {
        try await withPool { pool in
            try await pool.query("CREATE TABLE t (n int CONSTRAINT positive CHECK (n > 0))")
            let statements: [PostgresStatement] = [
                "INSERT INTO t VALUES (\(1))", "INSERT INTO t VALUES (\(-1))",
                "INSERT INTO t VALUES (\(2))",
            ]
            let outcomes = try await pool.use { try $0.outcomes(of: statements) }
            guard case .result = outcomes[0], case .failure(let error) = outcomes[1],
                case .skipped = outcomes[2]
            else { return #expect(Bool(false), "\(outcomes)") }
            #expect(error.code == .checkViolation)
            #expect(error.constraint == "positive")
            #expect(error.table == "t")
            #expect(error.schema == "public")
            #expect(error.statementIndex == 1)
            let thrown = await failure { try await pool.pipeline(statements) }
            #expect(thrown?.statementIndex == 1)
            #expect(try await pool.query("SELECT FROM t").isEmpty)
            #expect(pool.status == PoolStatus(idle: 1, inUse: 0, connecting: 0, waiting: 0))
        }
    }

    @Test func aPipelineLargerThanAllBuffersIsNoDeadlock() async throws {
        try await withPool { pool in
            let text = String(repeating: "x", count: 200_000)
            let statements = (0..<200).map { _ in
                "SELECT \(text)::text AS text" as PostgresStatement
            }
            let results = try await pool.pipeline(statements)
            #expect(
                try results.allSatisfy {
                    try $0[0].value("text", as: String.self).utf8.count == 200_000
                })
        }
    }

    @Test func copyInAPipelineIsRefusedAndTheConnectionReplaced() async throws {
        try await withPool { pool in
            let refusal = await failure { try await pool.query("COPY pg_class TO STDOUT") }
            #expect(refusal?.code == .misplacedStatement)
            let rows = try await pool.query("SELECT 1 AS n")
            #expect(rows.count == 1)
        }
    }

    @Test func aScriptIsOneTransaction() async throws {
        try await withPool { pool in
            try await pool.use {
                try $0.execute(script: "CREATE TABLE t (n int); INSERT INTO t VALUES (1)")
            }
            let error = await failure {
                try await pool.use {
                    try $0.execute(script: "INSERT INTO t VALUES (2); SELECT nothing")
                }
            }
            #expect(error?.code == .undefinedColumn)
            #expect(try await pool.query("SELECT n FROM t").count == 1)
        }
    }

    @Test func namesAreUsedOnlyWhenTheyAreTurnedOn() async throws {
        for (max, expected) in [(0, 0), (2, 2)] {
            try await withPool(connectionsMax: 1, { $0.statementNamesMax = max }) { pool in
                for round in 1...3 {
                    for sum in ["$1 + 1", "$1 + 2", "$1 + 3"] {
                        let rows = try await pool.query(
                            PostgresStatement(sql: "SELECT \(sum) AS n", [PostgresValue(round)]))
                        #expect(try rows[0].value("n", as: Int.self) > round)
                    }
                }
                let names = try await pool.query(
                    "SELECT name FROM pg_prepared_statements WHERE name <> ''")
                #expect(names.count == expected)
            }
        }
    }

    @Test func anOutdatedPlanIsRepeatedWithoutNames() async throws {
        try await withPool(connectionsMax: 1, { $0.statementNamesMax = 10 }) { pool in
            try await pool.query("CREATE TABLE t (n int)")
            try await pool.query("INSERT INTO t VALUES (1)")
            let read: @Sendable (PostgresTransaction) throws -> Int = {
                try $0.query("SELECT * FROM t WHERE n = \(1)").columns.count
            }
            #expect(try await pool.transaction { try read($0) } == 1)
            try await pool.query("ALTER TABLE t ADD COLUMN m int")
            #expect(try await pool.transaction { try read($0) } == 2)
            // The statement has a new name now, without another repetition.
            #expect(try await pool.transaction(retry: .never) { try read($0) } == 2)
        }
    }
}
