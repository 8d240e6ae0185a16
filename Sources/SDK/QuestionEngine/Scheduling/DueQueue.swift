public import Foundation

/// The cards for today, in order, within daily limits.
///
/// ```swift
/// let cards: [(id: String, schedule: CardSchedule)] = [("q1", .new), ("q2", .new)]
/// let queue = DueQueue(
///     cards, scheduler: try ReviewScheduler(), limits: DueQueue.Limits(newCards: 1), now: .now)
/// print(queue.cards)
/// ```
public struct DueQueue: Sendable {
    /// The limits of a day.
    public struct Limits: Sendable, Hashable, Codable {
        /// The maximum number of new cards a day.
        public var newCards: Int
        /// The maximum number of reviews a day; learning steps do not count.
        public var reviews: Int
        /// True if new cards are asked even if reviews are left over, see ``DailyAllowance``.
        public var newDespiteBacklog: Bool
        /// The number of new cards that the learner asked for today, beyond the limit.
        public var extraNew: Int

        /// Creates limits; negative numbers count as 0.
        public init(
            newCards: Int = 20, reviews: Int = 200, newDespiteBacklog: Bool = false,
            extraNew: Int = 0
        ) {
            self.newCards = max(0, newCards)
            self.reviews = max(0, reviews)
            self.newDespiteBacklog = newDespiteBacklog
            self.extraNew = max(0, extraNew)
        }
    }

    /// The used part of today's limits.
    public struct Usage: Sendable, Hashable, Codable {
        /// The number of new cards begun today.
        public var newCards: Int
        /// The number of reviews made today.
        public var reviews: Int

        /// Creates counts.
        public init(newCards: Int = 0, reviews: Int = 0) {
            self.newCards = newCards
            self.reviews = reviews
        }
    }

    /// The cards in the order in which to ask them, the most urgent first.
    public let cards: [String]
    /// The learner's day on which the next card that is not due yet becomes due; `nil` for none.
    public let nextDue: LearningDay?
    /// The reviews that hold all waiting new cards back; `nil` if none waits, or another reason holds them.
    public let backlog: DailyAllowance.Backlog?

    /// The time in seconds by which a step may come early when no other card is left.
    public static let stepLeadSeconds: TimeInterval = 20 * 60

    /// Builds the queue.
    ///
    /// The order is: due learning steps, the longest overdue first; then reviews, those with the lowest probability of
    /// recall first; then new cards in the given order. If none is left, steps that are due within ``stepLeadSeconds``
    /// come at once. Limits apply to reviews and new cards, see ``DailyAllowance``.
    /// - Parameters:
    ///   - schedules: All cards with their ids, in the author's order.
    ///   - scheduler: The scheduler, for the probability of recall.
    ///   - limits: The limits of a day.
    ///   - used: The used part of the limits.
    ///   - siblings: The rule for questions about the same thing.
    ///   - now: The current time.
    ///   - timeZone: The learner's zone, which determines the day.
    public init(
        _ schedules: [(id: String, schedule: CardSchedule)], scheduler: ReviewScheduler,
        limits: Limits = Limits(), used: Usage = Usage(), siblings: Siblings = Siblings(),
        now: Date,
        timeZone: TimeZone = .current
    ) {
        let today = LearningClock(
            rolloverHour: scheduler.settings.rolloverHour, timeZone: timeZone
        ).day(of: now)
        let waiting = Waiting(schedules, scheduler: scheduler, siblings, now: now, today: today)
        let due = waiting.cards(siblings)
        let allowance = DailyAllowance(due: due.reviews.count, limits: limits, used: used)
        let asked =
            due.steps + due.reviews.prefix(allowance.reviews) + due.new.prefix(allowance.new)
        cards = asked.isEmpty ? waiting.early.sorted().map(\.id) : asked
        nextDue = waiting.nextDue
        backlog = due.new.isEmpty ? nil : allowance.backlog
    }
}

/// The cards of a day by their kind.
private struct Waiting {
    /// A card in a short step.
    struct Step: Comparable {
        var moment: Date
        var id: String

        static func < (step: Step, other: Step) -> Bool {
            (step.moment, step.id) < (other.moment, other.id)
        }
    }

    private var steps: [Step] = []
    private(set) var early: [Step] = []
    private var reviews: [(id: String, recall: Double)] = []
    private var new: [String] = []
    private(set) var nextDue: LearningDay?

    init(
        _ schedules: [(id: String, schedule: CardSchedule)], scheduler: ReviewScheduler,
        _ siblings: Siblings, now: Date, today: LearningDay
    ) {
        for (id, schedule) in schedules {
            guard let day = schedule.nextDay else {
                if !siblings.waits(id) { new.append(id) }
                continue
            }
            guard schedule.isDue(now: now, today: today) else {
                nextDue = min(nextDue ?? day, day)
                if let moment = schedule.dueMoment, moment <= now + DueQueue.stepLeadSeconds {
                    early.append(Step(moment: moment, id: id))
                }
                continue
            }
            let wasAnswered = schedule.lastDay.map { $0 >= today } ?? false
            if let moment = schedule.dueMoment {
                steps.append(Step(moment: moment, id: id))
            } else if wasAnswered || !siblings.waits(id) {
                reviews.append((id, scheduler.retrievability(of: schedule, on: today)))
            }
        }
    }

    /// Returns the due cards in their order, one of each family in addition to the steps.
    func cards(_ siblings: Siblings) -> (steps: [String], reviews: [String], new: [String]) {
        var choice = Siblings.Choice(siblings)
        let steps = steps.sorted().map(\.id)
        for step in steps { choice.take(step) }
        let sorted = reviews.sorted { ($0.recall, $0.id) < ($1.recall, $1.id) }.map(\.id)
        let reviews = sorted.filter { choice.takes($0) }
        return (steps, reviews, new.filter { choice.takes($0) })
    }
}
