import Foundation
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

/// The rows of a statement.
package typealias Rows = [TableRow]

/// A row of either database.
package struct TableRow {
    enum Source {
        case sqlite([DatabaseValue], columns: [String])
        case postgres(PostgresRow)
    }

    /// A column that the row does not have, or whose value is none of the asked type.
    package struct Unreadable: Error, Hashable {
        package let column: String
    }

    let source: Source

    /// Decodes a column.
    ///
    /// - Throws: `Unreadable` or `PostgresDecodingError`, also for NULL unless an optional is asked for.
    package func value<Value: DatabaseValueConvertible & PostgresDecodable>(
        _ column: String, as type: Value.Type = Value.self
    ) throws -> Value {
        switch source {
        case .postgres(let row): return try row.value(column)
        case .sqlite(let values, let columns):
            guard let index = columns.firstIndex(of: column),
                let value = Value.fromDatabaseValue(values[index])
            else { throw Unreadable(column: column) }
            return value
        }
    }
}
