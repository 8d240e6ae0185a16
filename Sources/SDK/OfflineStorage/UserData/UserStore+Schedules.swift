public import Foundation
import GRDB
public import QuestionEngine

/// The schedule of a question, computed from its answers.
///
/// ```swift
/// let store = try UserStore.inMemory()
/// let studied = try store.schedules(
///     of: .placement(language: "es"), by: ReviewScheduler(.rightOrWrong))
/// for question in studied.values { print(question.id, question.schedule.nextDay?.date ?? "new") }
/// let sample = StudiedQuestion(question: "es-001", answerCount: 1, schedule: .new)  // for a preview
/// print(sample.answerCount)
/// ```
public struct StudiedQuestion: Sendable, Hashable, Identifiable {
    /// The question's id.
    public var question: String
    /// The number of answers to it, of all of the user's devices; at least 1.
    public var answerCount: Int
    /// The schedule, equal to a replay of all answers.
    public var schedule: CardSchedule
    /// The question's id.
    public var id: String { question }

    /// Creates a question that was answered.
    public init(question: String, answerCount: Int, schedule: CardSchedule) {
        self.question = question
        self.answerCount = answerCount
        self.schedule = schedule
    }
}

extension UserStore {
    /// Returns the schedules of all answered questions of a bank, by question id.
    ///
    /// Schedules are updated as answers arrive, so the cost is O(questions): one query. Three cases cost more, in
    /// transactions of at most 20,000 answers each. Late answers from another device are replayed question by question.
    /// Long runs that a sync received, and those of a store of an older version, are counted once. A scheduler other
    /// than that of the last call replays the bank. If the store cannot be written, pending answers are not included.
    ///
    /// ```swift
    /// let store = try UserStore.inMemory()
    /// let scheduler = try ReviewScheduler(.rightOrWrong)
    /// let studied = try store.schedules(of: .placement(language: "es"), by: scheduler)
    /// let cards = ["es-001", "es-002"].map { (id: $0, schedule: studied[$0]?.schedule ?? .new) }
    /// print(DueQueue(cards, scheduler: scheduler, now: Date()).cards)
    /// ```
    /// - Parameters:
    ///   - bank: The bank.
    ///   - scheduler: The scheduler; its fuzz depends on the question's id and the number of answers.
    ///   - now: The wall clock; an answer dated later counts as given now.
    /// - Returns: The questions with at least one answer.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func schedules(
        of bank: QuestionFilter.Bank, by scheduler: ReviewScheduler, now: Date = Date()
    ) throws -> [String: StudiedQuestion] {
        try applyRolloverHour()
        let settings = try SchedulerSettings(scheduler).text
        let user = user
        while true {
            let studied = try database.read { database in
                try ScheduleLoader(database: database, user: user, bank: bank.name)
                    .schedules(by: scheduler, settings: settings, now: now)
            }
            if let studied { return studied }
            do {
                try database.write { database in
                    try ScheduleLoader(database: database, user: user, bank: bank.name)
                        .update(by: scheduler, settings: settings)
                }
            } catch let error as StoreError where error.code == .storage {
                // Studying goes on with a full disk, by what was counted before.
                return try database.read { database in
                    try ScheduleLoader(database: database, user: user, bank: bank.name)
                        .countedSchedules(by: scheduler, settings: settings, now: now)
                }
            }
        }
    }

    /// Counts the new and the reviewed cards of a bank on a learner's day, for the limits of a `DueQueue`.
    ///
    /// A card is new on the day of its first answer, and reviewed on a later day with an answer. Only answers of study
    /// sessions use up limits.
    /// - Parameters:
    ///   - day: The day.
    ///   - bank: The bank.
    ///   - now: The wall clock if the day is today: an answer dated later counts as given today. `nil` for another day.
    /// - Returns: The counts.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    public func usage(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date? = nil
    ) throws -> DueQueue.Usage {
        try studied(on: day, in: bank, now: now) { try $0.usage() }
    }

    /// Returns the questions of a bank that were studied on a learner's day, whose siblings wait.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func studiedQuestions(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date? = nil
    ) throws -> Set<String> {
        try studied(on: day, in: bank, now: now) { try $0.questions() }
    }

    /// Returns the questions of a bank that were answered wrongly on a learner's day or the days before it and not right
    /// on the day since, the newest first.
    ///
    /// - Parameters:
    ///   - day: The last day.
    ///   - days: The number of days.
    ///   - bank: The bank.
    ///   - limit: The maximum number of questions.
    ///   - now: The wall clock if the day is today.
    /// - Returns: The ids of the questions.
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func missedQuestions(
        until day: LearningDay, days: Int, in bank: QuestionFilter.Bank, limit: Int,
        now: Date? = nil
    ) throws -> [String] {
        try studied(on: day, in: bank, now: now) { try $0.missed(days: days, limit: limit) }
    }

    private func studied<Value>(
        on day: LearningDay, in bank: QuestionFilter.Bank, now: Date?,
        _ body: (StudiedDay) throws -> Value
    ) throws -> Value {
        try countAnswers()
        let user = user
        return try database.read { database in
            try body(
                StudiedDay(
                    database, user: user, bank: bank.name, day: day,
                    now: now.map { UserStore.milliseconds($0) } ?? .max))
        }
    }

    /// Returns how often the learner saw each question of a bank of which an answer was undone: retracted answers do not
    /// count for schedules, but their verdicts were seen.
    ///
    /// - Throws: ``StoreError`` `storage` or `damaged`.
    package func exposures(of bank: QuestionFilter.Bank) throws -> [String: Int] {
        try countAnswers()
        let user = user
        return try database.read { database in
            try ScheduleLoader(database: database, user: user, bank: bank.name).exposures()
        }
    }

    /// Counts pending answers, 20,000 a transaction; if the disk cannot be written they remain pending.
    func countAnswers() throws {
        try applyRolloverHour()
        let user = user
        while try database.read({
            try !CountingProgress(database: $0, user: user).isComplete()
        }) {
            do {
                let isMore = try database.write {
                    try CountingProgress(database: $0, user: user).step()
                }
                guard isMore else { return }
            } catch let error as StoreError where error.code == .storage {
                return
            }
        }
    }
}
