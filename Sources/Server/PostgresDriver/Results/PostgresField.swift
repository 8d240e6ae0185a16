/// A value of a result, still encoded; valid as long as it is referenced, wherever it goes.
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
    /// True when the result has the column in binary form.
    public var isBinary: Bool { result.isBinary(column) }

    /// Returns the bytes of a value in binary form.
    ///
    /// - Throws: `null`, or `wrongType` for a result in text format.
    public func binary() throws(PostgresDecodingError.Reason) -> PostgresBinaryReader {
        guard isBinary else { throw .wrongType(type.rawValue) }
        return try bytes()
    }

    /// Returns the bytes of a value in either form.
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
    /// - Throws: `malformed` when the bytes end before it does.
    public func load<Number: FixedWidthInteger>(
        _ offset: Int, as type: Number.Type
    ) throws(PostgresDecodingError.Reason) -> Number {
        guard offset >= 0, offset <= count - Number.bitWidth / 8 else { throw .malformed }
        return result.load(row, column, start + offset, as: type)
    }

    /// Reads an integer that has no byte before or after it.
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
    /// - Throws: `malformed` when the bytes end before it does.
    public func slice(
        _ offset: Int, _ length: Int
    ) throws(PostgresDecodingError.Reason) -> PostgresBinaryReader {
        guard offset >= 0, length >= 0, offset <= count - length else { throw .malformed }
        return PostgresBinaryReader(
            result: result, row: row, column: column, start: start + offset, count: length)
    }

    /// Copies the bytes from an offset on.
    public func array(from offset: Int) -> [UInt8] {
        guard offset < count else { return [] }
        return result.array(row, column, start + offset, count - offset)
    }

    /// Decodes the bytes from an offset on as UTF-8; `nil` for other bytes, and for NUL.
    public func text(from offset: Int) -> String? {
        guard offset < count else { return "" }
        return result.text(row, column, start + offset, count - offset)
    }
}
