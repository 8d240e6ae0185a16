/// A missing column, or a value that the requested type cannot represent.
///
/// ```swift
/// let rows = try await pool.query("SELECT NULL::bigint AS number")
/// do {
///     print(try rows[0].value("number", as: Int.self))
/// } catch {
///     print(error.column, error.reason)  // number null
/// }
/// ```
public struct PostgresDecodingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason why the value cannot be decoded.
    public enum Reason: Error, Sendable, Hashable {
        /// The result has no column of this name.
        case missingColumn
        /// The result has several columns of this name.
        case ambiguousColumn
        /// The value is NULL.
        case null
        /// The column has another type: its OID.
        case wrongType(UInt32)
        /// The number or date is out of the requested type's range.
        case outOfRange
        /// The bytes are invalid for the type.
        case malformed
    }

    /// The column's name.
    public var column: String
    /// The reason.
    public var reason: Reason

    /// Creates an error.
    public init(column: String, reason: Reason) {
        self.column = column
        self.reason = reason
    }

    /// The column and the reason, without the value.
    public var description: String {
        switch reason {
        case .missingColumn: "The result has no column \(column)."
        case .ambiguousColumn: "The result has several columns \(column)."
        case .null: "Column \(column) is NULL."
        case .wrongType(let oid): "Column \(column) has another type (OID \(oid)). Cast it in SQL."
        case .outOfRange: "Column \(column) exceeds the range of the asked type."
        case .malformed: "Column \(column) cannot be decoded."
        }
    }
}
