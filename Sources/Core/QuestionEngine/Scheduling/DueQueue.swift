public import Foundation

/// What to ask today, in order, within daily limits.
public struct DueQueue: Sendable {
    /// How much a learner wants of a day.
    public struct Limits: Sendable, Hashable {
        /// New cards a day.
        public var newCards: Int
        /// Reviews a day; learning steps do not count.
        public var reviews: Int

        /// Sets the limits; negative numbers count as 0.
        public init(newCards: Int = 20, reviews: Int = 200) {
            self.newCards = max(0, newCards)
            self.reviews = max(0, reviews)
        }
    }

    /// What was done today already.
    public struct Done: Sendable, Hashable {
        /// New cards that were begun.
        public var newCards: Int
        /// Reviews that were made.
        public var reviews: Int

        /// Counts what was done.
        public init(newCards: Int = 0, reviews: Int = 0) {
            self.newCards = newCards
            self.reviews = reviews
        }
    }

    /// The cards to ask, the most urgent first.
    public let cards: [String]
    /// When the next card is due that is not in the queue yet; `nil` when there is none.
    public let nextDue: Date?

    /// Puts the queue together.
    ///
    /// First the steps that are due, the longest waiting first; then reviews, those with the
    /// lowest probability of recall first; then new cards in the given order.
    /// - Parameters:
    ///   - schedules: Every card by its id, in the author's order.
    ///   - scheduler: For the probability of recall.
    ///   - limits: How much a day may hold.
    ///   - done: What of it is used up.
    ///   - now: The moment.
    public init(
        _ schedules: [(id: String, schedule: CardSchedule)], scheduler: ReviewScheduler,
        limits: Limits = Limits(), done: Done = Done(), now: Date
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
            + reviews.prefix(max(0, limits.reviews - done.reviews)).map(\.id)
            + new.prefix(max(0, limits.newCards - done.newCards))
        nextDue = next
    }
}
