/// A type that can be decoded from a column of a result.
public protocol PostgresDecodable {
    /// Decodes a field.
    ///
    /// - Throws: The reason why the value cannot be decoded.
    static func decode(_ field: PostgresField) throws(PostgresDecodingError.Reason) -> Self
}

extension Optional: PostgresDecodable where Wrapped: PostgresDecodable {
    /// Decodes a value, or `nil` from NULL.
    public static func decode(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> Wrapped? {
        field.isNull ? nil : try Wrapped.decode(field)
    }
}

extension Array: PostgresDecodable where Element: PostgresArrayElement {
    /// Decodes a one-dimensional array, or bytea as `[UInt8]`.
    public static func decode(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> [Element] {
        try Element.decodeArray(field)
    }
}
