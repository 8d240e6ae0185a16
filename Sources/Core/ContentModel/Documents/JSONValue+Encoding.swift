import Foundation

extension JSONValue {
    /// Makes the JSON of a value.
    ///
    /// - Parameter value: The value; numbers in it that are not finite become text, as JSON has none.
    /// - Throws: What the value's own encoding throws.
    package init(encoding value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        self = try JSONParser.parse(Array(try encoder.encode(value))).value
    }

    /// Makes a value of the JSON that `init(encoding:)` gives for it.
    ///
    /// - Throws: `DecodingError` where something is missing or does not fit.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        return try decoder.decode(type, from: Data(canonicalBytes))
    }
}
