import PostgresDriver

/// Everything that migrations make in a database, as texts that two databases can be compared by.
struct Catalog: Hashable, Sendable {
    let lines: Set<String>

    /// Reads the catalogs as superuser.
    init(_ users: PostgresUsers) async throws {
        var lines: Set<String> = []
        for (kind, query) in Self.queries {
            let statement = PostgresStatement(sql: query)
            let results = try await users.execute(
                "SELECT set_config('search_path', 'pg_catalog', true)", statement)
            for text in try results[1].column("line", as: String?.self) {
                lines.insert("\(kind) \(text ?? "?")")
            }
        }
        self.lines = lines
    }

    /// The lines that only one of two databases has.
    func differences(from other: Catalog) -> [String] {
        lines.subtracting(other.lines).sorted().map { "only first: \($0)" }
            + other.lines.subtracting(lines).sorted().map { "only second: \($0)" }
    }

    private static let schemas = "('underway', 'content', 'auth')"

    /// The privileges in a list, in an order of their own; `fallback` are those of NULL.
    private static func privileges(_ list: String, _ fallback: String) -> String {
        """
        (SELECT string_agg(format('%s=%s%s', CASE x.grantee WHEN 0 THEN 'public'
                ELSE pg_get_userbyid(x.grantee)::text END, x.privilege_type,
                CASE WHEN x.is_grantable THEN '*' ELSE '' END), ' ' ORDER BY x.grantee::regrole::text,
                x.privilege_type)
            FROM aclexplode(coalesce(\(list), \(fallback))) x)
        """
    }

    private static let queries: [(kind: String, query: String)] = [
        (
            "schema",
            """
            SELECT concat_ws(' ', n.nspname, pg_get_userbyid(n.nspowner),
                \(privileges("n.nspacl", "acldefault('n', n.nspowner)"))) AS line
            FROM pg_namespace n WHERE n.nspname IN \(schemas)
            """
        ),
        (
            "relation",
            """
            SELECT concat_ws(' ', n.nspname, c.relname, c.relkind, c.relpersistence,
                pg_get_userbyid(c.relowner), c.relrowsecurity, c.relforcerowsecurity,
                array_to_string(c.reloptions, ','),
                \(privileges("c.relacl", "acldefault(CASE c.relkind WHEN 'S' THEN 's'::\"char\" ELSE 'r' END, c.relowner)")))
                AS line
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN \(schemas) AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
            """
        ),
        (
            "column",
            """
            SELECT concat_ws(' ', a.attrelid::regclass, a.attnum, a.attname,
                format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
                a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid),
                \(privileges("a.attacl", "acldefault('c', c.relowner)"))) AS line
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace
                LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            WHERE n.nspname IN \(schemas) AND c.relkind IN ('r', 'p', 'v') AND a.attnum > 0
                AND NOT a.attisdropped
            """
        ),
        (
            "constraint",
            """
            SELECT concat_ws(' ', c.conrelid::regclass, c.conname, c.convalidated,
                pg_get_constraintdef(c.oid)) AS line
            FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
            WHERE n.nspname IN \(schemas)
            """
        ),
        (
            "index",
            """
            SELECT concat_ws(' ', pg_get_indexdef(i.indexrelid), i.indisvalid) AS line
            FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN \(schemas)
            """
        ),
        (
            "function",
            """
            SELECT concat_ws(' ', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner),
                \(privileges("p.proacl", "acldefault('f', p.proowner)"))) AS line
            FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
            WHERE n.nspname IN \(schemas)
            """
        ),
        (
            "policy",
            """
            SELECT concat_ws(' ', p.polrelid::regclass, p.polname, p.polcmd, p.polpermissive,
                (SELECT string_agg(pg_get_userbyid(r), ',' ORDER BY pg_get_userbyid(r))
                    FROM unnest(p.polroles) r),
                pg_get_expr(p.polqual, p.polrelid), '/', pg_get_expr(p.polwithcheck, p.polrelid))
                AS line
            FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname IN \(schemas)
            """
        ),
        (
            "trigger",
            """
            SELECT pg_get_triggerdef(t.oid) AS line
            FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
                JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN \(schemas) AND NOT t.tgisinternal
            """
        ),
        (
            "view",
            """
            SELECT concat_ws(' ', c.oid::regclass, pg_get_viewdef(c.oid)) AS line
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN \(schemas) AND c.relkind = 'v'
            """
        ),
        (
            "migration",
            """
            SELECT concat_ws(' ', name, checksum, is_breaking) AS line FROM underway.migration
            """
        ),
    ]
}
