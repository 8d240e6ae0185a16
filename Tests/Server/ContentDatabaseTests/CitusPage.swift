import Foundation
import PostgresDriver

/// The statements of docs/citus.md, and the conditions of Citus as queries of the catalog.
struct CitusPage: Sendable {
    /// The statements before the tables are distributed.
    let preparation: String
    /// The distributed tables, each with its distribution column.
    let distributed: [(table: String, column: String)]
    /// The tables of which each node has a copy.
    let reference: [String]
    /// The tables of the coordinator.
    let local: [String]

    init() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../docs/citus.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        func block(_ name: String) -> String {
            text.components(separatedBy: "```sql \(name)\n").last?
                .components(separatedBy: "```").first ?? ""
        }
        preparation = block("prepare")
        let calls = block("distribute")
        distributed = calls.matches(of: /create_distributed_table\('([a-z_.]+)', '([a-z]+)'/)
            .map { (String($0.1), String($0.2)) }
        reference = calls.matches(of: /create_reference_table\('([a-z_.]+)'/).map { String($0.1) }
        let rows =
            text.components(separatedBy: "ordinary tables of the coordinator:").last?
            .components(separatedBy: "\n## ").first ?? ""
        local = rows.matches(of: /`((?:underway|content)\.[a-z_]+)`/).map { String($0.1) }
    }

    /// A query of what Citus refuses, over `kind` with the kind and the distribution column of each table.
    struct Condition: Sendable {
        let query: String
    }

    static let conditions = [
        // "Distributed relations cannot have UNIQUE … constraints that do not include the partition column"
        Condition(
            query: """
                SELECT index.relname || ' is unique without ' || kind.key AS what
                FROM kind JOIN pg_index i ON i.indrelid = kind.id AND i.indisunique
                    JOIN pg_class index ON index.oid = i.indexrelid
                WHERE kind.key IS NOT NULL AND NOT EXISTS (
                    SELECT FROM pg_attribute a WHERE a.attrelid = kind.id AND a.attname = kind.key
                        AND a.attnum = ANY (i.indkey::int2[]))
                """),
        // Only to a reference table, or between distributed tables by the distribution columns.
        Condition(
            query: """
                SELECT c.conname || ' leads from ' || one.name || CASE one.kind
                        WHEN 'distributed' THEN '' ELSE ', which is ' || one.kind || ',' END
                    || ' to ' || other.name || CASE other.kind
                        WHEN 'local' THEN ', which is local' ELSE '' END AS what
                FROM pg_constraint c JOIN kind one ON one.id = c.conrelid
                    JOIN kind other ON other.id = c.confrelid
                    LEFT JOIN pg_attribute a ON a.attrelid = one.id AND a.attname = one.key
                    LEFT JOIN pg_attribute b ON b.attrelid = other.id AND b.attname = other.key
                WHERE c.contype = 'f' AND CASE
                    WHEN one.kind = 'distributed' AND other.kind = 'distributed' THEN
                        coalesce(array_position(c.conkey, a.attnum), 0)
                            IS DISTINCT FROM array_position(c.confkey, b.attnum)
                        OR c.confdeltype IN ('n', 'd') OR c.confupdtype IN ('n', 'd', 'c')
                    WHEN one.kind = 'distributed' THEN other.kind <> 'reference'
                    ELSE other.kind = 'distributed' END
                """),
        // "triggers are not supported on distributed tables", nor on reference tables.
        Condition(
            query: """
                SELECT t.tgname || ' is a trigger of ' || kind.name AS what
                FROM pg_trigger t JOIN kind ON kind.id = t.tgrelid
                WHERE NOT t.tgisinternal AND kind.kind <> 'local'
                """),
        // "Subqueries are not supported in policies on distributed tables"
        Condition(
            query: """
                SELECT p.polname || ' of ' || kind.name || ' has a subquery' AS what
                FROM pg_policy p JOIN kind ON kind.id = p.polrelid
                WHERE kind.kind <> 'local'
                    AND (p.polqual::text LIKE '%{SUBLINK%' OR p.polwithcheck::text LIKE '%{SUBLINK%')
                """),
        // Tables of one colocation group have distribution columns of one type.
        Condition(
            query: """
                SELECT kind.name || ' has no bigint ' || kind.key AS what
                FROM kind LEFT JOIN pg_attribute a ON a.attrelid = kind.id AND a.attname = kind.key
                WHERE kind.key IS NOT NULL AND a.atttypid IS DISTINCT FROM 'bigint'::regtype
                """),
    ]

    /// The query of what a condition refuses of this page's tables. Those that do not exist yet are left out.
    func violations(of condition: Condition) -> PostgresStatement {
        let all =
            distributed.map { "('\($0.table)', 'distributed', '\($0.column)')" }
            + reference.map { "('\($0)', 'reference', NULL)" }
            + local.map { "('\($0)', 'local', NULL)" }
        return """
            WITH kind AS (
                SELECT to_regclass(t.name)::oid AS id, split_part(t.name, '.', 2) AS name, t.kind, t.key
                FROM (VALUES \(sql: all.joined(separator: ", "))) t (name, kind, key)
                WHERE to_regclass(t.name) IS NOT NULL)
            \(sql: condition.query)
            """
    }
}
