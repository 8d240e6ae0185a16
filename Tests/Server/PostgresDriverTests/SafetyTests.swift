import DatabaseTestSupport
import PostgresDriver
import Testing

/// Values stay values, and no error quotes a value or a password.
@Suite struct SafetyTests {
    static let attempts = [
        "'; DROP TABLE t; --", "\\'; DROP TABLE t; --", "$1", "$$; DROP TABLE t; $$", "1) OR (1=1",
        "\"; DROP TABLE t; --", "{\"a\": \"}\"}", "%_\\", "\u{2019}; DROP TABLE t", "/* */ --",
        "E'\\x41'", "NULL",
        "{1,2}", "\\N", "\t\n\r", "a,b\"c\\d{e}",
    ]

    @Test(arguments: attempts) func nothingInAValueIsSQL(text: String) async throws {
        try await withPool { pool in
            try await pool.query("CREATE TABLE t (text text, list text[], json jsonb)")
            try await pool.query(
                "INSERT INTO t VALUES (\(text), \([text, text]), jsonb_build_object('k', \(text)::text))"
            )
            try await pool.use { connection in
                _ = try connection.copyIn("COPY t (text) FROM STDIN") { try $0.write(row: [text]) }
            }
            let rows = try await pool.query(
                "SELECT text, list, json ->> 'k' AS json FROM t WHERE text = \(text) ORDER BY list NULLS LAST"
            )
            #expect(try rows.column("text", as: String.self) == [text, text])
            #expect(try rows[0].value("list", as: [String].self) == [text, text])
            #expect(try rows[0].value("json", as: String.self) == text)
            // A name is quoted, and a payload is a parameter.
            try await pool.query("CREATE TABLE \(identifier: text) (n int)")
            let tables = try await pool.query("SELECT FROM pg_class WHERE relname = \(text)")
            #expect(tables.count == 1)
            let claim = try await pool.transaction {
                try $0.query("SELECT set_config('a.claim', \(text), true) AS claim")[0].value(
                    "claim", as: String.self)
            }
            #expect(claim == text)
        }
    }

    @Test func noErrorQuotesAValueOrAStatement() async throws {
        let secret = "hunter2"
        try await withPool { pool in
            try await pool.query(
                "CREATE TABLE t (text text PRIMARY KEY CHECK (text <> 'hunter2'), n int)")
            try await pool.query("INSERT INTO t VALUES ('a')")
            let statements: [PostgresStatement] = [
                "INSERT INTO t VALUES (\(secret))", "SELECT \(secret)::int",
                "SELECT \(secret)::uuid",
                "SELECT \(secret)::jsonb", "DO $$ BEGIN RAISE 'hunter2 %', 'hunter2'; END $$",
                "SELECT hunter2", "CREATE ROLE r PASSWORD hunter2",
                "SELECT set_config(\(secret), \(secret), true)",
            ]
            for statement in statements {
                let error = await failure { try await pool.query(statement) }
                expectSecret(secret, isNotIn: error)
                #expect(error?.serverMessage != nil)
            }
        }
    }

    @Test func noFormOfAStatementShowsItsValues() {
        let statement: PostgresStatement = "SELECT \("hunter2"), \(Array("hunter2".utf8))"
        var dumped = ""
        dump(statement, to: &dumped)
        dump(statement.parameters, to: &dumped)
        for text in [
            "\(statement)", String(reflecting: statement), "\(statement.parameters)", dumped,
        ] {
            #expect(!text.contains("hunter2") && !text.contains("104"), "\(text)")
        }
        #expect("\(statement)" == "SELECT $1, $2")
    }

    @Test func noErrorQuotesThePassword() async throws {
        let server = try PostgresServer.shared()
        let secret = "hunter2"
        var down = server.address(password: secret)
        down.hosts = [PostgresAddress.Host("127.0.0.1", port: try freePort())]
        let expected: [(PostgresAddress, SQLState)] = [
            (server.address(password: secret), .invalidPassword),
            (server.address(user: "nobody", password: secret), .invalidPassword),
            (down, .cannotConnect),
        ]
        for (address, code) in expected {
            try await withPool(PoolSettings(address)) { pool in
                let error = await failure { try await pool.query("SELECT 1") }
                #expect(error?.code == code)
                #expect(error?.phase == .connecting)
                expectSecret(secret, isNotIn: error)
            }
        }
        let missing = await failure {
            try await withPool(PoolSettings(server.address("nothing"))) {
                try await $0.query("SELECT 1")
            }
        }
        #expect(missing?.code == .unknownDatabase)
        expectSecret(server.password, isNotIn: missing)
    }

    private func expectSecret(_ secret: String, isNotIn error: PostgresError?) {
        guard let error else { return #expect(Bool(false), "There was no error.") }
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped, "\(error as any Error)"] {
            #expect(!text.contains(secret), "\(text)")
        }
    }
}
