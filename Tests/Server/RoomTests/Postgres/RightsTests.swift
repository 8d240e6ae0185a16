import Foundation
import PostgresDriver
import TestSupport
import Testing

/// Who may read and write what, and what each table refuses, beside the list that was reviewed.
///
/// The list is not made of the declarations, so that one that is weakened is seen here. Where a change is meant, the
/// lines below go into the file with it.
@Suite struct RightsTests {
    static let query = """
        SELECT line FROM (
            SELECT concat_ws(' ', 'policy', c.relname, p.polname, p.polcmd, p.polpermissive,
                p.polroles::regrole[]::text,
                regexp_replace(pg_get_expr(p.polqual, p.polrelid), '\\s+', ' ', 'g'), '/',
                regexp_replace(pg_get_expr(p.polwithcheck, p.polrelid), '\\s+', ' ', 'g')) AS line
            FROM pg_policy p JOIN pg_class c ON c.oid = p.polrelid
            WHERE c.relnamespace = 'underway'::regnamespace
            UNION ALL
            SELECT concat_ws(' ', 'forced', relname, relrowsecurity, relforcerowsecurity) FROM pg_class
            WHERE relnamespace = 'underway'::regnamespace AND relkind = 'r'
            UNION ALL
            SELECT concat_ws(' ', 'grant', c.relname, x.grantee::regrole, x.privilege_type)
            FROM pg_class c, aclexplode(c.relacl) x
            WHERE c.relnamespace = 'underway'::regnamespace AND x.grantee <> c.relowner
            UNION ALL
            SELECT concat_ws(' ', 'grant', c.relname, a.attname, x.grantee::regrole, x.privilege_type)
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid, aclexplode(a.attacl) x
            WHERE c.relnamespace = 'underway'::regnamespace
            UNION ALL
            SELECT concat_ws(' ', 'execute', p.proname, p.prosecdef, p.proacl::text) FROM pg_proc p
            WHERE p.pronamespace = 'underway'::regnamespace
            UNION ALL
            SELECT concat_ws(' ', 'view', relname, reloptions::text) FROM pg_class
            WHERE relnamespace = 'underway'::regnamespace AND relkind = 'v'
            UNION ALL
            SELECT concat_ws(' ', 'member', r.rolname, m.rolname) FROM pg_auth_members a
                JOIN pg_roles r ON r.oid = a.roleid JOIN pg_roles m ON m.oid = a.member
            WHERE m.rolname = 'underway_server' OR m.rolname = 'authenticated'
            UNION ALL
            SELECT concat_ws(' ', 'constraint', c.relname,
                regexp_replace(pg_get_constraintdef(o.oid), '\\s+', ' ', 'g'))
            FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
            WHERE c.relnamespace = 'underway'::regnamespace AND o.contype <> 'n'
        ) AS lines ORDER BY line COLLATE "C"
        """

    @Test func rightsAndRefusalsAreThoseThatWereReviewed() async throws {
        let users = try await PostgresUsers([])
        let results = try await users.execute(
            "SELECT set_config('search_path', 'pg_catalog', true)",
            PostgresStatement(sql: Self.query))
        let found = try results[1].column("line", as: String.self)
        let file = try String(contentsOf: fixture("Databases/rights.txt"), encoding: .utf8)
        let reviewed = file.split(separator: "\n").map(String.init)
        #expect(found.count > 500)
        #expect(Set(found).subtracting(reviewed).sorted() == [], "further than reviewed")
        #expect(Set(reviewed).subtracting(found).sorted() == [], "reviewed, and missing")
    }
}
