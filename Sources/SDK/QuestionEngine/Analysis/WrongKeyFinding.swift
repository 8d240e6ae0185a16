/// The conclusion about a question's key from the answers to the question.
///
/// ```swift
/// print(KeyOutcome.allCases.filter(\.isSuspicious))  // [act, review]
/// ```
public enum KeyOutcome: String, Sendable, Hashable, Codable, CaseIterable {
    /// The key is wrong with a probability of at least .9; review it first.
    case act
    /// The key is more likely wrong than right.
    case review
    /// The answers give too little evidence: the key is neither suspicious nor cleared.
    case notEnoughSignal
    /// The key is wrong with a probability of at most .02.
    case fine

    /// Creates the outcome for a probability that a key is wrong.
    init(probability: Double) {
        switch probability {
        case 0.9...: self = .act
        case 0.5..<0.9: self = .review
        case ...0.02: self = .fine
        default: self = .notEnoughSignal
        }
    }

    /// True for a key that a person should review.
    public var isSuspicious: Bool { self == .act || self == .review }
}

/// The evidence of the answers to one question about its key.
public struct WrongKeyFinding: Sendable, Hashable, Codable, Identifiable {
    /// The question's id.
    public var id: String
    /// The number of people who answered it at first sight.
    public var respondentCount: Int
    /// The natural logarithm of the odds that the key is wrong.
    public var score: Double
    /// The probability that the key is wrong.
    public var probability: Double
    /// The conclusion about the key.
    public var outcome: KeyOutcome
    /// The index of the response that is probably right; `nil` unless the question should be
    /// reviewed.
    public var proposedKey: Int?
    /// The label of the proposed key.
    public var proposedLabel: String?
    /// The number of answers of such learners that would clear a right key; `nil` when more of their answers would not.
    ///
    /// For a right key, this number sufficed for about two questions in three.
    public var answersToClear: Int?
    /// The number of answers of such learners that would convict a wrong key; `nil` when more of their answers
    /// would not.
    public var answersToFlag: Int?
}
