/// An encoded value of a result; valid as long as it is referenced, on any thread.
///
/// ```swift
/// struct Score: PostgresDecodable {
///     var points: Int
///     static func decode(_ field: PostgresField) throws(PostgresDecodingError.Reason) -> Score {
///         Score(points: try Int.decode(field))
///     }
/// }
/// ```
public struct PostgresField: Sendable {
    let result: LibpqResult
    let row: Int32
    let column: Int32

    /// True for NULL.
    public var isNull: Bool { result.isNull(row, column) }
    /// The column's type.
    public var type: PostgresType { result.columns.types[Int(column)] }

    /// Returns the bytes of the value's binary form.
    ///
    /// - Throws: `null`.
    public func bytes() throws(PostgresDecodingError.Reason) -> PostgresBinaryReader {
        guard !isNull else { throw .null }
        return PostgresBinaryReader(
            result: result, row: row, column: column, start: 0,
            count: result.length(row, column))
    }
}

/// The bytes of a value in a result; every access is checked.
public struct PostgresBinaryReader: Sendable {
    let result: LibpqResult
    let row: Int32
    let column: Int32
    let start: Int
    /// The number of bytes.
    public let count: Int

    /// Reads an integer in network byte order.
    ///
    /// - Throws: `malformed` if the bytes are too short.
    public func load<Number: FixedWidthInteger>(
        _ offset: Int, as type: Number.Type
    ) throws(PostgresDecodingError.Reason) -> Number {
        guard offset >= 0, offset <= count - Number.bitWidth / 8 else { throw .malformed }
        return result.load(row, column, start + offset, as: type)
    }

    /// Reads an integer that fills all bytes.
    ///
    /// - Throws: `malformed` for another length.
    public func whole<Number: FixedWidthInteger>(
        as type: Number.Type
    ) throws(PostgresDecodingError.Reason) -> Number {
        guard count == Number.bitWidth / 8 else { throw .malformed }
        return try load(0, as: type)
    }

    /// Returns a part of the bytes.
    ///
    /// - Throws: `malformed` if the bytes are too short.
    public func slice(
        _ offset: Int, _ length: Int
    ) throws(PostgresDecodingError.Reason) -> PostgresBinaryReader {
        guard offset >= 0, length >= 0, offset <= count - length else { throw .malformed }
        return PostgresBinaryReader(
            result: result, row: row, column: column, start: start + offset, count: length)
    }

    /// Returns the bytes from an offset on.
    public func array(from offset: Int) -> [UInt8] {
        guard offset < count else { return [] }
        return result.array(row, column, start + offset, count - offset)
    }

    /// Decodes the bytes from an offset on as UTF-8; returns `nil` for invalid bytes and for NUL.
    public func text(from offset: Int) -> String? {
        guard offset < count else { return "" }
        return result.text(row, column, start + offset, count - offset)
    }
}
