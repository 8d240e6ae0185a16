public import Foundation

/// The cards to ask today, in order, within daily limits.
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

    /// The part of today's limits that is used up.
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

    /// The cards to ask, the most urgent first.
    public let cards: [String]
    /// The due date of the next card that is not in the queue yet; `nil` for none.
    public let nextDue: Date?

    /// Builds the queue.
    ///
    /// First the due learning steps, the longest overdue first; then reviews, those with the lowest
    /// probability of recall first; then new cards in the given order.
    /// - Parameters:
    ///   - schedules: All cards with their ids, in the author's order.
    ///   - scheduler: The scheduler, for the probability of recall.
    ///   - limits: The limits of a day.
    ///   - used: The part of the limits that is used up.
    ///   - now: The current time.
    public init(
        _ schedules: [(id: String, schedule: CardSchedule)], scheduler: ReviewScheduler,
        limits: Limits = Limits(), used: Usage = Usage(), now: Date
    ) {
        var steps: [(id: String, due: Date)] = []
        var reviews: [(id: String, recall: Double)] = []
        var new: [String] = []
        var next: Date?
        for (id, schedule) in schedules {
            guard let due = schedule.due else {
                new.append(id)
                continue
            }
            guard due <= now else {
                next = min(next ?? due, due)
                continue
            }
            if schedule.phase == .review {
                reviews.append((id, scheduler.retrievability(of: schedule, at: now)))
            } else {
                steps.append((id, due))
            }
        }
        steps.sort { ($0.due, $0.id) < ($1.due, $1.id) }
        reviews.sort { ($0.recall, $0.id) < ($1.recall, $1.id) }
        cards =
            steps.map(\.id)
            + reviews.prefix(Self.room(limits.reviews, used.reviews)).map(\.id)
            + new.prefix(Self.room(limits.newCards, used.newCards))
        nextDue = next
    }

    /// Returns what is left of a limit; negative numbers count as 0.
    private static func room(_ limit: Int, _ used: Int) -> Int {
        max(0, max(0, limit) - max(0, used))
    }
}
