package import GRDB
package import ServiceAPI

/// A reader of answers from the tables, within a transaction that the caller opened.
package struct AnswerReader {
    /// The columns with which a statement must begin, in the order in which its rows are read.
    package static let columns =
        "answerRow.question, answerRow.session, answerRow.response, "
        + AnswerSchema.numbers { "answerRow.\($0)" }

    /// Answers that were read.
    package struct Result {
        /// The answers.
        package var answers: EncodedAnswers
        /// The size of the answers together, in bytes.
        package var bytes: Int
        /// True when the limit on bytes excluded some.
        package var hasMore: Bool
    }

    private let database: Database
    private let questions: BoundStatement
    private let sessions: BoundStatement
    private let responses: BoundStatement

    /// Creates a reader.
    ///
    /// - Throws: An error of the database.
    package init(_ database: Database) throws {
        self.database = database
        questions = try BoundStatement(
            database,
            "SELECT bank, question, domain, version FROM answerQuestion WHERE number = ?")
        sessions = try BoundStatement(
            database, "SELECT session, mode FROM answerSession WHERE number = ?")
        responses = try BoundStatement(
            database, "SELECT options FROM answerResponse WHERE number = ?")
    }

    /// Reads answers of a device in the order of their numbers.
    ///
    /// - Parameters:
    ///   - device: The device's number.
    ///   - first: The number of the first answer.
    ///   - last: The number of the last answer.
    ///   - bytesMax: The maximum size of the answers together, each as `AnswerRow.estimatedBytes`; the first is read
    ///     regardless of its size.
    /// - Returns: The existing answers.
    /// - Throws: An error of the database.
    package func answers(
        of device: Int64, from first: Int64, through last: Int64, bytesMax: Int = .max
    ) throws -> Result {
        let statement = try BoundStatement(
            database,
            """
            SELECT \(Self.columns) FROM answerRow
            WHERE device = ? AND counter BETWEEN ? AND ? ORDER BY counter
            """)
        try statement.bind(device, at: 1)
        try statement.bind(first, at: 2)
        try statement.bind(last, at: 3)
        return try answers(statement, bytesMax: bytesMax)
    }

    /// Reads the rows of a statement that begins with `columns`.
    ///
    /// - Throws: An error of the database.
    package func answers(
        _ statement: BoundStatement, bytesMax: Int = .max
    ) throws -> Result {
        defer { statement.reset() }
        var questions = Texts<Int64, EncodedAnswers.Question>()
        var sessions = Texts<Int64, EncodedAnswers.Session>()
        var responses = Texts<Response, [String]>()
        var rows: [EncodedAnswers.Row?] = []
        var (bytes, hasMore) = (0, false)
        while try statement.next() {
            guard !statement.isNull(0) else {
                hasMore = bytes + 1 > bytesMax && !rows.isEmpty
                if hasMore { break }
                bytes += 1
                rows.append(nil)
                continue
            }
            let question = try questions.index(of: statement.integer(0), question)
            let session = try sessions.index(of: statement.integer(1), session)
            let response = try responses.index(of: Self.response(statement), texts)
            let size =
                64 + questions.bytes[Int(question)] + sessions.bytes[Int(session)]
                + responses.bytes[Int(response)]
            hasMore = bytes + size > bytesMax && !rows.isEmpty
            if hasMore { break }
            bytes += size
            rows.append(
                Self.row(statement, question: question, session: session, response: response))
        }
        let answers = EncodedAnswers(
            questions: questions.values, sessions: sessions.values, responses: responses.values,
            rows: rows)
        return Result(answers: answers, bytes: bytes, hasMore: hasMore)
    }

    private static func row(
        _ statement: BoundStatement, question: Int32, session: Int32, response: Int32
    ) -> EncodedAnswers.Row {
        var place: Int32 = 2
        return EncodedAnswers.Row(question: question, session: session, response: response) {
            place += 1
            guard !statement.isNull(place) else { return nil }
            return $0 == .credit
                ? .real(statement.double(place)) : .integer(statement.integer(place))
        }
    }

    // MARK: Texts

    private enum Response: Hashable {
        case number(Int64)
        case text(String)
    }

    /// The texts of a column, each of which is read at its first occurrence.
    private struct Texts<Key: Hashable & Sendable, Value> {
        private var keys = EncodedAnswers.Distinct<Key>()
        private(set) var values: [Value] = []
        private(set) var bytes: [Int] = []

        mutating func index(
            of key: Key, _ read: (Key) throws -> (value: Value, bytes: Int)
        ) throws -> Int32 {
            let index = keys.index(of: key)
            if Int(index) == values.count {
                let text = try read(key)
                values.append(text.value)
                bytes.append(text.bytes)
            }
            return index
        }
    }

    private static func response(_ statement: BoundStatement) -> Response {
        statement.isText(2)
            ? .text(statement.text(2) ?? "") : .number(statement.integer(2))
    }

    private func question(
        _ number: Int64
    ) throws -> (value: EncodedAnswers.Question, bytes: Int) {
        defer { questions.reset() }
        try select(number, from: questions)
        let value = EncodedAnswers.Question(
            bank: questions.text(0) ?? "", question: questions.text(1) ?? "",
            domain: questions.text(2), version: questions.text(3) ?? "")
        let bytes =
            value.bank.utf8.count + value.question.utf8.count + (value.domain?.utf8.count ?? 0)
            + value.version.utf8.count
        return (value, bytes)
    }

    private func session(_ number: Int64) throws -> (value: EncodedAnswers.Session, bytes: Int) {
        defer { sessions.reset() }
        try select(number, from: sessions)
        let value = EncodedAnswers.Session(
            session: sessions.text(0) ?? "", mode: sessions.text(1) ?? "")
        return (value, value.session.utf8.count + value.mode.utf8.count)
    }

    private func texts(_ response: Response) throws -> (value: [String], bytes: Int) {
        let options: [String]
        switch response {
        case .text(let text): options = StoredTexts.texts(text)
        case .number(let number):
            defer { responses.reset() }
            try select(number, from: responses)
            options = StoredTexts.texts(responses.text(0) ?? "[]")
        }
        return (options, options.reduce(0) { $0 + $1.utf8.count + 3 })
    }

    /// Steps to the row of a number.
    ///
    /// - Throws: `DatabaseError` `SQLITE_CORRUPT` when there is none.
    private func select(_ number: Int64, from statement: BoundStatement) throws {
        try statement.bind(number, at: 1)
        guard try statement.next() else {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "the text of an answer is missing")
        }
    }
}
