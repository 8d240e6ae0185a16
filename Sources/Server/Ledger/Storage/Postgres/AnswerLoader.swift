package import PostgresDriver
import ServiceAPI
import Tables
package import UserData

/// A reader of runs of stored answers.
package struct AnswerLoader {
    private let spans: [AnswerSpan]
    private let bytesMax: Int

    init(_ spans: [AnswerSpan], bytesMax: Int = .max) {
        self.spans = spans
        self.bytesMax = bytesMax
    }

    /// Reads as many answers as the limit on bytes allows, at least one: first their numbers, then the names of these.
    ///
    /// - Parameters:
    ///   - transaction: The transaction.
    ///   - first: Statements that are executed in the same round trip as the first of these.
    /// - Returns: The answers.
    /// - Throws: `StorageError` `damaged` when one is missing, or an error of the database.
    func page(
        in transaction: PostgresTransaction, after first: [PostgresStatement] = []
    ) throws -> AnswerPage {
        let results = try transaction.pipeline(first + (spans.isEmpty ? [] : [rows]))
        guard !spans.isEmpty, let rows = results.last else { return AnswerPage() }
        return try page(rows, transaction.query(names(in: rows)))
    }

    /// Computes the digest of a device's answers, in constant memory.
    package static func digest(
        of client: ClientID, through last: UInt64, in transaction: PostgresTransaction
    ) throws -> SetDigest {
        var digest = SetDigest()
        for first in stride(from: UInt64(1), through: last, by: 10_000) {
            let count = Int(min(last, first + 9_999) - first + 1)
            let span = AnswerSpan(client: client, first: first, count: count)
            for run in try AnswerLoader([span]).page(in: transaction).runs {
                digest.add(run.digest)
            }
        }
        return digest
    }

    private var rows: PostgresStatement {
        """
        SELECT * FROM underway.answers_1(
            \(spans.map(\.client.text)), \(spans.map { Int64($0.first) }),
            \(spans.map { Int64($0.last) }), \(Int64(bytesMax)))
        """
    }

    private func names(in rows: PostgresResult) throws -> PostgresStatement {
        func numbers(_ column: String) throws -> [Int32] {
            Set(try rows.column(column, as: Int32?.self).compactMap(\.self)).sorted()
        }
        return """
            SELECT * FROM underway.answer_names_1(
                \(try numbers("question")), \(try numbers("options")), \(try numbers("session")))
            """
    }

    private func page(_ rows: PostgresResult, _ names: PostgresResult) throws -> AnswerPage {
        var page = AnswerPage()
        var (decoder, bytes, place) = (try AnswerDecoder(names), 0, 0)
        for (index, span) in spans.enumerated() {
            while place < rows.count, try rows[place].value("place", as: Int.self) == index + 1 {
                bytes += try decoder.add(rows[place])
                place += 1
                page.hasMore = bytes > bytesMax && place > 1
                if page.hasMore { break }
            }
            let answers = decoder.finish(droppingLast: page.hasMore)
            if !answers.rows.isEmpty {
                let part = AnswerSpan(
                    client: span.client, first: span.first, count: answers.rows.count)
                page.runs.append(AnswerColumns(span: part, encoded: answers))
            }
            if page.hasMore { return page }
            guard answers.rows.count == span.count else { throw StorageError.damaged("answers") }
        }
        return page
    }
}

/// Makes answers in dictionary encoding of rows of numbers.
struct AnswerDecoder {
    private enum Response: Hashable {
        case number(Int32)
        case text(String)
    }

    private var questions: [Int32: EncodedAnswers.Question] = [:]
    private var sessions: [Int32: EncodedAnswers.Session] = [:]
    private var options: [Int32: [String]] = [:]
    private var asked = EncodedAnswers.Distinct<Int32>()
    private var studied = EncodedAnswers.Distinct<Int32>()
    private var given = EncodedAnswers.Distinct<Response>()
    private var rows: [EncodedAnswers.Row?] = []

    /// Takes the rows of `answer_names_1`.
    init(_ names: PostgresResult) throws {
        for row in names {
            let number: Int32 = try row.value("number")
            let text: String = try row.value("text")
            switch try row.value("kind", as: String.self) {
            case "version":
                questions[number] = EncodedAnswers.Question(
                    bank: try row.value("bank"), question: try row.value("question"),
                    domain: try row.value("domain"), version: text)
            case "session":
                sessions[number] = EncodedAnswers.Session(
                    session: try row.value("domain"), mode: text)
            default: options[number] = StoredTexts.texts(text)
            }
        }
    }

    /// Adds a row of `answers_1`, and returns the bytes of the answer.
    mutating func add(_ row: PostgresRow) throws -> Int {
        guard let question = try row.value("question", as: Int32?.self) else {
            rows.append(nil)
            return 1
        }
        let session: Int32 = try row.value("session")
        let response =
            try row.value("options", as: Int32?.self).map(Response.number)
            ?? .text(try row.value("response"))
        rows.append(
            try EncodedAnswers.Row(
                row, question: asked.index(of: question), session: studied.index(of: session),
                response: given.index(of: response)))
        guard let question = questions[question], let session = sessions[session] else {
            throw StorageError.damaged("answers")
        }
        return 64 + question.bytes + session.bytes + bytes(of: response)
    }

    /// Returns the answers since the last call, and begins anew.
    mutating func finish(droppingLast: Bool) -> EncodedAnswers {
        defer { (asked, studied, given, rows) = (.init(), .init(), .init(), []) }
        return EncodedAnswers(
            questions: asked.values.compactMap { questions[$0] },
            sessions: studied.values.compactMap { sessions[$0] },
            responses: given.values.map(texts), rows: droppingLast ? rows.dropLast() : rows)
    }

    private func texts(_ response: Response) -> [String] {
        switch response {
        case .number(let number): options[number] ?? []
        case .text(let text): StoredTexts.texts(text)
        }
    }

    private func bytes(of response: Response) -> Int {
        texts(response).reduce(0) { $0 + $1.utf8.count + 3 }
    }
}

extension EncodedAnswers.Question {
    fileprivate var bytes: Int {
        bank.utf8.count + question.utf8.count + (domain?.utf8.count ?? 0) + version.utf8.count
    }
}

extension EncodedAnswers.Session {
    fileprivate var bytes: Int { session.utf8.count + mode.utf8.count }
}
