import PostgresDriver
import Tables
import UserService

/// The users' tables beside their declarations.
///
/// The texts of checks are not compared: PostgreSQL writes them in its own way.
struct SchemaCheck: Sendable {
    private static let declared = Table.all.flatMap(\.entries)
    private static let known = Set(declared.map(\.entry.place))

    private let found: [CatalogEntry]
    private let places: Set<CatalogEntry.Place>

    /// Reads the catalogs, which everybody may.
    init(_ connection: PostgresConnection) throws {
        // The text of a condition depends on the search path.
        let rows = try connection.pipeline([
            "SELECT set_config('search_path', 'pg_catalog', true)",
            PostgresStatement(sql: Self.catalogs),
        ])[1]
        found = try rows.map { row in
            CatalogEntry(
                try row.value("table_name"),
                CatalogEntry.Kind(rawValue: try row.value("kind")) ?? .table,
                try row.value("name"), try row.value("form"))
        }
        places = Set(found.map(\.place))
    }

    /// Compares the tables with their declarations.
    ///
    /// - Parameter allowsFurther: True when a later version may have added something.
    /// - Returns: A finding for each difference.
    func findings(allowsFurther: Bool) -> [DatabaseFinding] {
        let present = Set(found)
        let tables = Set(places.map(\.table))
        let differences = Self.declared.filter { one in
            !present.contains(one.entry)
                // A table that is missing is one finding.
                && (one.entry.place.kind == .table || tables.contains(one.entry.place.table))
        }
        let (known, names) = (Self.known, Set(Table.all.map(\.name)))
        let further = found.map(\.place).filter { place in
            guard !allowsFurther, !known.contains(place) else { return false }
            // What an administrator adds for speed harms nobody; who else may read or write does.
            return place.kind == .table || names.contains(place.table) && place.kind.isRight
        }
        return differences.map(difference) + further.map(Self.addition)
    }

    private func difference(_ one: DeclaredEntry) -> DatabaseFinding {
        let place = one.entry.place
        guard places.contains(place) else {
            let loss =
                [.table, .column].contains(place.kind)
                ? " What was in it is in a backup alone." : ""
            return Self.finding(
                place, "\(place.title) is missing.\(loss)", "Run as its owner: \(one.creation)")
        }
        return Self.finding(
            place, place.kind == .security ? place.title : "\(place.title) is another one.",
            "Run as its owner: \(one.replacement)")
    }

    private static func addition(_ place: CatalogEntry.Place) -> DatabaseFinding {
        let table = "underway.\(quoted(place.table))"
        let remedy =
            switch place.kind {
            case .policy: "DROP POLICY \(quoted(place.name)) ON \(table);"
            case .grant:
                "REVOKE "
                    + place.name.replacing(" TO ", with: " ON \(table) FROM ", maxReplacements: 1)
                    + ";"
            default: "ALTER TABLE \(table) SET SCHEMA public;"
            }
        return finding(
            place, "\(place.title) is not of this program.", "Run as its owner: \(remedy)")
    }

    private static func quoted(_ name: String) -> String {
        PostgresStatement("\(identifier: name)").sql
    }

    private static func finding(
        _ place: CatalogEntry.Place, _ problem: String, _ remedy: String
    ) -> DatabaseFinding {
        DatabaseFinding(
            place.kind.finding, "table underway.\(place.table)", problem, remedy: remedy)
    }
}

extension CatalogEntry.Kind {
    /// True for what decides who reads and writes.
    fileprivate var isRight: Bool { [.security, .policy, .grant].contains(self) }

    fileprivate var finding: DatabaseFinding.Kind {
        switch self {
        case .policy, .security: .policy
        case .grant: .grant
        case .table, .column, .key, .index: .schema
        }
    }
}

extension CatalogEntry.Place {
    /// The beginning of a sentence about it.
    fileprivate var title: String {
        switch kind {
        case .table: "The table"
        case .security: "Row level security is not enabled and forced."
        default: "The \(kind.rawValue) \(name)"
        }
    }
}

extension SchemaCheck {
    private static let tables =
        "c.relnamespace = 'underway'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'"

    /// The roles whose rights are compared; an administrator may have further ones, for reports say.
    private static let roles =
        "'authenticated', 'anon', 'underway_accounts', 'underway_keeper', 'underway_server', 'underway_publisher'"

    /// The parts of all tables, in the forms of `Table.entries`.
    fileprivate static let catalogs = """
        WITH tables AS (
            SELECT c.* FROM pg_class c WHERE \(tables)
        ), columns AS (
            SELECT a.* FROM pg_attribute a JOIN tables t ON t.oid = a.attrelid
            WHERE a.attnum > 0 AND NOT a.attisdropped
        ), rights AS (
            SELECT t.oid, NULL::name AS attname, x.* FROM tables t, aclexplode(t.relacl) x
            WHERE x.grantee <> t.relowner
            UNION ALL
            SELECT a.attrelid, a.attname, x.* FROM columns a, aclexplode(a.attacl) x
        ), found (oid, kind, name, form) AS MATERIALIZED (
            SELECT oid, 'table', '', CASE relpersistence WHEN 'u' THEN 'unlogged' ELSE 'logged' END
            FROM tables
            UNION ALL
            SELECT oid, 'security', '', CASE WHEN relrowsecurity AND relforcerowsecurity THEN 'forced'
                ELSE 'off' END
            FROM tables
            UNION ALL
            SELECT a.attrelid, 'column', a.attname::text, concat(
                format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attcollation = '"C"'::regcollation THEN ' COLLATE "C"' END,
                CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' WHEN 'd' THEN ' BY DEFAULT' END,
                CASE WHEN a.attnotnull THEN ' NOT NULL' END, CASE WHEN a.atthasdef THEN ' DEFAULT' END)
            FROM columns a
            UNION ALL
            SELECT o.conrelid, 'key', concat(
                CASE o.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' ELSE 'FOREIGN KEY' END,
                (SELECT ' (' || string_agg(a.attname, ', ' ORDER BY array_position(o.conkey, a.attnum)) || ')'
                    FROM pg_attribute a WHERE a.attrelid = o.conrelid AND a.attnum = ANY (o.conkey)),
                (SELECT concat(' REFERENCES ', t.relnamespace::regnamespace, '.', t.relname, ' (',
                        string_agg(a.attname, ', ' ORDER BY array_position(o.confkey, a.attnum)), ')')
                    FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (o.confkey)
                    WHERE t.oid = o.confrelid GROUP BY t.oid),
                CASE WHEN o.contype = 'f' AND o.confdeltype = 'c' THEN ' ON DELETE CASCADE' END,
                CASE WHEN NOT o.convalidated THEN ' NOT VALID' END), ''
            FROM pg_constraint o JOIN tables t ON t.oid = o.conrelid WHERE o.contype IN ('p', 'u', 'f')
            UNION ALL
            SELECT i.indrelid, 'index', x.relname::text, concat(
                CASE WHEN NOT i.indisvalid THEN 'INVALID ' END,
                CASE WHEN i.indisunique THEN 'UNIQUE ' END,
                (SELECT string_agg(coalesce(a.attname::text, '?'), ', ' ORDER BY k.place)
                    FROM unnest(i.indkey::smallint[]) WITH ORDINALITY k (number, place)
                        LEFT JOIN columns a ON a.attrelid = i.indrelid AND a.attnum = k.number),
                ' WHERE ' || \(CatalogEntry.essence(of: "pg_get_expr(i.indpred, i.indrelid)")))
            FROM pg_index i JOIN tables t ON t.oid = i.indrelid JOIN pg_class x ON x.oid = i.indexrelid
            WHERE NOT EXISTS (SELECT FROM pg_constraint o WHERE o.conindid = i.indexrelid
                AND o.contype IN ('p', 'u'))
            UNION ALL
            SELECT p.polrelid, 'policy', p.polname::text, concat_ws('/',
                CASE p.polcmd WHEN 'r' THEN 'SELECT' WHEN 'a' THEN 'INSERT' WHEN 'w' THEN 'UPDATE'
                    WHEN 'd' THEN 'DELETE' ELSE 'ALL' END,
                CASE WHEN p.polpermissive THEN 'PERMISSIVE' ELSE 'RESTRICTIVE' END,
                (SELECT string_agg(r.name, ',' ORDER BY r.name COLLATE "C") FROM (
                    SELECT CASE n WHEN 0 THEN 'public' ELSE pg_get_userbyid(n)::text END AS name
                    FROM unnest(p.polroles) n) r),
                coalesce(\(CatalogEntry.essence(of: "pg_get_expr(p.polqual, p.polrelid)")), ''),
                coalesce(\(CatalogEntry.essence(of: "pg_get_expr(p.polwithcheck, p.polrelid)")), ''))
            FROM pg_policy p JOIN tables t ON t.oid = p.polrelid
            UNION ALL
            SELECT DISTINCT r.oid, 'grant', concat(r.privilege_type, ' (' || r.attname || ')', ' TO ',
                CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r.grantee)::text END), ''
            FROM rights r
            WHERE r.grantee = 0 OR pg_get_userbyid(r.grantee)::text IN (\(roles))
        )
        SELECT t.relname::text AS table_name, f.kind, f.name, f.form
        FROM found f JOIN tables t ON t.oid = f.oid ORDER BY 1, 2, 3
        """
}
