/// A statement with its parameters, made by interpolation: each value becomes a parameter, never a part of the text.
///
/// ```swift
/// let name = "'; DROP TABLE account; --"
/// let statement: PostgresStatement = "SELECT number FROM account WHERE name = \(name)"
/// print(statement.sql)  // SELECT number FROM account WHERE name = $1
/// ```
public struct PostgresStatement: Sendable, Hashable, ExpressibleByStringInterpolation,
    CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// The text, with `$1` and so on for the parameters.
    public var sql: String
    /// The parameters.
    public var parameters: [PostgresValue]

    /// Creates a statement from a text without user values.
    public init(sql: String, _ parameters: [PostgresValue] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    /// The text, without the values.
    public var description: String { sql }
    /// The text, without the values.
    public var debugDescription: String { sql }
    /// A mirror without the values.
    public var customMirror: Mirror { Mirror(self, children: ["sql": sql]) }

    /// Creates a statement from a literal.
    public init(stringLiteral value: String) { self.init(sql: value) }

    /// Creates a statement from a literal with values.
    public init(stringInterpolation: Interpolation) {
        self.init(sql: stringInterpolation.sql, stringInterpolation.parameters)
    }

    /// The collector of a literal's parts.
    public struct Interpolation: StringInterpolationProtocol {
        var sql = ""
        var parameters: [PostgresValue] = []

        /// Creates a collector for a literal.
        public init(literalCapacity: Int, interpolationCount: Int) {
            sql.reserveCapacity(literalCapacity + 3 * interpolationCount)
            parameters.reserveCapacity(interpolationCount)
        }

        /// Appends text of the literal.
        public mutating func appendLiteral(_ literal: String) { sql += literal }

        /// Appends a value as a parameter.
        public mutating func appendInterpolation(_ value: some PostgresEncodable) {
            parameters.append(value.postgresValue)
            sql += "$\(parameters.count)"
        }

        /// Appends a value, or NULL, as a parameter.
        public mutating func appendInterpolation<Value: PostgresEncodable>(_ value: Value?) {
            parameters.append(value.postgresValue)
            sql += "$\(parameters.count)"
        }

        /// Appends the quoted name of a table, column, role or database.
        public mutating func appendInterpolation(identifier: String) {
            sql +=
                "\""
                + identifier.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\""
        }

        /// Appends SQL without user values, such as a list of columns.
        public mutating func appendInterpolation(sql text: String) { sql += text }
    }
}
