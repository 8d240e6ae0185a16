import ContentModel
import Crypto
import Foundation
package import ServiceAPI
import UserData

/// The hashes of a request, its operations and its answers, which distinguish a retry from another request with the
/// same number.
package struct RequestDigest: Sendable {
    /// The hash of everything in the request.
    let request: Data
    /// The hash of each operation, by its counter.
    let operations: [UInt64: Data]
    /// The hashes of the answers, run by run.
    let answers: [[UInt64]]

    /// Hashes a request; 10,000 answers take some milliseconds.
    package init(_ call: ExchangeCall) {
        var whole = SHA256()
        let bare = ExchangeCall(request: call.request, answers: [])
        whole.update(data: bare.json.canonicalBytes)
        for columns in call.answers { Self.add(columns, to: &whole) }
        request = Self.short(whole.finalize())
        var hashes: [UInt64: Data] = [:]
        for operation in call.request.operations {
            let content = OperationWire.content(operation).canonicalBytes
            hashes[operation.id.counter] = Self.short(SHA256.hash(data: content))
        }
        operations = hashes
        answers = call.answers.map(\.hashes)
    }

    /// Hashes answers as lines of text, a line an answer; the lines never change, because a server that
    /// was updated compares them with those of the build before.
    private static func add(_ columns: AnswerColumns, to hash: inout SHA256) {
        let answers = columns.encoded
        let questions = answers.questions.map { question in
            (
                bank: part(question.bank),
                rest: part(question.question) + part(question.domain ?? "")
                    + part(question.version)
            )
        }
        let sessions = answers.sessions.map { (id: part($0.session), mode: Array($0.mode.utf8)) }
        let responses = answers.responses.map { options in
            options.reduce(into: [UInt8]()) { $0 += [1] + Array($1.utf8) } + [1]
        }
        let head = "\(columns.span.client.text) \(columns.span.first) \(columns.count)\n"
        var line = Array(head.utf8)
        line.reserveCapacity(answers.rows.count * 160)
        for row in answers.rows {
            if let row {
                let (question, session) = (questions[Int(row.question)], sessions[Int(row.session)])
                line += question.bank
                line += session.id
                line += question.rest
                line += session.mode
                line += responses[Int(row.response)]
                add(row, to: &line)
            } else {
                line.append(UInt8(ascii: "-"))
            }
            line.append(UInt8(ascii: "\n"))
        }
        hash.update(data: line)
    }

    /// Returns a text with the separator behind it.
    private static func part(_ text: String) -> [UInt8] { Array(text.utf8) + [1] }

    private static func add(_ row: EncodedAnswers.Row, to line: inout [UInt8]) {
        for field in AnswerField.allCases {
            switch row[field] {
            case .integer(let value)?: line += String(value).utf8
            case .real(let value)?: line += "\(value)".utf8
            case nil: line.append(UInt8(ascii: "-"))
            }
            line.append(UInt8(ascii: " "))
        }
    }

    private static func short(_ digest: SHA256.Digest) -> Data { Data(digest.prefix(16)) }
}
