package import Foundation
import GRDB
import ServiceAPI

/// A question that the learner has answered, with its last answer.
package struct AnsweredQuestion: Sendable, Hashable, Identifiable {
    /// The question's id.
    package var id: String
    /// True if the last answer was right, by the grades of the applied corrections.
    package var isLastRight: Bool
}

/// The answers to one question in a span of time.
package struct QuestionResults: Sendable, Hashable, Identifiable {
    /// The question's id.
    package var id: String
    /// The number of answers.
    package var answerCount: Int
    /// The number of right answers, by the grades of the applied corrections.
    package var correctCount: Int

    /// Creates the results of a question.
    package init(id: String, answerCount: Int, correctCount: Int) {
        self.id = id
        self.answerCount = answerCount
        self.correctCount = correctCount
    }
}

/// What a list of a bank's questions shows about the learner's answers.
extension UserStore {
    /// Returns those of some questions that the learner has answered.
    ///
    /// Cost: O(`questions`), independent of the number of answers and of the size of the bank.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func answered(
        _ questions: [String], in bank: QuestionFilter.Bank
    ) throws -> [AnsweredQuestion] {
        try countAnswers()
        let wanted = StoredTexts.text(questions)
        return try lastAnswers(
            "card.question IN (SELECT value FROM json_each(?))", [user, bank.name, wanted])
    }

    /// Returns the ids of the questions of a bank whose last answer was wrong.
    ///
    /// Cost: O(answered questions).
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func missedQuestions(of bank: QuestionFilter.Bank) throws -> Set<String> {
        try countAnswers()
        return Set(try lastAnswers("review.isCorrect = 0", [user, bank.name]).map(\.id))
    }

    /// Returns the answers to each question of a bank since a time.
    ///
    /// Cost: O(answered questions, and answers since then).
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func results(
        of bank: QuestionFilter.Bank, since start: Date
    ) throws -> [QuestionResults] {
        try countAnswers()
        let user = user
        return try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT card.question, count(*), sum(review.isCorrect)
                    FROM card JOIN review ON review.card = card.number
                    WHERE card.user = ? AND card.bank = ? AND review.milliseconds >= ?
                    GROUP BY card.number
                    """,
                arguments: [user, bank.name, Int64(start.timeIntervalSince1970 * 1000)]
            ).map { QuestionResults(id: $0[0], answerCount: $0[1], correctCount: $0[2]) }
        }
    }

    private func lastAnswers(
        _ condition: String, _ arguments: StatementArguments
    ) throws -> [AnsweredQuestion] {
        try database.read { database in
            try Row.fetchAll(
                database,
                sql: """
                    SELECT card.question, review.isCorrect
                    FROM card JOIN review ON review.card = card.number
                        AND review.milliseconds = card.lastMilliseconds
                        AND review.client = card.lastClient AND review.counter = card.lastCounter
                    WHERE card.user = ? AND card.bank = ? AND \(condition)
                    """, arguments: arguments
            ).map { AnsweredQuestion(id: $0[0], isLastRight: $0[1]) }
        }
    }
}
