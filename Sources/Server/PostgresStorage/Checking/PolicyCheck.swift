import PostgresDriver
import UserService

/// The policies of the users' tables beside those that the migrations make.
struct PolicyCheck: Sendable {
    private var policies: Set<RowPolicy> = []
    private var tables: Set<String> = []
    private var unguarded: [String] = []

    /// Reads the catalogs, which everybody may.
    init(_ connection: PostgresConnection) throws {
        // The text of a condition depends on the search path.
        let rows = try connection.pipeline([
            "SELECT set_config('search_path', 'pg_catalog', true)",
            """
            SELECT c.relname::text AS table_name, c.relrowsecurity AND c.relforcerowsecurity AS is_guarded,
                p.polname::text AS name, p.polcmd::text AS command, p.polpermissive AS is_permissive,
                ARRAY(SELECT CASE r WHEN 0 THEN 'public' ELSE pg_get_userbyid(r)::text END
                    FROM unnest(p.polroles) r) AS roles,
                pg_get_expr(p.polqual, p.polrelid) AS visible,
                pg_get_expr(p.polwithcheck, p.polrelid) AS writable
            FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
            WHERE c.relnamespace = 'underway'::regnamespace AND c.relkind IN ('r', 'p')
                AND c.relname <> 'migration'
            """,
        ])[1]
        for row in rows {
            let table: String = try row.value("table_name")
            if tables.insert(table).inserted, try !row.value("is_guarded", as: Bool.self) {
                unguarded.append(table)
            }
            guard let name = try row.value("name", as: String?.self) else { continue }
            policies.insert(
                RowPolicy(
                    table, name, RowPolicy.Command(rawValue: try row.value("command")) ?? .all,
                    to: try row.value("roles"), visible: try row.value("visible"),
                    writable: try row.value("writable"),
                    isPermissive: try row.value("is_permissive")))
        }
    }

    /// Compares the tables with the expected ones.
    ///
    /// - Parameter allowsFurther: True when a later version may have added tables and policies.
    /// - Returns: A finding for each difference.
    func findings(allowsFurther: Bool) -> [DatabaseFinding] {
        let known = Set(RowPolicy.expected.map(\.place))
        let present = Set(policies.map(\.place))
        let knownTables = Set(RowPolicy.expected.map(\.table))
        return unguarded.filter { !allowsFurther || knownTables.contains($0) }.sorted().map {
            table in
            finding(
                table, "Row level security is not enabled and forced.",
                "Run as its owner: ALTER TABLE underway.\(table) ENABLE ROW LEVEL SECURITY; ALTER TABLE"
                    + " underway.\(table) FORCE ROW LEVEL SECURITY;")
        }
            + RowPolicy.expected.filter { !policies.contains($0) }.map { policy in
                let isThere = present.contains(policy.place)
                return finding(
                    policy.table,
                    "The policy \(policy.name) is \(isThere ? "another one" : "missing").",
                    (isThere ? "Drop it, and run" : "Run") + " as the owner: \(policy.statement)")
            }
            + policies.filter { !allowsFurther && !known.contains($0.place) }
            .sorted { $0.place < $1.place }
            .map { policy in
                finding(
                    policy.table, "The policy \(policy.name) is not of this program.",
                    "Run as its owner: DROP POLICY \(PostgresStatement("\(identifier: policy.name)").sql)"
                        + " ON underway.\(policy.table);")
            }
    }

    private func finding(_ table: String, _ problem: String, _ remedy: String) -> DatabaseFinding {
        DatabaseFinding(.policy, "table underway.\(table)", problem, remedy: remedy)
    }
}
