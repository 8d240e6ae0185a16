public import Foundation

/// The rules that convert responses to credit, as data that an app or an exam can choose.
///
/// Full credit is 1 under every policy, and is given exactly when the key is matched in time.
///
/// ```swift
/// let policy = ScoringPolicy(
///     choice: .rightLessWrong, penalty: ScoringPolicy.fairPenalty(optionCount: 4), timeLimit: 60)
/// print(policy.penalty)
/// ```
public struct ScoringPolicy: Sendable, Hashable, Codable {
    /// The partial credit of a question with several right options.
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        /// No partial credit.
        case allOrNothing
        /// The chosen right options minus the chosen wrong ones, over the number of right options;
        /// at least 0.
        case rightLessWrong
        /// The fraction of options, chosen or not, that were judged correctly.
        case perOption
    }

    /// The partial credit of an order.
    public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
        /// No partial credit.
        case allOrNothing
        /// The fraction of options at their exact position.
        case exactPosition
        /// The fraction of the key's neighbours that follow each other in the response.
        case adjacentPairs
        /// The fraction of all pairs in the right order.
        case pairwisePrecedence
    }

    /// The partial credit of questions with several right options.
    public var choice: Choice
    /// The partial credit of orderings.
    public var order: Order
    /// The cost of an answer without any credit, from 0 to 1: negative marking.
    ///
    /// A skipped question costs nothing.
    public var penalty: Double
    /// The time limit in seconds; a later answer gets no credit and costs nothing.
    public var timeLimit: TimeInterval?

    /// Creates a policy; a penalty outside 0 to 1 is clamped.
    public init(
        choice: Choice = .allOrNothing, order: Order = .allOrNothing, penalty: Double = 0,
        timeLimit: TimeInterval? = nil
    ) {
        self.choice = choice
        self.order = order
        self.penalty = penalty.isNaN ? 0 : min(max(penalty, 0), 1)
        self.timeLimit = timeLimit
    }

    /// Returns the penalty with which blind guessing among `optionCount` options gains nothing on average.
    public static func fairPenalty(optionCount: Int) -> Double {
        optionCount > 1 ? 1 / Double(optionCount - 1) : 0
    }
}
