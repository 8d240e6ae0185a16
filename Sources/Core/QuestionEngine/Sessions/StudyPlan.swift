public import ContentModel
public import Foundation

/// The questions to ask a learner next, from a bank, what the learner knows, criteria and the time.
///
/// ```swift
/// let request = StudyPlan.Request(mode: .study, cards: cards)
/// let plan = StudyPlan(blueprint, request, scheduler: scheduler, now: now, using: &random)
/// let session = StudySession(
///     id: id, mode: .study, entries: plan.entries, now: now, using: &random)
/// ```
public struct StudyPlan: Sendable {
    /// The questions in the order in which to ask them.
    public let entries: [StudySession.Entry]
    /// The earliest due date of all studied questions of the bank; `nil` where none was studied.
    public let nextDue: Date?
    /// The expectation for an exam; `nil` without a deadline.
    public let forecast: Forecast?

    /// Chooses the questions.
    ///
    /// A placement test asks the questions in the author's order, an exam chooses at random with the
    /// weights of the domains, and studying asks what is due (`DueQueue`) or, with a deadline, what
    /// brings most marks (`DeadlinePlanner`). Retired questions are never chosen.
    ///
    /// - Parameters:
    ///   - blueprint: The bank.
    ///   - request: The learner's wishes and cards.
    ///   - scheduler: The scheduler of the cards.
    ///   - now: The moment.
    ///   - generator: Chance; only an exam uses it.
    public init(
        _ blueprint: Blueprint, _ request: Request, scheduler: ReviewScheduler, now: Date,
        using generator: inout some RandomNumberGenerator
    ) {
        var forecast: Forecast?
        let chosen: [Question]
        switch request.mode {
        case .placement:
            chosen = Self.placement(blueprint, request)
        case .exam:
            chosen =
                QuestionPool([blueprint]).selection(
                    of: request.questionsMax ?? blueprint.questions.count, request.criteria,
                    using: &generator
                ).questions
        case .study:
            let admitted = Self.admitted(blueprint, request.criteria)
            if let deadline = request.deadline {
                (chosen, forecast) = Self.beforeDeadline(deadline, admitted, request, now)
            } else {
                chosen = Self.due(admitted, request, scheduler, now)
            }
        }
        entries = chosen.map(request.entry)
        nextDue = blueprint.questions.compactMap { request.cards[$0.id]?.schedule.due }.min()
        self.forecast = forecast
    }

    private static func placement(_ blueprint: Blueprint, _ request: Request) -> [Question] {
        let asked = blueprint.questions.filter { !$0.isRetired }
        return Array(asked.prefix(request.questionsMax ?? asked.count))
    }

    /// The questions that the criteria let through, each id once, in the author's order.
    private static func admitted(
        _ blueprint: Blueprint, _ criteria: QuestionCriteria
    ) -> [Question] {
        // All are chosen, so chance decides nothing but an order that is not used.
        var order = SeededRandom(seed: 0)
        let selection = QuestionPool([blueprint]).selection(
            of: blueprint.questions.count, criteria, isWeighted: false, using: &order)
        var open = Set(selection.questions.map(\.id))
        return blueprint.questions.filter { open.remove($0.id) != nil }
    }

    private static func due(
        _ questions: [Question], _ request: Request, _ scheduler: ReviewScheduler, _ now: Date
    ) -> [Question] {
        let queue = DueQueue(
            questions.map { (id: $0.id, schedule: request.schedule(of: $0.id)) },
            scheduler: scheduler, limits: request.dailyLimits, done: request.done, now: now)
        return named(queue.cards.prefix(request.questionsMax ?? .max), questions)
    }

    private static func beforeDeadline(
        _ deadline: Date, _ questions: [Question], _ request: Request, _ now: Date
    ) -> ([Question], Forecast) {
        let reviewsPerDay = request.questionsMax ?? Request.reviewsBeforeDeadline
        let cards = questions.map { question in
            let schedule = request.schedule(of: question.id)
            return DeadlinePlanner.Card(
                id: question.id, memory: schedule.memory, daysSinceReview: schedule.days(until: now)
            )
        }
        let days = Int((deadline.timeIntervalSince(now) / 86_400).rounded(.up))
        let plan = DeadlinePlanner().plan(cards, daysToExam: days, reviewsPerDay: reviewsPerDay)
        let forecast = Forecast(
            daysLeft: max(0, days), questionCount: cards.count, reviewsPerDay: reviewsPerDay,
            expectedMarks: plan.expectedMarks,
            expectedMarksWithoutReviews: plan.expectedMarksWithoutReviews)
        return (named((plan.days.first ?? [])[...], questions), forecast)
    }

    private static func named(_ ids: ArraySlice<String>, _ questions: [Question]) -> [Question] {
        let byID = Dictionary(
            questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return ids.compactMap { byID[$0] }
    }
}

extension StudyPlan {
    /// The expectation for the day of an exam.
    public struct Forecast: Sendable, Hashable {
        /// The whole days that are left; 0 when the day has come.
        public var daysLeft: Int
        /// The number of questions that may be asked.
        public var questionCount: Int
        /// The reviews that a day holds.
        public var reviewsPerDay: Int
        /// The marks to expect with these reviews.
        public var expectedMarks: Double
        /// The marks to expect without any review.
        public var expectedMarksWithoutReviews: Double
    }
}

extension Blueprint {
    /// The mode in which a bank is used when nothing else is asked for.
    public var usualMode: SessionMode { kind == .placement ? .placement : .study }
}

extension StudySession {
    /// Returns true when every question of the session is in a bank as it was when it began.
    ///
    /// A session whose questions changed since must begin anew: its options are others, too.
    public func isCurrent(with blueprint: Blueprint) -> Bool {
        let questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return items.allSatisfy { item in
            questions[item.questionID].map { $0.contentVersion == item.contentVersion } ?? false
        }
    }
}

extension Question {
    /// The checksum of the question's canonical bytes, as sessions and answers name its version.
    public var contentVersion: String { Checksum(of: json.canonicalBytes).description }
}
