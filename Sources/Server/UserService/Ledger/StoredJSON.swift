import ContentModel
import ServiceAPI
package import UserData

/// GRDB has a class of the same name.
package typealias Record = UserData.Record

/// Values in columns of the database, in the same JSON as on the wire.
enum StoredJSON {
    static func text(_ record: Record) -> String {
        String(decoding: RecordWire.json(record).canonicalBytes, as: UTF8.self)
    }

    static func record(_ text: String) throws -> Record {
        do {
            return try RecordWire.record(try JSONParser.parse(Array(text.utf8)))
        } catch {
            throw LedgerError.damaged("record: \(error)")
        }
    }

    static func text(_ result: OperationResult, _ counter: UInt64) -> String {
        String(decoding: ResultWire.json(result, counter: counter).canonicalBytes, as: UTF8.self)
    }

    static func result(_ text: String) throws -> OperationResult {
        do {
            return try ResultWire.result(try JSONParser.parse(Array(text.utf8)), "").1
        } catch {
            throw LedgerError.damaged("result: \(error)")
        }
    }
}
