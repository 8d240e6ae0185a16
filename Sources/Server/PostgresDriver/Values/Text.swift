extension String: PostgresScalar {
    /// The types of a scalar and of an array.
    public static var types: (scalar: PostgresType, array: PostgresType) { (.text, .textArray) }

    /// The text, of a type that the server infers.
    public var postgresValue: PostgresValue {
        // libpq ends a text at its first NUL: what follows would be lost without a word.
        utf8.contains(0)
            ? PostgresValue(.unspecified, .refused(.characterNotInRepertoire))
            : PostgresValue(.unspecified, .text(Array(utf8)))
    }

    /// Appends the binary form.
    public func write(to writer: inout PostgresBinaryWriter) -> SQLState? {
        guard !utf8.contains(0) else { return .characterNotInRepertoire }
        writer.append(utf8)
        return nil
    }

    /// The OIDs from here on are of types that a database declares: an enumeration's binary form is its text.
    private static var firstDeclaredType: UInt32 { 16_384 }

    /// Reads the binary form.
    public static func read(
        _ bytes: PostgresBinaryReader, _ type: PostgresType
    ) throws(PostgresDecodingError.Reason) -> String {
        var start = 0
        switch type {
        case .text, .varchar, .bpchar, .name, .json, .unknown, .void: break
        case .jsonb:
            // One byte of version precedes the text.
            guard try bytes.load(0, as: UInt8.self) == 1 else { throw .malformed }
            start = 1
        default:
            guard type.rawValue >= firstDeclaredType else { throw .wrongType(type.rawValue) }
        }
        guard let text = bytes.text(from: start) else { throw .malformed }
        return text
    }

    /// Decodes text, json and enumerations; every type of a result in text format.
    public static func decode(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> String {
        guard field.isBinary else {
            guard let text = try field.bytes().text(from: 0) else { throw .malformed }
            return text
        }
        return try read(try field.binary(), field.type)
    }
}

extension UInt8: PostgresArrayElement {
    /// Encodes bytes as bytea.
    public static func encodeArray(_ values: [UInt8]) -> PostgresValue { .binary(.bytea, values) }

    /// Decodes bytea, and jsonb or text as bytes.
    public static func decodeArray(
        _ field: PostgresField
    ) throws(PostgresDecodingError.Reason) -> [UInt8] {
        let bytes = try field.binary()
        switch field.type {
        case .bytea, .text, .varchar, .json: return bytes.array(from: 0)
        case .jsonb: return bytes.array(from: 1)
        default: throw .wrongType(field.type.rawValue)
        }
    }
}
