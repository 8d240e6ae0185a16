import AnswerStorage
import GRDB
import ServiceAPI
import UserData

/// The answers of one session, which has one for each question.
extension ResponseStorage {
    /// Returns the answers of a session, of all banks.
    func rows(ofSession session: String) throws -> [AnswerRow] {
        let statement = try BoundStatement(
            database,
            """
            SELECT \(AnswerReader.columns) FROM answerAccount
                JOIN answerSession ON answerSession.account = answerAccount.number
                JOIN answerRow ON answerRow.session = answerSession.number
            WHERE user = ? AND answerSession.session = ?
            """)
        try statement.bind(user, at: 1)
        try statement.bind(session, at: 2)
        return try AnswerReader(database).answers(statement).answers.answers.compactMap { $0 }
    }

    /// Verifies that the questions of newly added answers have no other answer in their session.
    ///
    /// - Throws: `ConcurrentAnswerError`.
    func checkAreOnly(_ added: [AnswerRow], of session: String) throws {
        guard !added.isEmpty else { return }
        let questions = Set(added.map(QuestionOfBank.init))
        let count = try rows(ofSession: session).count { questions.contains(QuestionOfBank($0)) }
        guard count == added.count else { throw ConcurrentAnswerError() }
    }
}

/// The error of a transaction during which another process saved answers to the same questions.
struct ConcurrentAnswerError: Error {}

/// The name of a question within all banks.
struct QuestionOfBank: Hashable {
    let bank: String
    let question: String

    init(_ row: AnswerRow) {
        bank = row.bank
        question = row.question
    }
}

extension AnswerRow {
    /// Returns true if this saved row is the answer of a session's row to the same question, with the same rating.
    ///
    /// It may have a later time than the session's if the clock had been set back, see `DeviceClock.placed`.
    func isSameAnswer(as given: AnswerRow) -> Bool {
        options == given.options && milliseconds >= given.milliseconds && rating == given.rating
    }
}
