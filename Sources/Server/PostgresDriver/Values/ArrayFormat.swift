/// The binary form of a one-dimensional array: dimensions, a flag for NULL, the elements' type, then the count, the
/// lower bound, and each element with its length (-1 for NULL).
enum ArrayFormat {
    static func encode<Element: PostgresScalar>(
        _ values: some Sequence<Element?>, count: Int
    ) -> PostgresValue {
        var writer = PostgresBinaryWriter()
        writer.reserve(20 + 12 * count)
        writer.append(Int32(count == 0 ? 0 : 1))
        writer.append(Int32(0))
        writer.append(Element.types.scalar.rawValue)
        if count > 0 {
            writer.append(Int32(count))
            writer.append(Int32(1))
        }
        var hasNull = false
        for value in values {
            guard let value else {
                hasNull = true
                writer.append(Int32(-1))
                continue
            }
            let place = writer.bytes.count
            writer.append(Int32(0))
            if let refusal = value.write(to: &writer) {
                return PostgresValue(Element.types.array, .refused(refusal))
            }
            writer.replace(at: place, Int32(writer.bytes.count - place - 4))
        }
        if hasNull { writer.replace(at: 4, 1) }
        return .binary(Element.types.array, writer.bytes)
    }

    static func decode<Element: PostgresScalar>(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> [Element?] {
        let bytes = try field.binary()
        guard field.type.rawValue >= 1_000 else { throw .wrongType(field.type.rawValue) }
        let dimensions = try bytes.load(0, as: Int32.self)
        if dimensions == 0 { return [] }
        guard dimensions == 1 else { throw .malformed }
        let type = PostgresType(rawValue: try bytes.load(8, as: UInt32.self))
        let count = Int(try bytes.load(12, as: Int32.self))
        // Each element has at least its length.
        guard count >= 0, count <= bytes.count / 4 else { throw .malformed }
        var values: [Element?] = []
        values.reserveCapacity(count)
        var offset = 20
        for _ in 0..<count {
            let length = Int(try bytes.load(offset, as: Int32.self))
            offset += 4
            guard length >= 0 else {
                values.append(nil)
                continue
            }
            values.append(try Element.read(try bytes.slice(offset, length), type))
            offset += length
        }
        return values
    }
}

extension Optional: PostgresArrayElement where Wrapped: PostgresScalar {
    /// Encodes an array with NULL.
    public static func encodeArray(_ values: [Wrapped?]) -> PostgresValue {
        ArrayFormat.encode(values, count: values.count)
    }

    /// Decodes a one-dimensional array with NULL.
    public static func decodeArray(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> [Wrapped?] {
        try ArrayFormat.decode(field)
    }
}
