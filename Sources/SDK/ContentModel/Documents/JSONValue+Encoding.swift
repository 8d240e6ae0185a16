import Foundation

extension JSONValue {
    /// Creates the JSON of a value.
    ///
    /// - Parameter value: The value; numbers that are not finite become text, as JSON has none.
    /// - Throws: The error of the value's own encoding.
    package init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        self = try JSONParser.parse(Array(try encoder.encode(value))).value
    }

    /// Decodes a value from the JSON that `init(encoding:)` creates.
    ///
    /// - Throws: `DecodingError` where something is missing or has another type.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(canonicalBytes))
    }
}
