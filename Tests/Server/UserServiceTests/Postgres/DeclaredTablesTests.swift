import PostgresDriver
import Tables
import Testing

/// The declarations make what the migrations make, but for what was decided.
@Suite struct DeclaredTablesTests {
    /// What a catalog says of the tables, a line each.
    private static let queries = [
        """
        SELECT concat_ws(' ', 'table', c.relname, c.relpersistence, c.relrowsecurity,
            c.relforcerowsecurity, c.reloptions::text) FROM pg_class c WHERE \(tables)
        """,
        """
        SELECT concat_ws(' ', 'column', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
            a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
        WHERE \(tables) AND a.attnum > 0 AND NOT a.attisdropped
        """,
        """
        SELECT concat_ws(' ', 'constraint', c.relname, pg_get_constraintdef(o.oid))
        FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid WHERE \(tables) AND o.contype <> 'n'
        """,
        """
        SELECT concat_ws(' ', 'index', c.relname,
            regexp_replace(pg_get_indexdef(i.indexrelid), 'INDEX \\S+ ON', 'INDEX ON'))
        FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE \(tables)
        """,
        """
        SELECT concat_ws(' ', 'policy', c.relname, p.polname, p.polcmd, p.polpermissive,
            p.polroles::regrole[]::text, pg_get_expr(p.polqual, p.polrelid), '/',
            pg_get_expr(p.polwithcheck, p.polrelid))
        FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid WHERE \(tables)
        """,
        """
        SELECT concat_ws(' ', 'grant', c.relname, x.grantee::regrole, x.privilege_type)
        FROM pg_class c, aclexplode(c.relacl) x WHERE \(tables) AND x.grantee <> c.relowner
        """,
        """
        SELECT concat_ws(' ', 'grant', c.relname, a.attname, x.grantee::regrole, x.privilege_type)
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, aclexplode(a.attacl) x
        WHERE \(tables)
        """,
    ]
    private static let tables =
        "c.relnamespace = 'underway'::regnamespace AND c.relkind = 'r' AND c.relname <> 'migration'"

    /// The decided differences: what only the migrations have, and what only the declarations have.
    private static let decided: (former: Set<String>, declared: Set<String>) = (
        [
            "column device_content device smallint t ", "column event number integer t a",
            "column event_score event integer t ", "column event_submission event integer t ",
            "column failed_attempt window bigint t ",
            "constraint contributor PRIMARY KEY (account)",
            "constraint contributor UNIQUE (number)",
        ],
        [
            "column device_content device integer t ", "column event number bigint t a",
            "column event_score event bigint t ", "column event_submission event bigint t ",
            "column failed_attempt started_at bigint t ",
            "constraint contributor PRIMARY KEY (number)",
            "constraint contributor UNIQUE (account)",
        ]
    )

    private func catalog(_ users: PostgresUsers) async throws -> Set<String> {
        var lines: Set<String> = []
        for query in Self.queries {
            let results = try await users.execute(
                "SELECT set_config('search_path', 'pg_catalog', true)",
                PostgresStatement(sql: query + " ORDER BY 1"))
            lines.formUnion(try results[1].column("concat_ws", as: String.self))
        }
        return lines
    }

    @Test func theDeclarationsMakeTheTablesOfTheMigrations() async throws {
        let (migrated, declared) = (try await PostgresUsers([]), try await PostgresUsers([]))
        let names = try await declared.execute(
            """
            SELECT tablename::text AS name FROM pg_tables
            WHERE schemaname = 'underway' AND tablename <> 'migration'
            """)[0].column("name", as: String.self)
        #expect(Set(names) == Set(Table.all.map(\.name)))
        try await declared.execute(
            script: (names.map { "DROP TABLE underway.\($0) CASCADE;" } + [
                "SET ROLE underway_owner;"
            ]
                + Table.all.flatMap { $0.schema(.postgres) }).joined(separator: "\n"))
        let (former, new) = (try await catalog(migrated), try await catalog(declared))
        #expect(former.count > 700)
        // A note is never written by its user, so a check of what is written changes nothing.
        let notes = "policy regrade_note own"
        #expect(
            former.subtracting(new).filter { !$0.hasPrefix(notes) }.sorted()
                == Self.decided.former.sorted())
        #expect(
            new.subtracting(former).filter { !$0.hasPrefix(notes) }.sorted()
                == Self.decided.declared.sorted())
    }
}
