public import Foundation

/// How well a learner recalled a card.
public enum Rating: Int, Sendable, Hashable, CaseIterable, Codable {
    /// Forgotten.
    case again = 1
    /// Recalled with effort.
    case hard = 2
    /// Recalled.
    case good = 3
    /// Recalled at once.
    case easy = 4

    /// The two-rating mode: right is good, wrong is again.
    public init(isCorrect: Bool) {
        self = isCorrect ? .good : .again
    }
}

/// One review of one card, a line of an append-only history.
public struct Review: Sendable, Hashable, Codable {
    /// How well it went.
    public var rating: Rating
    /// When it was.
    public var date: Date

    /// Describes a review.
    public init(_ rating: Rating, at date: Date) {
        self.rating = rating
        self.date = date
    }
}
