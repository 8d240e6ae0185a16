public import ContentModel

/// Whether an answer is right.
public enum Grading {
    /// Grades by option ids, so that the order in which options were shown never matters.
    ///
    /// - Parameters:
    ///   - answer: The chosen option ids; for `ordering` in the learner's order.
    ///   - question: The question with its key.
    /// - Returns: True exactly when the answer is the key: the same set, or for `ordering` the
    ///   same sequence. All or nothing.
    public static func isCorrect(_ answer: [String], to question: Question) -> Bool {
        let key = question.correctOptionIDs
        if question.type == .ordering { return answer == key }
        return answer.count == key.count && Set(answer) == Set(key)
    }
}

/// The result of a placement test.
public struct PlacementResult: Hashable, Sendable {
    /// How many answers were right.
    public var points: Int
    /// How many questions were asked.
    public var questionCount: Int
    /// The level whose cut score the points reach; `nil` where the test has no cuts.
    public var level: String?

    /// Scores by the simple sum of right answers against the blueprint's cut scores.
    ///
    /// - Parameters:
    ///   - answers: Chosen option ids by question id; an unanswered question scores 0.
    ///   - blueprint: The test with its cut scores.
    public init(answers: [String: [String]], blueprint: Blueprint) {
        points = blueprint.questions.count {
            Grading.isCorrect(answers[$0.id] ?? [], to: $0)
        }
        questionCount = blueprint.questions.count
        let points = points
        level = blueprint.scoring.cuts.last { $0.from <= points }?.level
    }
}
