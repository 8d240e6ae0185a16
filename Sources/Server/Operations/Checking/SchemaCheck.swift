import PostgresDriver
import Tables

/// The schema of users beside the declared tables, and what is written by hand around them.
///
/// Compared are tables, columns, keys, indexes, policies, grants and row level security; functions, views and triggers by
/// their names alone. The texts of checks are not compared: PostgreSQL writes them in its own way.
struct SchemaCheck: Sendable {
    private static let declared = Table.all.flatMap(\.entries)
    private static let forms = Dictionary(
        uniqueKeysWithValues: declared.map { ($0.entry.place, $0.entry) })
    private static let tables = Set(Table.all.map(\.name))

    /// Each part, with the name of the constraint of a key.
    private let found: [(entry: CatalogEntry, object: String)]
    private let present: Set<CatalogEntry>
    private let there: [CatalogEntry.Place: (entry: CatalogEntry, object: String)]
    private let handWritten: [HandWritten.Found]

    /// Reads the catalogs, which everybody may.
    init(_ connection: PostgresConnection) throws {
        // The text of a condition depends on the search path.
        let results = try connection.pipeline([
            "SELECT set_config('search_path', 'pg_catalog', true)",
            PostgresStatement(sql: Self.catalogs), PostgresStatement(sql: HandWritten.catalogs),
        ])
        found = try results[1].map { row in
            guard let kind = CatalogEntry.Kind(rawValue: try row.value("kind")) else {
                throw PostgresError(.protocolViolation, .executing)
            }
            let entry = CatalogEntry(
                try row.value("table_name"), kind, try row.value("name"), try row.value("form"))
            return (entry, try row.value("object"))
        }
        present = Set(found.map(\.entry))
        there = Dictionary(found.map { ($0.entry.place, $0) }, uniquingKeysWith: { one, _ in one })
        handWritten = try results[2].map {
            HandWritten.Found(title: try $0.value("name"), table: try $0.value("table_name"))
        }
    }

    private var missing: [HandWritten] {
        let titles = Set(handWritten.map(\.title))
        return HandWritten.all.filter { !titles.contains($0.title) }
    }

    /// False where rows cannot be read, or are hidden: a table, a column, a function or a right is missing, or a policy is
    /// another one.
    var isReadable: Bool {
        missing.isEmpty
            && Self.declared.allSatisfy { one in
                switch one.entry.place.kind {
                case .table, .column, .grant: there[one.entry.place] != nil
                case .policy: present.contains(one.entry)
                case .security, .key, .index: true
                }
            }
    }

    /// Compares the schema with its declarations.
    ///
    /// - Parameter allowsFurther: True if a later version may have added something.
    /// - Returns: A finding for each difference, in the order of repair.
    func findings(allowsFurther: Bool) -> [DatabaseFinding] {
        let missing = missing
        let tables = Set(found.map(\.entry.place.table))
        let differences = Self.declared.filter { one in
            !present.contains(one.entry)
                // A table that is missing is one finding.
                && (one.entry.place.kind == .table || tables.contains(one.entry.place.table))
        }
        let known =
            missing.filter(\.isOfSession).map(\.finding) + differences.map(difference)
            + missing.filter { !$0.isOfSession }.map(\.finding)
        guard !allowsFurther else { return known }
        return known + found.filter { isFurther($0.entry) }.map(Self.addition)
            + handWritten.compactMap(\.addition)
    }

    /// Returns true for what decides who reads and writes, or which rows are refused, and is not declared; an index of
    /// an administrator and a column without a value harm nobody.
    private func isFurther(_ entry: CatalogEntry) -> Bool {
        let place = entry.place
        guard Self.tables.contains(place.table) else { return place.kind == .table }
        guard let known = Self.forms[place] else {
            let mustBeGiven = entry.form.hasSuffix(" NOT NULL") && !entry.form.contains("IDENTITY")
            return [.policy, .grant, .key].contains(place.kind)
                || place.kind == .column && mustBeGiven
        }
        // One of two keys over the same columns.
        return place.kind == .key && known != entry && present.contains(known)
    }

    private func difference(_ one: DeclaredEntry) -> DatabaseFinding {
        let place = one.entry.place
        guard place.kind != .security else {
            return Self.finding(
                place, "Row level security is not enabled and forced.",
                "Run as its owner: \(one.replacement)")
        }
        guard let other = there[place] else {
            let loses = [.table, .column].contains(place.kind)
            let advice = """
                Was it renamed or moved? Otherwise restore the last backup, and declare it with `underway db \
                restored`. Where no rows are lost: 
                """
            return Self.finding(
                place, "\(place.title) is missing.",
                "\(loses ? advice : "")Run as its owner: \(one.creation)")
        }
        var statements: [String] = []
        if place.kind == .key {
            statements.append(
                "ALTER TABLE underway.\(place.table) DROP CONSTRAINT \(Self.quoted(other.object)) CASCADE;"
            )
        }
        let type = other.entry.form.split(separator: #/ NOT NULL| DEFAULT/#).first
        if let declared = one.type, type ?? "" != declared.name {
            statements.append(declared.change)
        }
        // A policy's form is long, and says less than the statement below.
        let form = place.kind == .policy ? "" : other.entry.form
        return Self.finding(
            place, "\(place.title) is another one\(form.isEmpty ? "" : " (\(form))").",
            "Run as \(one.needsSuperuser ? "a superuser" : "its owner"): "
                + (statements + [one.replacement]).joined(separator: " "))
    }

    private static func addition(_ entry: CatalogEntry, _ object: String) -> DatabaseFinding {
        let place = entry.place
        let table = "underway.\(quoted(place.table))"
        let statement: String? =
            switch place.kind {
            case .policy: "DROP POLICY \(quoted(place.name)) ON \(table);"
            case .grant: revocation(place, table)
            case .key: "ALTER TABLE \(table) DROP CONSTRAINT \(quoted(object));"
            case .column: "ALTER TABLE \(table) ALTER COLUMN \(quoted(place.name)) DROP NOT NULL;"
            default: nil
            }
        return finding(
            place, "\(place.title) is not of this program.",
            statement.map { "Run as its owner: \($0)" }
                ?? "Move it into a schema of your own, or drop it.")
    }

    /// Takes a right away; with that to a table go those to its columns, so that the declared ones are given again.
    private static func revocation(_ place: CatalogEntry.Place, _ table: String) -> String {
        let words = place.name.replacing(" WITH GRANT OPTION", with: "").split(separator: " TO ")
        let (right, role) = (words.dropLast().joined(separator: " TO "), words.last ?? "")
        let columns = declared.filter { one in
            let known = one.entry.place
            return known.table == place.table && known.kind == .grant
                && known.name.hasPrefix("\(right) (") && known.name.hasSuffix(" TO \(role)")
        }
        return (["REVOKE \(right) ON \(table) FROM \(role);"] + columns.map(\.creation))
            .joined(separator: " ")
    }

    /// Returns a name as a statement has it.
    static func quoted(_ name: String) -> String { PostgresStatement("\(identifier: name)").sql }

    private static func finding(
        _ place: CatalogEntry.Place, _ problem: String, _ remedy: String
    ) -> DatabaseFinding {
        DatabaseFinding(
            place.kind.finding, "table underway.\(place.table)", problem, remedy: remedy)
    }
}

extension CatalogEntry.Kind {
    fileprivate var finding: DatabaseFinding.Kind {
        switch self {
        case .policy, .security: .policy
        case .grant: .grant
        case .table, .column, .key, .index: .schema
        }
    }
}

extension CatalogEntry.Place {
    /// The subject of a sentence about it.
    fileprivate var title: String {
        kind == .table ? "The table" : "The \(kind.rawValue) \(name)"
    }
}

extension SchemaCheck {
    private static let inSchema =
        "c.relnamespace = 'underway'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'migration'"

    /// The roles whose rights are compared; an administrator may have further ones, as for reports.
    private static let roles =
        "'authenticated', 'anon', 'underway_accounts', 'underway_keeper', 'underway_server', 'underway_publisher'"

    /// The parts of all tables, in the forms of `Table.entries`.
    fileprivate static let catalogs = """
        WITH tables AS (
            SELECT c.* FROM pg_class c WHERE \(inSchema)
        ), columns AS (
            SELECT a.* FROM pg_attribute a JOIN tables t ON t.oid = a.attrelid
            WHERE a.attnum > 0 AND NOT a.attisdropped
        ), rights AS (
            SELECT t.oid, NULL::name AS attname, x.* FROM tables t, aclexplode(t.relacl) x
            WHERE x.grantee <> t.relowner
            UNION ALL
            SELECT a.attrelid, a.attname, x.* FROM columns a, aclexplode(a.attacl) x
        ), found (oid, kind, name, form, object) AS MATERIALIZED (
            SELECT oid, 'table', '', concat(
                CASE relpersistence WHEN 'u' THEN 'unlogged' ELSE 'logged' END,
                CASE WHEN pg_get_userbyid(relowner) <> 'underway_owner' THEN ', of another owner' END), ''
            FROM tables
            UNION ALL
            SELECT oid, 'security', '', CASE WHEN relrowsecurity AND relforcerowsecurity THEN 'forced'
                ELSE 'off' END, ''
            FROM tables
            UNION ALL
            SELECT a.attrelid, 'column', a.attname::text, concat(
                format_type(a.atttypid, a.atttypmod),
                CASE WHEN a.attcollation = '"C"'::regcollation THEN ' COLLATE "C"' END,
                CASE a.attidentity WHEN 'a' THEN ' GENERATED ALWAYS AS IDENTITY' WHEN 'd' THEN ' BY DEFAULT' END,
                CASE WHEN a.attnotnull THEN ' NOT NULL' END,
                ' DEFAULT ' || regexp_replace(pg_get_expr(d.adbin, d.adrelid), '::[a-z ]+$', '')), ''
            FROM columns a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
            UNION ALL
            SELECT o.conrelid, 'key',
                CASE o.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN concat('UNIQUE (', k.columns, ')')
                    ELSE concat('FOREIGN KEY (', k.columns, ')') END,
                concat(CASE o.contype WHEN 'p' THEN concat('(', k.columns, ')') END,
                    (SELECT concat('REFERENCES ', t.relnamespace::regnamespace, '.', t.relname, ' (',
                            string_agg(a.attname, ', ' ORDER BY array_position(o.confkey, a.attnum)), ')')
                        FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = ANY (o.confkey)
                        WHERE t.oid = o.confrelid GROUP BY t.oid),
                    CASE WHEN o.contype = 'f' AND o.confdeltype = 'c' THEN ' ON DELETE CASCADE'
                        WHEN o.contype = 'f' AND o.confdeltype <> 'a' THEN ' ON DELETE ' || o.confdeltype::text END,
                    CASE WHEN o.contype = 'f' AND o.confupdtype <> 'a' THEN ' ON UPDATE ' || o.confupdtype::text END,
                    CASE WHEN o.condeferrable THEN ' DEFERRABLE' END,
                    CASE WHEN NOT o.convalidated THEN ' NOT VALID' END), o.conname::text
            FROM pg_constraint o JOIN tables t ON t.oid = o.conrelid CROSS JOIN LATERAL (
                SELECT string_agg(a.attname, ', ' ORDER BY array_position(o.conkey, a.attnum)) AS columns
                FROM pg_attribute a WHERE a.attrelid = o.conrelid AND a.attnum = ANY (o.conkey)) k
            WHERE o.contype IN ('p', 'u', 'f')
            UNION ALL
            SELECT i.indrelid, 'index', x.relname::text, concat(
                CASE WHEN NOT i.indisvalid THEN 'INVALID ' END,
                CASE WHEN i.indisunique THEN 'UNIQUE ' END,
                (SELECT string_agg(coalesce(a.attname::text, '?'), ', ' ORDER BY k.place)
                    FROM unnest(i.indkey::smallint[]) WITH ORDINALITY k (number, place)
                        LEFT JOIN columns a ON a.attrelid = i.indrelid AND a.attnum = k.number),
                ' WHERE ' || \(CatalogEntry.essence(of: "pg_get_expr(i.indpred, i.indrelid)"))), ''
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
                coalesce(\(CatalogEntry.essence(of: "pg_get_expr(p.polwithcheck, p.polrelid)")), '')), ''
            FROM pg_policy p JOIN tables t ON t.oid = p.polrelid
            UNION ALL
            SELECT DISTINCT r.oid, 'grant', concat(r.privilege_type, ' (' ||
                CASE WHEN r.attname ~ '^[a-z_]+$' THEN r.attname ELSE quote_ident(r.attname) END || ')', ' TO ',
                CASE r.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(r.grantee)::text END,
                CASE WHEN r.is_grantable THEN ' WITH GRANT OPTION' END), '', ''
            FROM rights r
            WHERE r.grantee = 0 OR pg_get_userbyid(r.grantee)::text IN (\(roles))
        )
        SELECT t.relname::text AS table_name, f.kind, f.name, f.form, f.object
        FROM found f JOIN tables t ON t.oid = f.oid ORDER BY 1, 2, 3
        """
}
