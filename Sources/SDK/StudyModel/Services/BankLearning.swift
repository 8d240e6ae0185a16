import Foundation
import Underway

/// What determines the questions that a bank asks on a day: settings, schedules, and what was studied.
struct BankLearning: Sendable {
    var settings: LearningSettings
    var scheduler: ReviewScheduler
    /// The schedules of the answered questions, by the question's id.
    var studied: [String: StudiedQuestion]
    /// The numbers of answers to the questions with an undone one, these included, by the question's id.
    var undoneCounts: [String: Int]
    /// The ids of the questions that study does not ask.
    var setAside: Set<String>
    /// The ids of those among them that the learner set aside.
    var ownSetAside: Set<String>
    /// The used part of the day's limits.
    var used: DueQueue.Usage
    /// The ids of the questions that were studied today.
    var studiedToday: Set<String>
    /// The number of new questions that the learner asked for today, beyond the limit.
    var extraNew: Int

    /// Reads a bank from the learner's data, and sets aside what was missed on too many days.
    init(
        _ bank: QuestionFilter.Bank, in store: UserStore, today: LearningDay, now: Date
    ) throws {
        settings = try store.learningSettings(of: bank)
        scheduler = try store.scheduler(of: bank)
        studied = try store.schedules(of: bank, by: scheduler, now: now)
        undoneCounts = try store.exposures(of: bank)
        do {
            try store.setAsideMissed(studied, of: bank, now: now)
        } catch let error as StoreError where error.code == .storage {
            // Studying goes on with a full disk; the question is set aside later.
        }
        let aside = try store.setAsideQuestions(of: bank)
        setAside = Set(aside.map(\.question))
        ownSetAside = Set(aside.filter { $0.reason == .own }.map(\.question))
        used = try store.usage(on: today, in: bank, now: now)
        studiedToday = try store.studiedQuestions(on: today, in: bank, now: now)
        extraNew =
            try store.extraQuestions(of: bank, on: today)?
            .count(limit: settings.newPerDay, used: used.newCards) ?? 0
    }

    /// Returns the state at the begin of tomorrow, when the day's limits are unused again.
    ///
    /// - Parameter questions: The ids of the questions that are asked today and not tomorrow.
    /// - Returns: The state.
    func afterToday(without questions: [String]) -> BankLearning {
        var next = self
        (next.used, next.studiedToday, next.extraNew) = (.init(), [], 0)
        next.setAside.formUnion(questions)
        return next
    }

    /// Returns the request of a session.
    func request(_ mode: SessionMode, _ wishes: SessionWishes, questionsMax: Int)
        -> StudyPlan.Request
    {
        var limits = settings.limits(extraNew: extraNew)
        if let newCards = wishes.newCards { limits.newCards = max(0, newCards) }
        var cards = studied.mapValues {
            StudyPlan.Card(schedule: $0.schedule, answerCount: $0.answerCount)
        }
        for (question, count) in undoneCounts {
            cards[question, default: .init(schedule: .new, answerCount: 0)].answerCount = count
        }
        var request = StudyPlan.Request(
            mode: mode, cards: cards,
            criteria: wishes.criteria, questionsMax: wishes.questionsMax ?? questionsMax,
            dailyLimits: limits, used: used, deadline: wishes.deadline,
            examPerDay: settings.examPerDay)
        request.setAside = setAside
        request.studiedToday = studiedToday
        return request
    }
}

extension StudyServices {
    /// Returns what determines the questions that a bank asks today.
    func learning(of bank: QuestionFilter.Bank) async throws -> BankLearning {
        try await readDay()
        let (now, today) = (now, today)
        return try await userData.perform {
            try BankLearning(bank, in: $0, today: today, now: now)
        }
    }

    /// Returns true if a study session of a bank asks wrongly answered questions again.
    func repeatsToday(in bank: QuestionFilter.Bank) async throws -> Bool {
        try await userData.perform { try $0.learningSettings(of: bank).repeatsToday }
    }

    /// Returns the scheduler of a bank, by the learner's settings.
    func scheduler(of bank: QuestionFilter.Bank) async throws -> ReviewScheduler {
        try await userData.perform { try $0.scheduler(of: bank) }
    }
}
