public import Foundation

extension ReviewScheduler {
    /// Rebuilds the schedule of a card from its whole history.
    ///
    /// Schedules are derived from reviews, so a corrected key, other parameters or a merge of two devices is a replay.
    /// Reviews are first sorted by time. One dated after `now`, by a clock that was ahead, counts as made at `now`.
    /// None is dropped.
    /// - Parameters:
    ///   - reviews: All reviews of one card, in any order.
    ///   - now: The time of the replay.
    /// - Returns: The schedule after the card's last review.
    public func replay(_ reviews: some Sequence<Review>, now: Date) -> CardSchedule {
        reviews.inOrder(now: now).reduce(.new) { schedule($0, after: $1) }
    }
}

extension Sequence<Review> {
    /// Returns the reviews by time, equal times in the given order, none after `now`.
    func inOrder(now: Date) -> [Review] {
        map { review in
            var review = review
            if !(review.date <= now) { review.date = now }
            return review
        }
        .enumerated()
        .sorted { ($0.element.date, $0.offset) < ($1.element.date, $1.offset) }
        .map(\.element)
    }
}
