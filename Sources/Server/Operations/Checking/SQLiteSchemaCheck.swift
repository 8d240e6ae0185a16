import GRDB
import Tables

/// The tables, indexes, views and triggers of a server's SQLite database beside those that this version makes.
struct SQLiteSchemaCheck {
    private struct Item: Hashable {
        let kind: String
        let name: String
        let table: String
        let sql: String
    }

    private let expected: [Item]
    private let found: [Item]

    /// Reads the schema, and makes another one in memory.
    init(_ database: Database) throws {
        let new = try DatabaseQueue()
        try UserSchema.migrator.migrate(new)
        expected = try new.read(Self.items)
        found = try Self.items(of: database)
    }

    /// False where a table or a view is missing or another one: its rows cannot be read.
    var isReadable: Bool {
        Set(found).isSuperset(of: expected.filter { ["table", "view"].contains($0.kind) })
    }

    /// A finding for each difference; further tables and indexes harm nobody.
    var findings: [DatabaseFinding] {
        let present = Dictionary(
            found.map { ("\($0.kind) \($0.name)", $0) }, uniquingKeysWith: { $1 })
        let known = Set(expected.map { "\($0.kind) \($0.name)" })
        return expected.compactMap { item in
            guard let other = present["\(item.kind) \(item.name)"] else { return missing(item) }
            return other.sql == item.sql ? nil : changed(item)
        }
            + found.filter { $0.kind == "trigger" && !known.contains("trigger \($0.name)") }.map {
                finding(
                    $0, "is not of this program.",
                    "Run: DROP TRIGGER \(quoted($0.name));")
            }
    }

    private func quoted(_ name: String) -> String {
        "\"\(name.replacing("\"", with: "\"\""))\""
    }

    private static func items(of database: Database) throws -> [Item] {
        try Row.fetchAll(
            database,
            sql: """
                SELECT type, name, tbl_name, sql FROM sqlite_schema
                WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'grdb_%'
                ORDER BY rowid
                """
        ).map { Item(kind: $0["type"], name: $0["name"], table: $0["tbl_name"], sql: $0["sql"]) }
    }

    private func missing(_ item: Item) -> DatabaseFinding {
        let advice = "Was it renamed? Or restore the last backup. Where no rows are lost, run: "
        return finding(
            item, "is missing.", "\(item.kind == "table" ? advice : "Run: ")\(item.sql);")
    }

    private func changed(_ item: Item) -> DatabaseFinding {
        guard item.kind != "table" else {
            return finding(
                item, "is another one.",
                "Compare it with `.schema \(item.name)` of a new folder. A further column that may be NULL harms nobody;"
                    + " otherwise keep a copy of the file, restore the last backup, and declare it with"
                    + " `underway db restored`: devices send again what it lacks.")
        }
        return finding(
            item, "is another one.",
            "Run: DROP \(item.kind.uppercased()) \(quoted(item.name)); \(item.sql);")
    }

    private func finding(_ item: Item, _ problem: String, _ remedy: String) -> DatabaseFinding {
        DatabaseFinding(
            .schema, "table \(item.table)", "The \(item.kind) \(item.name) \(problem)",
            remedy: remedy)
    }
}
