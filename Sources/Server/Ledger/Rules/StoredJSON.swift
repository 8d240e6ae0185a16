import ContentModel
import ServiceAPI
package import UserData

/// Values in columns of the database, in the same JSON as on the wire.
package enum StoredJSON {
    /// Writes a record.
    package static func text(_ record: UserRecord) -> String {
        String(decoding: RecordWire.json(record).canonicalBytes, as: UTF8.self)
    }

    /// Reads a record; `nil` when it cannot be read, such as one with a number beyond 2⁵³.
    package static func readable(_ text: String) -> UserRecord? {
        // The reason says nothing that the text, which is put aside, does not.
        guard let node = try? JSONParser.parse(Array(text.utf8)) else { return nil }
        return try? RecordWire.record(node)
    }
}
