import PostgresDriver
import Testing

@testable import Tables

/// Every table, operation and caller: rows of the user `u` are for `u` alone, whatever the program does.
@Suite struct RowSecurityTests {
    @Test func nobodyMeetsTheRowsOfAnotherUser() async throws {
        let matrix = try await RowMatrix()
        let found = try await matrix.violations(of: RowMatrix.tables)
        #expect(found == [])
    }

    /// A matrix that finds no hole proves nothing.
    @Test(arguments: RowMatrix.tables)
    func aHoleInATableIsFound(table: RowMatrix.Table) async throws {
        let matrix = try await RowMatrix()
        let name = PostgresStatement(sql: "underway.\(table.name)").sql
        try await matrix.users.execute("DROP POLICY own ON \(sql: name)")
        #expect(try await !matrix.violations(of: [table]).isEmpty, "no policy")
        try await matrix.users.execute(
            "CREATE POLICY own ON \(sql: name) TO authenticated USING (true) WITH CHECK (true)")
        #expect(try await !matrix.violations(of: [table]).isEmpty, "a policy for all")
        try await matrix.users.execute(
            "DROP POLICY own ON \(sql: name)",
            """
            CREATE POLICY own ON \(sql: name) TO authenticated
                USING (\(sql: table.own)) WITH CHECK (\(sql: table.own))
            """)
        let found = try await matrix.violations(of: [table])
        #expect(found == [], "the policy again")
        try await matrix.users.execute("ALTER TABLE \(sql: name) NO FORCE ROW LEVEL SECURITY")
        #expect(try await !matrix.violations(of: [table]).isEmpty, "not forced")
        try await matrix.users.execute("ALTER TABLE \(sql: name) DISABLE ROW LEVEL SECURITY")
        #expect(try await !matrix.violations(of: [table]).isEmpty, "disabled")
    }

    @Test func everyTableHasForcedRowSecurity() async throws {
        let users = try await PostgresUsers()
        let open = try await users.execute(
            """
            SELECT relname::text AS name FROM pg_class
            WHERE relnamespace = 'underway'::regnamespace AND relkind IN ('r', 'p')
                AND NOT (relrowsecurity AND relforcerowsecurity) AND relname <> 'migration'
            """)[0]
        #expect(try open.column("name", as: String.self) == [])
    }

    @Test func theLoginOwnsNothingAndBypassesNothing() async throws {
        let users = try await PostgresUsers()
        let results = try await users.execute(
            """
            SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolinherit AS is_strong
            FROM pg_roles WHERE rolname = 'underway_server'
            """,
            "SELECT count(*) AS things FROM pg_shdepend WHERE refobjid = 'underway_server'::regrole",
            "SELECT pg_has_role('underway_server', 'underway_owner', 'member') AS is_owner")
        #expect(try results[0].column("is_strong", as: Bool.self) == [false])
        #expect(try results[1].column("things", as: Int.self) == [0])
        #expect(try results[2].column("is_owner", as: Bool.self) == [false])
    }

    /// What no policy and no limit of the program binds, the login cannot make, whatever role it takes.
    @Test(arguments: ["none", "underway_accounts", "underway_keeper", "authenticated"])
    func theLoginMakesNoTemporaryAndNoLargeObjects(role: String) async throws {
        let users = try await PostgresUsers()
        for statement: PostgresStatement in [
            "CREATE TEMPORARY TABLE kept (id int)", "SELECT lo_create(0)", "SELECT lo_creat(-1)",
            "SELECT lo_from_bytea(0, 'x')",
        ] {
            let error = await #expect(throws: PostgresError.self) {
                try await users.pool().transaction { transaction in
                    try transaction.query("SELECT set_config('role', \(role), true)")
                    try transaction.query(statement)
                }
            }
            #expect(error?.code == .insufficientPrivilege, "\(statement)")
        }
    }

    /// The look-up is a part of each statement, by an index and once for all of its rows, and no request of its own.
    @Test func theDerivedAccountIsLookedUpOnceAStatement() async throws {
        let matrix = try await RowMatrix()
        let plan = try await matrix.users.pool().transaction { transaction in
            try transaction.query(UserClaims(of: "u").statement)
            // Two rows would be read without an index.
            try transaction.query("SET LOCAL enable_seqscan = off")
            return try transaction.query(
                "EXPLAIN (COSTS OFF) SELECT name FROM underway.device ORDER BY name"
            )
            .column("QUERY PLAN", as: String.self)
        }
        let text = plan.joined(separator: "\n")
        #expect(text.contains("account_user_id_key"), "\(text)")
        #expect(!text.contains("SubPlan"), "\(text)")
    }

    /// A statement without WHERE deletes nobody: accounts are erased by one function, which chooses deleted ones.
    @Test(arguments: ["underway_accounts", "underway_keeper", "authenticated"])
    func noRoleOfTheProgramDeletesAccounts(role: String) async throws {
        let users = try await PostgresUsers()
        let error = await #expect(throws: PostgresError.self) {
            try await users.pool().transaction { transaction in
                try transaction.query("SELECT set_config('role', \(role), true)")
                try transaction.query("DELETE FROM underway.account")
            }
        }
        #expect(error?.code == .insufficientPrivilege)
    }

    /// Views run with the rights of who asks, so a view leaks nothing either.
    @Test func viewsShowOwnRowsAlone() async throws {
        let matrix = try await RowMatrix()
        for view in [
            "answers_by_day", "answers_by_domain", "answers_by_difficulty", "study_streak",
            "retention",
        ] {
            let options = try await matrix.users.execute(
                """
                SELECT coalesce(array_to_string(reloptions, ','), '') AS options
                FROM pg_class WHERE oid = \("underway.\(view)")::regclass
                """
            )[0].column("options", as: String.self)
            #expect(options == ["security_invoker=true"], "\(view)")
        }
    }
}
