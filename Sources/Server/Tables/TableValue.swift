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

/// The rows of a statement.
package typealias Rows = [TableRow]
