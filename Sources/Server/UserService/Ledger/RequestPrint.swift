import ContentModel
import Crypto
import Foundation
package import ServiceAPI
import UserData

/// The hashes of a request and of its operations, by which a repetition is told from a request that
/// only has the same number.
package struct RequestPrint: Sendable {
    /// The hash of everything in the request.
    let request: Data
    /// The hash of each operation, by its counter.
    let operations: [UInt64: Data]

    /// Hashes a request; 10,000 answers take some milliseconds.
    package init(_ call: ExchangeCall) {
        var whole = SHA256()
        let bare = ExchangeCall(request: call.request, answers: [])
        whole.update(data: bare.json.canonicalBytes)
        for columns in call.answers { Self.add(columns, to: &whole) }
        request = Self.short(whole.finalize())
        var hashes: [UInt64: Data] = [:]
        for operation in call.request.operations {
            hashes[operation.id.counter] = Self.hash(operation)
        }
        operations = hashes
    }

    /// Hashes what a device never changes once an operation was sent; what its author saw may be put in
    /// other words after a reply.
    private static func hash(_ operation: ChangeOperation) -> Data {
        var operation = operation
        operation.seenRevision = 0
        operation.follows = nil
        operation.seenWrites = [:]
        return short(SHA256.hash(data: OperationWire.json(operation).canonicalBytes))
    }

    private static func add(_ columns: AnswerColumns, to hash: inout SHA256) {
        var text = "\(columns.span.client.text) \(columns.span.first) \(columns.rows.count)\n"
        for row in columns.rows {
            text += row.map(Self.text) ?? "-"
            text += "\n"
        }
        hash.update(data: Array(text.utf8))
    }

    private static func text(_ row: AnswerRow) -> String {
        let texts = [row.bank, row.session, row.question, row.domain ?? "", row.version, row.mode]
        return (texts + row.options).joined(separator: "\u{1}")
            + "\u{1}\(row.isCorrect)\(row.credit) \(row.rating ?? 0) \(row.takenMilliseconds)"
            + " \(row.exposuresBefore)\(row.isRandomlySelected)\(row.milliseconds)"
    }

    private static func short(_ digest: SHA256.Digest) -> Data { Data(digest.prefix(16)) }
}
