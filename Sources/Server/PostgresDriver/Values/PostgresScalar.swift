/// A type with a binary form, which scalars and elements of arrays share.
public protocol PostgresScalar: PostgresEncodable, PostgresArrayElement, PostgresDecodable {
    /// The types of a parameter and of an array of it.
    static var types: (scalar: PostgresType, array: PostgresType) { get }
    /// Appends the binary form without its length; returns a code for a value that cannot be encoded.
    func write(to writer: inout PostgresBinaryWriter) -> SQLState?
    /// Reads the binary form.
    static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Self
}

extension PostgresScalar {
    /// The value in binary form.
    public var postgresValue: PostgresValue {
        var writer = PostgresBinaryWriter()
        if let refusal = write(to: &writer) {
            return PostgresValue(Self.types.scalar, .refused(refusal))
        }
        return .binary(Self.types.scalar, writer.bytes)
    }

    /// Encodes the array in binary form.
    public static func encodeArray(_ values: [Self]) -> PostgresValue {
        ArrayFormat.encode(values.lazy.map(Optional.some), count: values.count)
    }

    /// Decodes a one-dimensional array without NULL.
    public static func decodeArray(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> [Self] {
        var values: [Self] = []
        for value: Self? in try ArrayFormat.decode(field) {
            guard let value else { throw .null }
            values.append(value)
        }
        return values
    }

    /// Decodes the binary form.
    public static func decode(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> Self {
        try read(try field.bytes(), field.type)
    }
}

/// An integer that is encoded as one type and decoded from every integer type whose value fits.
public protocol PostgresInteger: PostgresScalar, FixedWidthInteger {
    /// The integer of the same width as the parameter's type.
    associatedtype Wire: FixedWidthInteger
}

extension PostgresInteger {
    /// Appends the integer in network byte order.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        writer.append(Wire(truncatingIfNeeded: self))
        return nil
    }

    /// Reads an integer of any width that fits.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Self {
        let wide: Int64 =
            switch type {
            case .int2: Int64(try bytes.whole(as: Int16.self))
            case .int4: Int64(try bytes.whole(as: Int32.self))
            case .int8: try bytes.whole(as: Int64.self)
            case .oid: Int64(try bytes.whole(as: UInt32.self))
            default: throw .wrongType(type.rawValue)
            }
        guard let value = Self(exactly: wide) else { throw .outOfRange }
        return value
    }
}
