package import Foundation
package import GRDB
package import PostgresDriver

/// A value that is bound to a statement.
package protocol TableValue: Sendable {
    /// The value as SQLite has it.
    var inSQLite: DatabaseValue { get }
    /// The value as PostgreSQL has it.
    var inPostgres: PostgresValue { get }
}

extension TableValue where Self: DatabaseValueConvertible & PostgresEncodable {
    /// The value as SQLite has it.
    package var inSQLite: DatabaseValue { databaseValue }
    /// The value as PostgreSQL has it.
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
    /// The elements as JSON; numbers and texts are always encoded.
    package var inSQLite: DatabaseValue {
        String(decoding: (try? JSONEncoder().encode(self)) ?? Data(), as: UTF8.self).databaseValue
    }
    /// The elements as an array.
    package var inPostgres: PostgresValue { postgresValue }
}

/// Rows of numbers for `json_each` of SQLite; PostgreSQL has an array of each column instead.
package struct NumberRows: TableValue {
    private let rows: [[Int64]]

    package init(_ rows: [[Int64]]) { self.rows = rows }

    /// The rows as JSON, each an array.
    package var inSQLite: DatabaseValue { rows.description.databaseValue }
    /// NULL.
    package var inPostgres: PostgresValue { .null }
}

/// The rows of a statement.
package typealias Rows = [TableRow]

/// A row of either database.
package struct TableRow {
    enum Source {
        /// A row with the names of its columns: those of GRDB are compared without case, which is slow.
        case sqlite(Row, [String])
        case postgres(PostgresRow)
    }

    /// A column that the row does not have, or whose value is none of the asked type.
    package struct Unreadable: Error, Hashable {
        package let column: String
    }

    let source: Source

    init(source: Source) { self.source = source }

    /// Takes a row of PostgreSQL.
    package init(_ row: PostgresRow) { source = .postgres(row) }

    /// Decodes a column.
    ///
    /// - Throws: `Unreadable` or `PostgresDecodingError`, also for NULL unless an optional is asked for.
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
