import GRDB

/// The erasure of an account: of its rows in every table that refers to it, directly or through
/// others.
///
/// The tables are read from the schema's foreign keys, so that a later table is never forgotten.
struct AccountErasure {
    private struct Table {
        let name: String
        let key: [String]
        /// The SQL condition that selects the account's rows.
        let condition: String
        let depth: Int
    }

    private let account: Int64
    private let database: Database

    init(of account: Int64, in database: Database) {
        self.account = account
        self.database = database
    }

    /// Deletes a batch, the most dependent rows first, and the account itself once no row is left.
    ///
    /// - Parameter limit: The most rows of the batch.
    /// - Throws: An error of the database.
    func delete(atMost limit: Int) throws {
        var left = limit
        for table in try tables().sorted(by: { $0.depth > $1.depth }) {
            let key = table.key.joined(separator: ", ")
            try database.execute(
                sql: """
                    DELETE FROM \(table.name) WHERE (\(key)) IN
                        (SELECT \(key) FROM \(table.name) WHERE \(table.condition) LIMIT ?)
                    """, arguments: [left])
            left -= database.changesCount
            if left <= 0 { return }
        }
        try database.execute(sql: "DELETE FROM account WHERE number = ?", arguments: [account])
    }

    private func tables() throws -> [Table] {
        let names = try String.fetchAll(
            database,
            sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        var found: [Table] = []
        var parents = [("account", "number = \(account)", 0)]
        while let (parent, condition, depth) = parents.popLast() {
            // No table is further from its account; this also ends a cycle of references.
            guard depth < 4 else { continue }
            for name in names where name != parent {
                for reference in try database.foreignKeys(on: name)
                where reference.destinationTable == parent {
                    let origins = reference.mapping.map { $0.origin }.joined(separator: ", ")
                    let targets = reference.mapping.map { $0.destination }
                        .joined(separator: ", ")
                    let child =
                        parent == "account"
                        ? "\(origins) = \(account)"
                        : "(\(origins)) IN (SELECT \(targets) FROM \(parent) WHERE \(condition))"
                    let key = try database.primaryKey(name).columns
                    found.append(
                        Table(name: name, key: key, condition: child, depth: depth + 1))
                    parents.append((name, child, depth + 1))
                }
            }
        }
        return found
    }
}
