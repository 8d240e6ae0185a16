import ContentModel
import Foundation
import ServiceAPI
package import UserData

/// The conversion between values of the app and fields, by way of JSON.
package enum FieldCoding {
    static func fields(_ value: some Encodable) throws -> [String: FieldValue] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom(RecordDate.encode)
        do {
            let node = try JSONParser.parse([UInt8](try encoder.encode(value)))
            return try FieldWire.fields(node, "record")
        } catch let failure as WireError {
            throw StoreError(
                .refused, "The record cannot be saved: \(failure). Correct it.", cause: failure)
        } catch {
            throw StoreError(
                .refused,
                "The record cannot be saved: it does not encode as JSON. Give each number a finite value.",
                cause: error)
        }
    }

    /// Reads fields as a type; `nil` if they are of another shape.
    package static func value<Value: Decodable>(
        _ type: Value.Type, _ fields: [String: FieldValue]
    ) -> Value? {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(RecordDate.decode)
        return try? decoder.decode(type, from: Data(FieldWire.json(fields).canonicalBytes))
    }
}
