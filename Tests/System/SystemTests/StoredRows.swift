import GRDB

/// The rows of a server's database in SQLite.
enum StoredRows {
    /// Returns the rows of all tables but the audit's that have one of these texts in any column.
    static func naming(_ texts: [String], in path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'audit'")
            return try tables.flatMap { table in
                try Row.fetchAll(database, sql: "SELECT * FROM \(table)").map {
                    "\(table): \($0)"
                }.filter { row in texts.contains { row.contains($0) } }
            }
        }
    }
}
