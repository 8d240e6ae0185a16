/// A statement for both databases, with tokens for their differences.
///
/// | token | SQLite | PostgreSQL |
/// |---|---|---|
/// | `{event}`, a declared table | `event` | `underway.event` |
/// | `:name`, a value | `?1` | `$1` |
/// | `{me}`, the account of the transaction's user | a value | `underway.claim()` |
/// | `{in :list}` | `IN (SELECT value FROM json_each(?1))` | `= ANY ($1)` |
/// | `{for update}` | nothing | `FOR UPDATE` |
///
/// Statements that differ in other ways have two texts. A table that no database of a kind has is a
/// `preconditionFailure`: a statement is part of the program.
///
/// ```swift
/// let score = Statement("SELECT score FROM {event_score} WHERE event = :event AND account = {me}")
/// let rows = try transaction.run([score(["event": number])])[0]
/// ```
package struct Statement: Sendable {
    /// The text for one database.
    package struct Text: Sendable {
        /// The SQL.
        package let sql: String
        /// The names of the parameters in their order; `nil` for `{me}`.
        let parameters: [String?]
    }

    /// The text for SQLite; `nil` if the statement does nothing there.
    package let sqlite: Text?
    /// The text for PostgreSQL; `nil` if the statement does nothing there.
    package let postgres: Text?
    private let names: Set<String>

    /// Creates a statement with one text for both databases.
    package init(_ text: String) { self.init(sqlite: text, postgres: text) }

    /// Creates a statement with a text for each database; without a text, it returns no rows there.
    package init(sqlite: String? = nil, postgres: String? = nil) {
        self.sqlite = sqlite.map { Text($0, .sqlite) }
        self.postgres = postgres.map { Text($0, .postgres) }
        names = Set(
            [self.sqlite, self.postgres].flatMap { $0?.parameters.compactMap(\.self) ?? [] })
    }

    /// Binds the values; a name that is missing or superfluous is a `preconditionFailure`.
    package func callAsFunction(_ values: [String: any TableValue] = [:]) -> Bound {
        self(values, columns: [], rows: nil)
    }

    /// Binds values, and the numbers of any number of rows.
    ///
    /// SQLite executes the statement for each row: a statement that inserts many rows writes a journal of its own. PostgreSQL
    /// executes it once, and has an array for each column.
    ///
    /// - Parameters:
    ///   - values: The values of the other parameters.
    ///   - columns: The parameters that are the columns of the rows.
    ///   - rows: The rows, each as long as `columns`.
    /// - Returns: The statement with its values.
    package func callAsFunction(
        _ values: [String: any TableValue] = [:], columns: [String], rows: [[Int64]]?
    ) -> Bound {
        precondition(
            names.count == values.count + columns.count
                && names.allSatisfy { values[$0] != nil || columns.contains($0) },
            "The names are \(names), those of the values \(values.keys), of the columns \(columns)")
        return Bound(statement: self, values: values, columns: columns, rows: rows)
    }
}

/// A statement with its values.
package struct Bound: Sendable {
    let statement: Statement
    let values: [String: any TableValue]
    /// The parameters that differ from row to row.
    let columns: [String]
    /// The rows to execute the statement for; `nil` for a statement without `columns`.
    let rows: [[Int64]]?

    /// Returns a value, of a column those of all rows.
    func value(_ name: String) -> (any TableValue)? {
        guard let place = columns.firstIndex(of: name) else { return values[name] }
        return rows.map { $0.map { $0[place] } }
    }
}

extension Statement.Text {
    fileprivate init(_ source: String, _ dialect: Dialect) {
        let isSQLite = dialect == .sqlite
        var parameters: [String?] = []
        func place(_ name: String?) -> String {
            let index = parameters.firstIndex(of: name) ?? parameters.count
            if index == parameters.count { parameters.append(name) }
            return (isSQLite ? "?" : "$") + "\(index + 1)"
        }
        func spelled(_ token: Substring) -> String {
            switch token {
            case "me": return isSQLite ? place(nil) : "underway.claim()"
            case "for update": return isSQLite ? "" : "FOR UPDATE"
            case _ where token.hasPrefix("in :"):
                let list = place(String(token.dropFirst(4)))
                return isSQLite ? "IN (SELECT value FROM json_each(\(list)))" : "= ANY (\(list))"
            default:
                let table = Table.all.first { $0.name == token && $0.place.contains(dialect) }
                guard let table else { preconditionFailure("{\(token)} names no table") }
                return table.path(dialect)
            }
        }
        // Texts in quotes and casts of PostgreSQL stay as they are.
        sql = source.replacing(#/'[^']*'|::|:([a-z_]+)|\{([^}]*)\}/#) { match in
            if let name = match.output.1 { return place(String(name)) }
            return match.output.2.map(spelled) ?? String(match.output.0)
        }
        self.parameters = parameters
    }
}
