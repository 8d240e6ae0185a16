public import ContentModel
public import Foundation

/// The questions to ask a learner next, by a bank, the learner's cards, criteria and the time.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .singleChoice, difficulty: 1, stem: "1 + 1?",
///     options: [QuestionOption(id: "a", text: "2"), QuestionOption(id: "b", text: "3")],
///     correct: [0])
/// let bank = Blueprint(
///     kind: .exam, id: "ca/math", title: "Arithmetic", version: "1", questions: [question])
/// var random = SystemRandomNumberGenerator()
/// let plan = StudyPlan(
///     bank, StudyPlan.Request(mode: .study), scheduler: try ReviewScheduler(), now: .now,
///     using: &random)
/// let session = StudySession(
///     id: "s1", mode: .study, entries: plan.entries, now: .now, using: &random)
/// print(session.items.count)
/// ```
public struct StudyPlan: Sendable {
    /// The questions in the order in which to ask them.
    public let entries: [StudySession.Entry]
    /// The earliest due day of all studied questions of the bank that are not retired and, for study, match the
    /// criteria; `nil` when none was studied.
    public let nextDue: LearningDay?
    /// The number of questions that may be asked, match the criteria (for study), and were never answered.
    public let newCount: Int
    /// The expectation for an exam; `nil` without a deadline.
    public let forecast: Forecast?
    /// The reviews that hold all waiting new questions back today; `nil` if none waits, or another reason holds them.
    public let backlog: DailyAllowance.Backlog?

    /// Selects the questions.
    ///
    /// A placement test asks the questions in the author's order. An exam selects at random by the weights of the
    /// domains. Study selects due questions (`DueQueue`) or, with a deadline, those that raise the expected marks most
    /// (`DeadlinePlanner`), and none that was set aside. Retired questions are never selected.
    ///
    /// - Parameters:
    ///   - blueprint: The bank.
    ///   - request: The learner's wishes and cards.
    ///   - scheduler: The scheduler of the cards.
    ///   - now: The current time.
    ///   - timeZone: The learner's zone, which determines the day.
    ///   - generator: The random generator; only an exam uses it.
    public init(
        _ blueprint: Blueprint, _ request: Request, scheduler: ReviewScheduler, now: Date,
        timeZone: TimeZone = .current, using generator: inout some RandomNumberGenerator
    ) {
        let clock = LearningClock(
            rolloverHour: scheduler.settings.rolloverHour, timeZone: timeZone)
        var forecast: Forecast?
        var backlog: DailyAllowance.Backlog?
        let chosen: [Question]
        var fitting = blueprint.questions.filter { !$0.isRetired }
        switch request.mode {
        case .placement:
            chosen = Self.placement(blueprint, request)
        case .exam:
            chosen =
                QuestionPool([blueprint]).selection(
                    of: request.limit ?? blueprint.questions.count, request.criteria,
                    using: &generator
                ).questions
        case .study:
            let admitted = Self.admitted(blueprint, request.criteria)
            fitting = admitted.filter { !request.setAside.contains($0.id) }
            let siblings = Siblings(blueprint.questions, studiedToday: request.studiedToday)
            if let deadline = request.deadline {
                (chosen, forecast) = Self.beforeDeadline(
                    deadline, admitted, request, siblings, scheduler, today: clock.day(of: now))
            } else {
                let queue = DueQueue(
                    fitting.map { (id: $0.id, schedule: request.schedule(of: $0.id)) },
                    scheduler: scheduler, limits: request.dailyLimits, used: request.used,
                    siblings: siblings, now: now, timeZone: timeZone)
                chosen = Self.named(queue.cards.prefix(request.limit ?? .max), fitting)
                backlog = queue.backlog
            }
        }
        entries = chosen.map(request.entry)
        let days = fitting.map { request.cards[$0.id]?.schedule.nextDay }
        nextDue = days.lazy.compactMap { $0 }.min()
        newCount = days.count { $0 == nil }
        self.forecast = forecast
        self.backlog = backlog
    }

    private static func placement(_ blueprint: Blueprint, _ request: Request) -> [Question] {
        let asked = blueprint.questions.filter { !$0.isRetired }
        return Array(asked.prefix(request.limit ?? asked.count))
    }

    /// Returns the questions that pass the criteria, each id once, in the author's order.
    private static func admitted(
        _ blueprint: Blueprint, _ criteria: QuestionCriteria
    ) -> [Question] {
        // All are selected, so chance only decides an order that is not used.
        var order = SeededRandom(seed: 0)
        let selection = QuestionPool([blueprint]).selection(
            of: blueprint.questions.count, criteria, isWeighted: false, using: &order)
        var open = Set(selection.questions.map(\.id))
        return blueprint.questions.filter { open.remove($0.id) != nil }
    }

    /// Returns the questions of today's part of the plan, and the forecast.
    ///
    /// A set aside question is not asked and counts by its present memory. A question waits for its studied sibling,
    /// except on the last day before the exam.
    private static func beforeDeadline(
        _ deadline: LearningDay, _ questions: [Question], _ request: Request, _ siblings: Siblings,
        _ scheduler: ReviewScheduler, today: LearningDay
    ) -> ([Question], Forecast) {
        let days = deadline - today
        let cards = questions.map { question in
            let schedule = request.schedule(of: question.id)
            var card = DeadlinePlanner.Card(
                id: question.id, memory: schedule.memory,
                daysSinceReview: schedule.days(until: today),
                isSetAside: request.setAside.contains(question.id))
            if days > 1, siblings.waits(question.id) { card.firstDay = 1 }
            return card
        }
        let plan = DeadlinePlanner(parameters: scheduler.memory.parameters).plan(
            cards, daysToExam: days, reviewsPerDay: request.examPerDay,
            usedToday: request.used.cards)
        let forecast = Forecast(
            daysLeft: max(0, days), questionCount: cards.count,
            reviewsPerDay: request.examPerDay, expectedMarks: plan.expectedMarks,
            expectedMarksWithoutReviews: plan.expectedMarksWithoutReviews)
        var choice = Siblings.Choice(siblings)
        let today = (plan.days.first ?? []).filter { days <= 1 || choice.takes($0) }
        return (named(today.prefix(request.limit ?? .max), questions), forecast)
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
        /// The remaining whole days; 0 on the day of the exam and after it.
        public var daysLeft: Int
        /// The number of questions that may be asked.
        public var questionCount: Int
        /// The capacity of a day in reviews.
        public var reviewsPerDay: Int
        /// The expected marks with these reviews.
        public var expectedMarks: Double
        /// The expected marks without any review.
        public var expectedMarksWithoutReviews: Double
    }
}

extension Blueprint {
    /// The usual mode of the bank: placement for a placement test, study otherwise.
    public var usualMode: SessionMode { kind == .placement ? .placement : .study }
}

extension StudySession {
    /// Returns true if the bank still has every question of the session, unchanged since the session began.
    ///
    /// A session whose questions have changed since must be restarted, because its options changed too.
    public func isCurrent(with blueprint: Blueprint) -> Bool {
        let questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        return items.allSatisfy { item in
            questions[item.questionID].map { $0.contentVersion == item.contentVersion } ?? false
        }
    }
}
