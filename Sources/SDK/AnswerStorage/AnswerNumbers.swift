import GRDB
import ServiceAPI

/// The numbers of a run's texts in an account's tables, created if missing.
struct AnswerNumbers {
    /// A response in a row.
    enum Response {
        /// The number of a list of options.
        case number(Int64)
        /// The response itself.
        case text(String)
    }

    /// The numbers of the questions; 0 for those that no row has.
    private(set) var questions: [Int64]
    /// The numbers of the sessions; 0 for those that no row has.
    private(set) var sessions: [Int64]
    /// The responses.
    private(set) var responses: [Response]

    /// Finds or adds each text that a row has.
    ///
    /// - Throws: An error of the database.
    init(of answers: EncodedAnswers, account: Int64, in database: Database) throws {
        questions = [Int64](repeating: 0, count: answers.questions.count)
        sessions = [Int64](repeating: 0, count: answers.sessions.count)
        responses = [Response](repeating: .number(0), count: answers.responses.count)
        let questionNumbers = try Self.questions(database, account)
        let sessionNumbers = try Self.sessions(database, account)
        let responseNumbers = try Self.responses(database, account)
        var isKnown = [Bool](repeating: false, count: answers.responses.count)
        for case let row? in answers.rows {
            let (question, session) = (Int(row.question), Int(row.session))
            if questions[question] == 0 {
                let value = answers.questions[question]
                questions[question] = try questionNumbers.number(
                    of: [value.bank, value.question, value.domain, value.version])
            }
            if sessions[session] == 0 {
                let value = answers.sessions[session]
                sessions[session] = try sessionNumbers.number(of: [value.session, value.mode])
            }
            let response = Int(row.response)
            if !isKnown[response] {
                isKnown[response] = true
                let options = answers.responses[response]
                let text = StoredTexts.text(options)
                responses[response] =
                    options.first?.hasPrefix("#") == true
                    ? .text(text) : .number(try responseNumbers.number(of: [text]))
            }
        }
    }

    private static func questions(_ database: Database, _ account: Int64) throws -> TextTable {
        try TextTable(
            database, account,
            selection: """
                SELECT number FROM answerQuestion WHERE account = ? AND bank = ? AND question = ?
                    AND domain IS ? AND version = ?
                """,
            insertion: """
                INSERT INTO answerQuestion (account, bank, question, domain, version)
                VALUES (?, ?, ?, ?, ?)
                """)
    }

    private static func sessions(_ database: Database, _ account: Int64) throws -> TextTable {
        try TextTable(
            database, account,
            selection: """
                SELECT number FROM answerSession WHERE account = ? AND session = ? AND mode = ?
                """,
            insertion: "INSERT INTO answerSession (account, session, mode) VALUES (?, ?, ?)")
    }

    private static func responses(_ database: Database, _ account: Int64) throws -> TextTable {
        try TextTable(
            database, account,
            selection: "SELECT number FROM answerResponse WHERE account = ? AND options = ?",
            insertion: "INSERT INTO answerResponse (account, options) VALUES (?, ?)")
    }
}

/// A table that numbers texts of an account.
private struct TextTable {
    private let database: Database
    private let account: Int64
    private let selection: BoundStatement
    private let insertion: BoundStatement

    init(
        _ database: Database, _ account: Int64, selection: String, insertion: String
    ) throws {
        self.database = database
        self.account = account
        self.selection = try BoundStatement(database, selection)
        self.insertion = try BoundStatement(database, insertion)
    }

    /// Returns the number of texts, adding them if they are new.
    func number(of texts: [String?]) throws -> Int64 {
        try bind(texts, to: selection)
        if let number = try selection.integer() { return number }
        try bind(texts, to: insertion)
        try insertion.run()
        return database.lastInsertedRowID
    }

    private func bind(_ texts: [String?], to statement: BoundStatement) throws {
        try statement.bind(account, at: 1)
        for (index, text) in texts.enumerated() {
            try statement.bind(text, at: Int32(index) + 2)
        }
    }
}
