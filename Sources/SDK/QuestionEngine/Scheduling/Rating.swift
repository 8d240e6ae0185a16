public import Foundation

/// A learner's rating of a recall.
public enum Rating: Int, Sendable, Hashable, CaseIterable, Codable {
    /// The learner had forgotten the answer.
    case again = 1
    /// The learner recalled the answer with effort.
    case hard = 2
    /// The learner recalled the answer.
    case good = 3
    /// The learner recalled the answer at once.
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
    /// The minutes by which the device's zone was then ahead of UTC, which determine the learner's day.
    public var offsetMinutes: Int

    /// Creates a review with its stored offset.
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
