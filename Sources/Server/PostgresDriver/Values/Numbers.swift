extension Int: PostgresInteger {
    /// The integer of the same width.
    public typealias Wire = Int64
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.int8, .int8Array) }
}

extension Int64: PostgresInteger {
    /// The integer of the same width.
    public typealias Wire = Int64
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.int8, .int8Array) }
}

extension Int32: PostgresInteger {
    /// The integer of the same width.
    public typealias Wire = Int32
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.int4, .int4Array) }
}

extension Int16: PostgresInteger {
    /// The integer of the same width.
    public typealias Wire = Int16
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.int2, .int2Array) }
}

extension Bool: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.bool, .boolArray) }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        writer.append(UInt8(self ? 1 : 0))
        return nil
    }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Bool {
        guard type == .bool else { throw .wrongType(type.rawValue) }
        return try bytes.whole(as: UInt8.self) != 0
    }
}

extension Double: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.float8, .float8Array) }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        writer.append(bitPattern)
        return nil
    }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Double {
        switch type {
        case .float8: Double(bitPattern: try bytes.whole(as: UInt64.self))
        case .float4: Double(Float(bitPattern: try bytes.whole(as: UInt32.self)))
        default: throw .wrongType(type.rawValue)
        }
    }
}

extension Float: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.float4, .float4Array) }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        writer.append(bitPattern)
        return nil
    }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Float {
        guard type == .float4 else { throw .wrongType(type.rawValue) }
        return Float(bitPattern: try bytes.whole(as: UInt32.self))
    }
}
