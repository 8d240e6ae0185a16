public import Foundation

/// How answers become credit, as data that an app or an exam can choose.
///
/// Full credit is 1 under every policy, and is given exactly when the key is matched in time.
public struct ScoringPolicy: Sendable, Hashable, Codable {
    /// What a partly right answer to a question with several right options is worth.
    public enum Choice: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing.
        case allOrNothing
        /// The right options chosen less the wrong ones, over the number of right options; at
        /// least 0.
        case rightLessWrong
        /// The share of options, chosen or not, that were judged rightly.
        case perOption
    }

    /// What a partly right order is worth.
    public enum Order: String, Sendable, Hashable, Codable, CaseIterable {
        /// Nothing.
        case allOrNothing
        /// The share of options at their exact place.
        case exactPosition
        /// The share of neighbours in the key that follow each other in the answer.
        case adjacentPairs
        /// The share of all pairs that stand in the right order.
        case pairwisePrecedence
    }

    /// For questions with several right options.
    public var choice: Choice
    /// For orderings.
    public var order: Order
    /// What an answer without any credit costs, from 0 to 1: negative marking.
    ///
    /// A skipped question costs nothing.
    public var penalty: Double
    /// After so many seconds an answer gets no credit and costs nothing.
    public var timeLimit: TimeInterval?

    /// Sets a policy; a penalty outside 0 to 1 is moved into it.
    public init(
        choice: Choice = .allOrNothing, order: Order = .allOrNothing, penalty: Double = 0,
        timeLimit: TimeInterval? = nil
    ) {
        self.choice = choice
        self.order = order
        self.penalty = penalty.isNaN ? 0 : min(max(penalty, 0), 1)
        self.timeLimit = timeLimit
    }

    /// The penalty by which blind guessing among `optionCount` options gains nothing on average.
    public static func fairPenalty(optionCount: Int) -> Double {
        optionCount > 1 ? 1 / Double(optionCount - 1) : 0
    }
}
