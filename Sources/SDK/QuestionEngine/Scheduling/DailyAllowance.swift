/// The number of reviews and new cards that a day still has room for.
///
/// Reviews come first, and new cards get the rest of the limit of reviews: a backlog leaves no room for them, unless the
/// learner chose otherwise.
///
/// ```swift
/// let allowance = DailyAllowance(due: 230, limits: .init(newCards: 20, reviews: 200), used: .init())
/// print(allowance.reviews, allowance.new, allowance.backlog != nil)  // 200 0 true
/// ```
public struct DailyAllowance: Sendable, Hashable {
    /// The reviews of a day that leave no room for new cards.
    public struct Backlog: Sendable, Hashable {
        /// The number of reviews of the day, those made and those left.
        public var due: Int
        /// The limit of reviews a day.
        public var limit: Int
        /// The part of the day that is done.
        public var used: DueQueue.Usage

        /// Creates a backlog.
        public init(due: Int, limit: Int, used: DueQueue.Usage = .init()) {
            self.due = due
            self.limit = limit
            self.used = used
        }

        /// The number of reviews that are left.
        public var left: Int { max(0, due - used.reviews) }
        /// True once a card of the day was studied.
        public var isDayBegun: Bool { used.newCards > 0 || used.reviews > 0 }
    }

    /// The number of reviews.
    public let reviews: Int
    /// The number of new cards.
    public let new: Int
    /// The reason why no new card is asked although the limit of new cards has room; `nil` otherwise.
    public let backlog: Backlog?

    /// Computes the allowance; each number counts as the nearest one from 0 to a thousand million.
    ///
    /// - Parameters:
    ///   - due: The number of reviews that are due.
    ///   - limits: The limits of the day.
    ///   - used: The used part of the limits.
    public init(due: Int, limits: DueQueue.Limits, used: DueQueue.Usage) {
        let due = due.counted
        let (usedNew, usedReviews) = (used.newCards.counted, used.reviews.counted)
        let (newLimit, reviewLimit) = (limits.newCards.counted, limits.reviews.counted)
        let room = max(0, reviewLimit - usedReviews)
        // The new cards of the whole day: those that were made need room, too, or each session would add some.
        let newToday = limits.newDespiteBacklog ? newLimit : min(newLimit, max(0, room - due))
        let usual = max(0, newToday - usedNew)
        reviews = min(due, room)
        new = usual + max(0, limits.extraNew.counted - max(0, usedNew - newLimit))
        let isHeldBack = newToday == 0 && new == 0 && usedNew < newLimit
        backlog =
            isHeldBack
            ? Backlog(
                due: due + usedReviews, limit: reviewLimit,
                used: .init(newCards: usedNew, reviews: usedReviews)) : nil
    }
}

extension Int {
    /// The nearest number of cards, so that sums cannot overflow.
    fileprivate var counted: Int { Swift.min(Swift.max(0, self), 1_000_000_000) }
}

extension DueQueue.Usage {
    /// The number of cards that were studied.
    var cards: Int { newCards.counted + reviews.counted }
}
