import Foundation
import GRDB
import QuestionEngine
import UserData

/// The removal of the reviews of answers that were taken back, within a transaction that the caller opened.
///
/// Schedules, days and domains are then as if the answers had not been given; the card still counts that the learner
/// saw the question. Cost: some searches an answer, and the reviews of its card.
struct ReviewRemoval {
    private struct Review {
        var card: Int64
        var milliseconds: Int64
        var client: Int64
        var counter: Int64
        var isCorrect: Bool
        var day: LearningDay
    }

    private let database: Database
    private let user: String
    private let storage: CardStorage

    init(_ database: Database, user: String) throws {
        self.database = database
        self.user = user
        storage = try CardStorage(database, user: user)
    }

    /// Removes the review of an answer, if it is counted.
    func remove(_ id: AnswerID, _ answer: AnswerRow) throws {
        guard let review = try review(id, answer) else { return }
        try database.cachedStatement(
            sql: "DELETE FROM review WHERE (card, milliseconds, client, counter) = (?, ?, ?, ?)"
        ).execute(arguments: [review.card, review.milliseconds, review.client, review.counter])
        try removeFromDay(review)
        try removeFromDomain(review, answer.domain ?? "")
        try removeFromCard(review)
    }

    private func review(_ id: AnswerID, _ answer: AnswerRow) throws -> Review? {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT card.number, review.milliseconds, review.client, review.counter,
                        review.isCorrect, review.day
                    FROM card JOIN review ON review.card = card.number
                        JOIN countedClient ON countedClient.number = review.client
                    WHERE card.user = ? AND bank = ? AND question = ?
                        AND ltrim(countedClient.client) = ? AND review.counter = ?
                    """),
            arguments: [user, answer.bank, answer.question, id.client.text, Int64(id.number)])
        return row.map {
            Review(
                card: $0[0], milliseconds: $0[1], client: $0[2], counter: $0[3],
                isCorrect: $0[4], day: LearningDay($0[5]))
        }
    }

    private func removeFromDay(_ review: Review) throws {
        let isAsked = try storage.hasReview(
            of: review.card, on: review.day, near: review.milliseconds)
        try database.cachedStatement(
            sql: """
                UPDATE studyDay SET answers = answers - 1, correct = correct - ?,
                    questions = questions - ? WHERE user = ? AND day = ?
                """
        ).execute(arguments: [review.isCorrect, !isAsked, user, review.day.number])
        try database.cachedStatement(
            sql: "DELETE FROM studyDay WHERE user = ? AND day = ? AND answers <= 0"
        ).execute(arguments: [user, review.day.number])
    }

    private func removeFromDomain(_ review: Review, _ domain: String) throws {
        try database.cachedStatement(
            sql: """
                UPDATE cardDomain SET answers = answers - 1, correct = correct - ?
                WHERE card = ? AND domain = ?
                """
        ).execute(arguments: [review.isCorrect, review.card, domain])
        try database.cachedStatement(
            sql: "DELETE FROM cardDomain WHERE card = ? AND domain = ? AND answers <= 0"
        ).execute(arguments: [review.card, domain])
    }

    /// Marks the card as stale, or as new if it has no other review.
    private func removeFromCard(_ review: Review) throws {
        let newest = try storage.newestReview(ofCard: review.card)
        try database.cachedStatement(
            sql: """
                UPDATE card SET answers = answers - 1, retracted = retracted + 1,
                    lastMilliseconds = ?, lastClient = ?, lastCounter = ?, isStale = ?
                WHERE number = ?
                """
        ).execute(arguments: [
            newest?.place.milliseconds ?? 0, newest?.client ?? review.client,
            newest?.place.counter ?? 0, newest != nil, review.card,
        ])
        guard newest == nil else { return }
        try database.cachedStatement(
            sql: """
                UPDATE card SET phase = 'new', step = 0, stability = NULL, difficulty = NULL,
                    lastDay = NULL, dueDay = NULL, dueMoment = NULL, lapses = 0
                WHERE number = ?
                """
        ).execute(arguments: [review.card])
    }
}
