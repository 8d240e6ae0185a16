public import ContentModel

/// The result of a placement test by the simple sum of right answers.
public struct PlacementResult: Hashable, Sendable {
    /// How many answers were right.
    public var points: Int
    /// How many questions were asked.
    public var questionCount: Int
    /// The level whose cut score the points reach; `nil` where the test has no cuts.
    public var level: String?

    /// Scores by the simple sum of right answers against the blueprint's cut scores.
    ///
    /// Retired questions do not count.
    /// - Parameters:
    ///   - answers: Chosen option ids by question id; an unanswered question scores 0.
    ///   - blueprint: The test with its cut scores.
    public init(answers: [String: [String]], blueprint: Blueprint) {
        let questions = blueprint.questions.filter { !$0.isRetired }
        points = questions.count { Grading.isCorrect(answers[$0.id] ?? [], to: $0) }
        questionCount = questions.count
        let points = points
        level = blueprint.scoring.cuts.last { $0.from <= points }?.level
    }
}
