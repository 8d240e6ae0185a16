public import Foundation

extension ReviewScheduler {
    /// The schedule of a card from its full history.
    ///
    /// State is never the truth, reviews are: a corrected answer key, other parameters or a merge
    /// of two devices is a replay. Reviews are put in order of time first; one that is dated
    /// after `now`, by a clock that was ahead, counts as made at `now`. Nothing is dropped.
    /// - Parameters:
    ///   - reviews: All reviews of one card, in any order.
    ///   - now: The moment of the replay.
    /// - Returns: Where the card stands after its last review.
    public func replay(_ reviews: some Sequence<Review>, now: Date) -> CardSchedule {
        reviews.inOrder(now: now).reduce(.new) { schedule($0, after: $1.rating, at: $1.date) }
    }
}

extension Sequence<Review> {
    /// By time, equal times in the given order, none after `now`.
    func inOrder(now: Date) -> [Review] {
        map { Review($0.rating, at: $0.date <= now ? $0.date : now) }
            .enumerated()
            .sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
            .map(\.element)
    }
}
