package import Foundation
package import GRDB
package import PostgresDriver

/// A value that can be bound to a statement.
package protocol TableValue: Sendable {
    /// The value for SQLite.
    var inSQLite: DatabaseValue { get }
    /// The value for PostgreSQL.
    var inPostgres: PostgresValue { get }
}

extension TableValue where Self: DatabaseValueConvertible & PostgresEncodable {
    /// The value for SQLite.
    package var inSQLite: DatabaseValue { databaseValue }
    /// The value for PostgreSQL.
    package var inPostgres: PostgresValue { postgresValue }
}

extension Bool: TableValue {}
extension Double: TableValue {}
extension Int: TableValue {}
extension Int64: TableValue {}
extension String: TableValue {}
extension Data: TableValue {}

extension Optional: TableValue where Wrapped: TableValue {
    /// The value, or NULL.
    package var inSQLite: DatabaseValue { self?.inSQLite ?? .null }
    /// The value, or NULL.
    package var inPostgres: PostgresValue { self?.inPostgres ?? .null }
}

/// Numbers or texts for `{in :list}`.
extension Array: TableValue where Element: PostgresScalar & Encodable {
    /// The elements as JSON; encoding numbers and texts cannot fail.
    package var inSQLite: DatabaseValue {
        String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self).databaseValue
    }
    /// The elements as an array.
    package var inPostgres: PostgresValue { postgresValue }
}

/// Rows of numbers for SQLite's `json_each`; PostgreSQL takes an array for each column instead.
package struct NumberRows: TableValue {
    private let rows: [[Int64]]

    package init(_ rows: [[Int64]]) { self.rows = rows }

    /// The rows as a JSON array of arrays.
    package var inSQLite: DatabaseValue { rows.description.databaseValue }
    /// NULL.
    package var inPostgres: PostgresValue { .null }
}

/// The rows of a statement.
package typealias Rows = [TableRow]

/// A row of either database.
package struct TableRow {
    enum Source {
        /// A row with its column names; GRDB's own lookup ignores case, which is slow.
        case sqlite(Row, [String])
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
    package func value<Value: DatabaseValueConvertible & PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value {
        switch source {
        case .postgres(let row): return try row.value(column)
        case .sqlite(let row, let columns):
            guard let place = columns.firstIndex(of: column),
                let value = Value.fromDatabaseValue(row[place])
            else { throw Unreadable(column: column) }
            return value
        }
    }
}
