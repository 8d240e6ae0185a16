public import Foundation

/// A learner's rating of a recall.
public enum Rating: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Forgotten.
    case again = 1
    /// Recalled with effort.
    case hard = 2
    /// Recalled.
    case good = 3
    /// Recalled at once.
    case easy = 4

    /// Creates a rating in the two-rating mode: right is good, wrong is again.
    public init(isCorrect: Bool) {
        self = isCorrect ? .good : .again
    }
}

/// One review of one card, an entry of an append-only history.
public struct Review: Sendable, Hashable, Codable {
    /// The rating.
    public var rating: Rating
    /// The time of the review.
    public var date: Date
    /// The minutes by which the device's zone was ahead of UTC then: with it, the review has a learner's day.
    public var offsetMinutes: Int

    /// Creates a review with the offset that was stored beside it.
    public init(_ rating: Rating, at date: Date, offsetMinutes: Int) {
        self.rating = rating
        self.date = date
        self.offsetMinutes = offsetMinutes
    }

    /// Creates a review in a time zone.
    public init(_ rating: Rating, at date: Date, in timeZone: TimeZone = .current) {
        self.init(
            rating, at: date,
            offsetMinutes: LearningClock(timeZone: timeZone).offsetMinutes(at: date))
    }

    /// Returns the learner's day of the review.
    public func day(rolloverHour: Int = LearningClock.standardRolloverHour) -> LearningDay {
        LearningClock.day(of: date, offsetMinutes: offsetMinutes, rolloverHour: rolloverHour)
    }
}
