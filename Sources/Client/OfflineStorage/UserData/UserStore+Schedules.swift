public import Foundation
import GRDB
public import QuestionEngine

/// What a user's answers to a question made of it.
public struct StudiedQuestion: Sendable, Hashable {
    /// The question's id.
    public var question: String
    /// The number of answers to it, of all of the user's devices; at least 1.
    public var answerCount: Int
    /// Where it stands: the same as a replay of all of its answers.
    public var schedule: CardSchedule
}

extension UserStore {
    /// Returns the schedules of all questions of a bank that were answered, by the question's id.
    ///
    /// Schedules are kept as answers arrive, so the cost grows with the questions, not with the answers:
    /// one query. It is more when something has to be made up for, in transactions of at most 20,000
    /// answers each: answers that came late from another device are replayed question by question, those of
    /// a store that an older version wrote are counted once, and another scheduler than at the last call
    /// replays the bank.
    ///
    /// ```swift
    /// let studied = try userData.schedules(of: bank, by: scheduler, now: Date())
    /// let cards = questions.map { (id: $0.id, schedule: studied[$0.id]?.schedule ?? .new) }
    /// let queue = DueQueue(cards, scheduler: scheduler, now: Date())
    /// ```
    /// - Parameters:
    ///   - bank: The bank.
    ///   - scheduler: The scheduler; fuzz is left out, as in a replay.
    ///   - now: The wall clock; an answer that is dated later counts as given now.
    /// - Returns: The questions with at least one answer.
    /// - Throws: An error of the database.
    public func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date
    ) throws -> [String: StudiedQuestion] {
        let settings = try SchedulerSettings(scheduler).text
        let user = user
        while true {
            let studied = try database.read { database in
                try ScheduleReading(database: database, user: user, bank: bank.name)
                    .schedules(by: scheduler, settings: settings, now: now)
            }
            if let studied { return studied }
            try database.write { database in
                try ScheduleReading(database: database, user: user, bank: bank.name)
                    .makeReady(by: scheduler, settings: settings)
            }
        }
    }

    /// Counts what was done in a bank since a moment, such as midnight, for the limits of a `DueQueue`.
    ///
    /// A question whose every answer is from since then counts as one new card; its further answers, and
    /// answers to other questions, are reviews.
    /// - Throws: An error of the database.
    public func done(
        since moment: Date, in bank: QuestionFilter.Bank
    ) throws -> DueQueue.Usage {
        try countAnswers()
        let user = user
        return try database.read { database in
            try ScheduleReading(database: database, user: user, bank: bank.name)
                .done(since: moment)
        }
    }

    /// Counts the answers that wait, each 20,000 in a transaction of their own.
    func countAnswers() throws {
        let user = user
        while try database.read({
            try !CountingProgress(database: $0, user: user).isComplete()
        }) {
            let isMore = try database.write {
                try CountingProgress(database: $0, user: user).step()
            }
            guard isMore else { return }
        }
    }
}
