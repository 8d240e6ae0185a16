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

        /// Creates limits; negative numbers count as 0.
        public init(newCards: Int = 20, reviews: Int = 200) {
            self.newCards = max(0, newCards)
            self.reviews = max(0, reviews)
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

    /// The time in seconds by which a step may come early when no other card is left.
    public static let stepLeadSeconds: TimeInterval = 20 * 60

    /// Builds the queue.
    ///
    /// The order is: due learning steps, the longest overdue first; then reviews, those with the lowest probability of
    /// recall first; then new cards in the given order. If none is left, steps that are due within ``stepLeadSeconds``
    /// come at once.
    /// - Parameters:
    ///   - schedules: All cards with their ids, in the author's order.
    ///   - scheduler: The scheduler, for the probability of recall.
    ///   - limits: The limits of a day.
    ///   - used: The used part of the limits.
    ///   - now: The current time.
    ///   - timeZone: The learner's zone, which determines the day.
    public init(
        _ schedules: [(id: String, schedule: CardSchedule)], scheduler: ReviewScheduler,
        limits: Limits = Limits(), used: Usage = Usage(), now: Date,
        timeZone: TimeZone = .current
    ) {
        let today = LearningClock(
            rolloverHour: scheduler.settings.rolloverHour, timeZone: timeZone
        ).day(of: now)
        var (steps, early): ([Step], [Step]) = ([], [])
        var reviews: [(id: String, recall: Double)] = []
        var new: [String] = []
        var next: LearningDay?
        for (id, schedule) in schedules {
            guard let day = schedule.nextDay else {
                new.append(id)
                continue
            }
            guard schedule.isDue(now: now, today: today) else {
                next = min(next ?? day, day)
                if let moment = schedule.dueMoment, moment <= now + Self.stepLeadSeconds {
                    early.append(Step(moment: moment, id: id))
                }
                continue
            }
            if let moment = schedule.dueMoment {
                steps.append(Step(moment: moment, id: id))
            } else {
                reviews.append((id, scheduler.retrievability(of: schedule, on: today)))
            }
        }
        reviews.sort { ($0.recall, $0.id) < ($1.recall, $1.id) }
        let asked =
            steps.sorted().map(\.id)
            + reviews.prefix(Self.room(limits.reviews, used.reviews)).map(\.id)
            + new.prefix(Self.room(limits.newCards, used.newCards))
        cards = asked.isEmpty ? early.sorted().map(\.id) : asked
        nextDue = next
    }

    /// A card in a short step.
    private struct Step: Comparable {
        var moment: Date
        var id: String

        static func < (step: Step, other: Step) -> Bool {
            (step.moment, step.id) < (other.moment, other.id)
        }
    }

    /// Returns the remaining part of a limit; negative numbers count as 0.
    private static func room(_ limit: Int, _ used: Int) -> Int {
        max(0, max(0, limit) - max(0, used))
    }
}
