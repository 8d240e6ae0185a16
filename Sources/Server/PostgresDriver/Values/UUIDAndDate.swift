public import Foundation

extension Data: PostgresEncodable, PostgresDecodable {
    /// The bytes as bytea.
    public var postgresValue: PostgresValue { [UInt8](self).postgresValue }

    /// Decodes bytea.
    public static func decode(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> Data {
        Data(try [UInt8].decode(field))
    }
}

extension UUID: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.uuid, .uuidArray) }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        let (high, low) = unsafe unsafeBitCast(uuid, to: (UInt64, UInt64).self)
        writer.append(UInt64(bigEndian: high))
        writer.append(UInt64(bigEndian: low))
        return nil
    }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> UUID {
        guard type == .uuid else { throw .wrongType(type.rawValue) }
        guard bytes.count == 16 else { throw .malformed }
        let halves = (
            try bytes.load(0, as: UInt64.self).bigEndian,
            try bytes.load(8, as: UInt64.self).bigEndian
        )
        return UUID(uuid: unsafe unsafeBitCast(halves, to: uuid_t.self))
    }
}

extension Date: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) {
        (.timestamptz, .timestamptzArray)
    }

    /// The seconds from the server's origin (2000-01-01) to Foundation's (2001-01-01).
    private static var originDistance: Double { 366 * 86_400 }
    /// The server's years are -4712 to 294276; beyond it refuses, and a reader would overflow.
    private static var microsecondsMax: Double { 9.2e18 }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        let microseconds = ((timeIntervalSinceReferenceDate + Self.originDistance) * 1e6).rounded()
        guard abs(microseconds) < Self.microsecondsMax else { return .datetimeOverflow }
        writer.append(Int64(microseconds))
        return nil
    }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> Date {
        guard type == .timestamptz else { throw .wrongType(type.rawValue) }
        let microseconds = try bytes.whole(as: Int64.self)
        // The extremes are 'infinity' and '-infinity'.
        guard microseconds != .max, microseconds != .min else { throw .outOfRange }
        let (seconds, fraction) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return Date(
            timeIntervalSinceReferenceDate: Double(seconds) - originDistance + Double(fraction)
                / 1e6)
    }
}
