public import Foundation

/// Where a card stands: what is remembered of it and when it is asked again.
///
/// It can always be made anew from the card's reviews, see `ReviewScheduler.replay`.
public struct CardSchedule: Sendable, Hashable, Codable {
    /// The part of its life.
    public enum Phase: String, Sendable, Hashable, Codable {
        /// Never reviewed.
        case new
        /// In the short steps after the first review.
        case learning
        /// At intervals of days.
        case review
        /// In the short steps after it was forgotten.
        case relearning
    }

    /// The part of its life.
    public var phase: Phase
    /// The step of learning or relearning, from 0.
    public var step: Int
    /// `nil` for a new card.
    public var memory: MemoryState?
    /// When it was last reviewed.
    public var lastReview: Date?
    /// When it is to be asked; `nil` for a new card.
    public var due: Date?

    /// A card that was never reviewed.
    public static let new = CardSchedule(phase: .new, step: 0)

    /// Describes where a card stands.
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

    /// Whole periods of 24 hours from the last review to a moment; 0 when the clock went back.
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
