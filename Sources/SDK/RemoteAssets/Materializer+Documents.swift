public import Foundation

extension Materializer where Value == Data {
    /// A materializer that returns the bytes unchanged.
    public static var data: Materializer { Materializer { data, _ in data } }
}

extension Materializer where Value == String {
    /// A materializer of text in UTF-8; it removes a byte order mark at its start.
    public static var text: Materializer {
        Materializer { data, _ in
            guard let text = String(validating: data, as: UTF8.self) else {
                throw AssetError(.refused, "It is not text in UTF-8. Save it so.")
            }
            return text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        }
    }

    /// A materializer of a script for an interpreter of the app: not blank, at most 256 KiB, and without control
    /// characters that scripts do not use.
    public static var script: Materializer {
        text.limited(to: 256 << 10).accepting { text in
            let isScript = text.unicodeScalars.allSatisfy { scalar in
                scalar.value >= 0x20 && scalar.value != 0x7F
                    || "\t\n\r".unicodeScalars.contains(scalar)
            }
            guard isScript, text.contains(where: { !$0.isWhitespace }) else {
                throw AssetError(.refused, "It is blank or no text of a script. Correct the file.")
            }
        }
    }
}

extension Materializer where Value: Decodable {
    /// Returns a materializer of JSON as a Swift type.
    ///
    /// Assets are decoded outside of the main actor. In a target whose default isolation is the main actor, declare the
    /// type as `nonisolated`: `nonisolated struct PolicyLinks: Codable`.
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - makeDecoder: Returns the decoder, for other dates or names.
    /// - Returns: A materializer that rejects undecodable bytes.
    public static func json(
        _ type: Value.Type = Value.self,
        makeDecoder: @escaping @Sendable () -> JSONDecoder = { JSONDecoder() }
    ) -> Materializer {
        Materializer { data, _ in
            try refusing { try makeDecoder().decode(Value.self, from: data) }
        }
    }

    /// Returns a materializer of a property list, XML or binary, as a Swift type.
    public static func propertyList(_ type: Value.Type = Value.self) -> Materializer {
        Materializer { data, _ in
            try refusing { try PropertyListDecoder().decode(Value.self, from: data) }
        }
    }

    /// Converts an error of a decoder to one sentence with the place.
    private static func refusing(_ decode: () throws -> Value) throws -> Value {
        do {
            return try decode()
        } catch let error as DecodingError {
            throw AssetError(.refused, "\(error.sentence) Correct the file.", cause: error)
        }
    }
}

extension DecodingError {
    /// The place and reason of the failure, without the document's values.
    var sentence: String {
        let (context, more): (Context, [any CodingKey]) =
            switch self {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                (context, [])
            case .keyNotFound(let key, let context): (context, [key])
            @unknown default: (Context(codingPath: [], debugDescription: "\(self)"), [])
            }
        let path = (context.codingPath + more).map { key in
            key.intValue.map { "[\($0)]" } ?? key.stringValue
        }
        let place = path.isEmpty ? "" : "At \(path.joined(separator: ".")): "
        let text = place + context.debugDescription
        return text.hasSuffix(".") ? text : text + "."
    }
}
