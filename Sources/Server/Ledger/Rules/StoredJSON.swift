import ContentModel
import ServiceAPI
package import UserData

/// Values in columns of the database, in the JSON of the wire.
package enum StoredJSON {
    /// Encodes a record.
    package static func text(_ record: UserRecord) -> String {
        String(decoding: RecordWire.json(record).canonicalBytes, as: UTF8.self)
    }

    /// Decodes a record; `nil` if it is unreadable, such as one with a number beyond 2⁵³.
    package static func readable(_ text: String) -> UserRecord? {
        // The reason says nothing that the text, which is put aside, does not.
        guard let node = try? JSONParser.parse(Array(text.utf8)) else { return nil }
        return try? RecordWire.record(node)
    }
}
