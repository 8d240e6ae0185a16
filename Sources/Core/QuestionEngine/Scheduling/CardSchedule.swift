public import Foundation

/// The schedule of a card: its memory state and its due date.
///
/// It can always be rebuilt from the card's reviews, see `ReviewScheduler.replay`.
///
/// ```swift
/// let card = scheduler.schedule(.new, after: .good, at: now)
/// print(card.phase == .learning, card.due ?? now, card.days(until: now + 86_400))
/// ```
public struct CardSchedule: Sendable, Hashable, Codable {
    /// The phase of a card.
    public enum Phase: String, Sendable, Hashable, Codable {
        /// Never reviewed.
        case new
        /// In the short steps after the first review.
        case learning
        /// At intervals of days.
        case review
        /// In the short steps after a lapse.
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
    /// The due date; `nil` for a new card.
    public var due: Date?

    /// The schedule of a card that was never reviewed.
    public static let new = CardSchedule(phase: .new, step: 0)

    /// Creates a schedule.
    public init(
        phase: Phase, step: Int, memory: MemoryState? = nil, lastReview: Date? = nil,
        due: Date? = nil
    ) {
        self.phase = phase
        self.step = step
        self.memory = memory
        self.lastReview = lastReview
        self.due = due
    }

    /// Returns the whole periods of 24 hours from the last review to a time; 0 when the clock went
    /// back.
    public func days(until date: Date) -> Int {
        guard let lastReview else { return 0 }
        return Self.days(lastReview, date)
    }

    @inline(__always)
    static func days(_ start: Date, _ end: Date) -> Int {
        let days =
            (end.timeIntervalSinceReferenceDate - start.timeIntervalSinceReferenceDate) / 86_400
        // Not a number, or beyond what a calendar holds: a broken clock, not a memory.
        guard days > 0, days < 4_000_000 else { return days > 0 ? 4_000_000 : 0 }
        return Int(days)
    }
}
