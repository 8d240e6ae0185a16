package import GRDB
package import PostgresDriver

/// A row of either database.
package struct TableRow {
    enum Source {
        /// A row of a result, by its index.
        case sqlite(SQLiteResult, Int)
        case postgres(PostgresRow)
    }

    /// A missing column, or a value of another type.
    package struct Unreadable: Error, Hashable {
        package let column: String
    }

    let source: Source

    init(source: Source) { self.source = source }

    /// Wraps a row of PostgreSQL.
    package init(_ row: PostgresRow) { source = .postgres(row) }

    /// Decodes a column.
    ///
    /// - Throws: `Unreadable` or `PostgresDecodingError`, also for NULL unless the type is optional.
    // Without the metadata of a generic type, which takes as long as the row, for the types of most columns.
    @_specialize(where Value == Int)
    @_specialize(where Value == Int64)
    @_specialize(where Value == String)
    package func value<Value: DatabaseValueConvertible & PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value {
        switch source {
        case .postgres(let row): return try row.value(column)
        case .sqlite(let result, let row):
            guard let value = try Value.fromDatabaseValue(result.value(column, row)) else {
                throw Unreadable(column: column)
            }
            return value
        }
    }
}

/// The result of a statement of SQLite: the values of all rows, one after the other.
final class SQLiteResult {
    // GRDB's own lookup ignores case, which is slow.
    private let names: [String]
    private var values: [DatabaseValue] = []

    init(_ names: [String]) { self.names = names }

    /// Executes a statement, and appends its rows.
    func append(_ statement: GRDB.Statement, _ arguments: StatementArguments) throws {
        guard !names.isEmpty else { return try statement.execute(arguments: arguments) }
        let cursor = try Row.fetchCursor(statement, arguments: arguments)
        while try cursor.next() != nil {
            // Of the statement itself: a row makes a text of each column's name.
            for column in names.indices {
                values.append(
                    DatabaseValue(
                        sqliteStatement: statement.sqliteStatement, index: CInt(column)))
            }
        }
    }

    /// The rows.
    var rows: Rows {
        guard !names.isEmpty else { return [] }
        return (0..<values.count / names.count).map { TableRow(source: .sqlite(self, $0)) }
    }

    /// Returns the value of a column in a row.
    ///
    /// - Throws: `TableRow.Unreadable` for a column that the result lacks.
    func value(_ column: String, _ row: Int) throws -> DatabaseValue {
        guard let place = names.firstIndex(of: column) else {
            throw TableRow.Unreadable(column: column)
        }
        return values[row * names.count + place]
    }
}
