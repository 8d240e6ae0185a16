import DatabaseTestSupport
import PostgresDriver
import Testing

@Suite struct TransactionTests {
    private func withTable<Value>(
        _ change: (inout PoolSettings) -> Void = { _ in },
        _ body: (PostgresPool) async throws -> Value
    ) async throws -> Value {
        try await withPool(change) { pool in
            try await pool.query("CREATE TABLE t (n int PRIMARY KEY, m int NOT NULL DEFAULT 0)")
            return try await body(pool)
        }
    }

    private func numbers(_ pool: PostgresPool) async throws -> [Int] {
        try await pool.query("SELECT n FROM t ORDER BY n").column("n")
    }

    @Test func whatReturnsIsCommittedAndWhatThrowsIsNot() async throws {
        struct Refused: Error {}
        try await withTable { pool in
            try await pool.transaction { _ = try $0.query("INSERT INTO t VALUES (1)") }
            await #expect(throws: Refused.self) {
                try await pool.transaction { transaction in
                    try transaction.query("INSERT INTO t VALUES (2)")
                    throw Refused()
                }
            }
            let found = try await numbers(pool)
            #expect(found == [1])
            #expect(pool.status.idle == 1)
        }
    }

    @Test func aTransactionOfTwoRoundTripsReadsThenWritesAndCommits() async throws {
        try await withTable { pool in
            let count = try await pool.transaction { transaction in
                let results = try transaction.pipeline([
                    "SELECT set_config('request.claim', \("7"), true)",
                    "SELECT count(*) AS n FROM t",
                ])
                let count = try results[1][0].value("n", as: Int.self)
                let written = try transaction.commit(after: [
                    "INSERT INTO t VALUES (\(count + 1)) RETURNING current_setting('request.claim') AS claim"
                ])
                return try written[0][0].value("claim", as: String.self)
            }
            #expect(count == "7")
            let found = try await numbers(pool)
            #expect(found == [1])
        }
    }

    @Test func isolationAndReadOnlyReachTheServer() async throws {
        try await withTable { pool in
            let level = try await pool.transaction(
                TransactionOptions(isolation: .serializable, isReadOnly: true, isDeferrable: true)
            ) {
                try $0.query("SHOW transaction_isolation")[0].value(
                    "transaction_isolation", as: String.self)
            }
            #expect(level == "serializable")
            let error = await failure {
                try await pool.transaction(TransactionOptions(isReadOnly: true)) {
                    _ = try $0.query("INSERT INTO t VALUES (1)")
                }
            }
            #expect(error?.code == .readOnlyTransaction)
        }
    }

    @Test func conflictsAreRepeatedUntilTheyEnd() async throws {
        try await withTable { pool in
            try await pool.query("INSERT INTO t VALUES (1, 0)")
            let runs = Counter()
            var patient = RetryPolicy()
            patient.conflictsMax = 100
            let policy = patient
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await pool.transaction(
                            TransactionOptions(isolation: .serializable), retry: policy
                        ) { transaction in
                            runs.add()
                            let m = try transaction.query("SELECT m FROM t WHERE n = 1")[0].value(
                                "m", as: Int32.self)
                            try transaction.query("UPDATE t SET m = \(m + 1) WHERE n = 1")
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try await pool.query("SELECT m FROM t")
            #expect(try rows.column("m", as: Int.self) == [20])
            #expect(runs.value >= 20)
        }
    }

    @Test func aConflictThatDoesNotEndIsReportedAfterThreeRepetitions() async throws {
        try await withTable { pool in
            let runs = Counter()
            let error = await failure {
                try await pool.transaction { transaction in
                    runs.add()
                    try transaction.query("DO $$ BEGIN RAISE SQLSTATE '40001'; END $$")
                }
            }
            #expect(error?.code == .serializationFailure)
            #expect(runs.value == 4)
        }
    }

    @Test func aSavepointIsUndoneAlone() async throws {
        try await withTable { pool in
            try await pool.transaction { transaction in
                try transaction.query("INSERT INTO t VALUES (1)")
                do {
                    try transaction.savepoint {
                        try transaction.query("INSERT INTO t VALUES (2)")
                        try transaction.query("INSERT INTO t VALUES (1)")
                    }
                    Issue.record("The duplicate was accepted.")
                } catch let error as PostgresError {
                    #expect(error.code == .uniqueViolation)
                    #expect(error.constraint == "t_pkey")
                }
                try transaction.savepoint { _ = try transaction.query("INSERT INTO t VALUES (3)") }
            }
            let found = try await numbers(pool)
            #expect(found == [1, 3])
        }
    }

    @Test func aSwallowedFailureIsNoCommit() async throws {
        try await withTable { pool in
            let error = await failure {
                try await pool.transaction { transaction in
                    try transaction.query("INSERT INTO t VALUES (1)")
                    _ = try? transaction.query("SELECT nothing")
                }
            }
            #expect(error?.code == .transactionFailed)
            #expect(error?.isOutcomeUnknown == false)
            let found = try await numbers(pool)
            #expect(found == [])
        }
    }

    @Test func aConstraintThatFailsAtTheCommitIsAFailureOfItsOwn() async throws {
        try await withTable { pool in
            try await pool.query(
                "CREATE TABLE child (n int REFERENCES t DEFERRABLE INITIALLY DEFERRED)")
            let error = await failure {
                try await pool.transaction { _ = try $0.query("INSERT INTO child VALUES (9)") }
            }
            #expect(error?.code == .foreignKeyViolation)
            #expect(error?.constraint == "child_n_fkey")
            #expect(error?.isOutcomeUnknown == false)
        }
    }

    @Test func aTransactionThatAUseLeavesOpenIsRolledBack() async throws {
        try await withTable { pool in
            try await pool.use { _ = try $0.pipeline(["BEGIN", "INSERT INTO t VALUES (1)"]) }
            #expect(pool.status.idle == 1)
            let found = try await numbers(pool)
            #expect(found == [])
        }
    }

    @Test func aScriptIsAPartOfItsTransaction() async throws {
        try await withTable { pool in
            let error = await failure {
                try await pool.transaction { transaction in
                    try transaction.execute(
                        script: "CREATE TABLE u (n int); INSERT INTO t VALUES (1);")
                    try transaction.query("SELECT 1 / 0")
                }
            }
            #expect(error?.code == SQLState(rawValue: "22012"))
            let found = try await numbers(pool)
            #expect(found == [])
            try await pool.transaction { transaction in
                try transaction.execute(script: "CREATE TABLE u (n int); INSERT INTO t VALUES (1);")
                let rows = try transaction.query("SELECT count(*) AS n FROM u")
                #expect(try rows[0].value("n", as: Int.self) == 0)
            }
            let after = try await numbers(pool)
            #expect(after == [1])
        }
    }

    @Test func claimsEndWithTheirTransaction() async throws {
        try await withTable { pool in
            try await pool.transaction {
                _ = try $0.query("SELECT set_config('a.claim', 'x', true)")
            }
            let rows = try await pool.query("SELECT current_setting('a.claim', true) AS claim")
            #expect(try rows[0].value("claim", as: String?.self) ?? "" == "")
        }
    }
}
