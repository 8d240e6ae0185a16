public import Foundation

/// The schedule of a card: its memory state and its due time.
///
/// It can always be rebuilt from the card's reviews, see `ReviewScheduler.replay`.
///
/// ```swift
/// let card = scheduler.schedule(.new, after: Review(.good, at: now))
/// let today = LearningClock().day(of: now)
/// print(card.phase == .review, card.dueDay.map { $0 - today } ?? 0)
/// ```
public struct CardSchedule: Sendable, Hashable, Codable {
    /// The phase of a card.
    public enum Phase: String, Sendable, Hashable, Codable {
        /// The card was never reviewed.
        case new
        /// The card is in the short steps after the first review.
        case learning
        /// The card is reviewed at intervals of days.
        case review
        /// The card is in the short steps after a lapse.
        case relearning
    }

    /// The phase.
    public var phase: Phase
    /// The learning or relearning step, from 0.
    public var step: Int
    /// The memory state; `nil` for a new card.
    public var memory: MemoryState?
    /// The time of the last review; `nil` for a new card.
    public var lastReview: Date?
    /// The learner's day of the last review; `nil` for a new card.
    public var lastDay: LearningDay?
    /// The day from which a card is due in `review`; `nil` in the other phases.
    public var dueDay: LearningDay?
    /// The moment from which a card is due in `learning` and `relearning`; `nil` in the other phases.
    public var dueMoment: Date?
    /// The number of lapses: learning days, except the card's first, whose first answer to it was wrong.
    public var lapses: Int

    /// The schedule of a card that was never reviewed.
    public static let new = CardSchedule(phase: .new, step: 0)

    /// Creates a schedule.
    public init(
        phase: Phase, step: Int, memory: MemoryState? = nil, lastReview: Date? = nil,
        lastDay: LearningDay? = nil, dueDay: LearningDay? = nil, dueMoment: Date? = nil,
        lapses: Int = 0
    ) {
        self.phase = phase
        self.step = step
        self.memory = memory
        self.lastReview = lastReview
        self.lastDay = lastDay
        self.dueDay = dueDay
        self.dueMoment = dueMoment
        self.lapses = lapses
    }

    /// Returns the days from the last review to a day; 0 for a new card, and for a day before it.
    public func days(until day: LearningDay) -> Int {
        lastDay.map { max(0, day - $0) } ?? 0
    }

    /// Returns true for a due card: a review from its day on, a step from its moment or the next day on.
    ///
    /// A new card is never due.
    /// - Parameters:
    ///   - now: The current time.
    ///   - today: The learner's day.
    /// - Returns: True for a due card.
    public func isDue(now: Date, today: LearningDay) -> Bool {
        if let dueDay { return dueDay <= today }
        guard let dueMoment, let lastDay else { return false }
        return dueMoment <= now || lastDay < today
    }

    /// The learner's day on which the card is due: that of its step, or the day of the last review.
    public var nextDay: LearningDay? { dueDay ?? lastDay }
}
