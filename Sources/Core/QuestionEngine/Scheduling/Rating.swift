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

    /// Creates a review.
    public init(_ rating: Rating, at date: Date) {
        self.rating = rating
        self.date = date
    }
}
