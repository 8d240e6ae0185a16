public import ContentModel

/// The result of a placement test by the number of right answers.
///
/// ```swift
/// let result = PlacementResult(answers: ["q1": .options(["a"])], blueprint: blueprint)
/// print(result.points, "of", result.questionCount, result.level ?? "no level")
/// ```
public struct PlacementResult: Hashable, Sendable, Codable {
    /// The number of right answers.
    public var points: Int
    /// The number of questions asked.
    public var questionCount: Int
    /// The level whose cut score the points reach; `nil` for a test without cuts, and for one that ended early.
    public var level: String?
    /// True when the test ended before all questions were asked.
    public var isCutShort: Bool

    /// Scores by the number of right answers against the blueprint's cut scores.
    ///
    /// Retired questions do not count, nor do those that this version cannot read, so the cuts are scaled. The *whole*
    /// is the number of questions for which the cuts were set (``Scoring/outOf``, or else all of the author's). With
    /// *asked* questions, a level is reached when `points / asked >= from / whole`. Each level remains as hard as it
    /// was:
    ///
    /// | whole | asked | from | points needed |
    /// |---|---|---|---|
    /// | 40 | 40 | 36 | 36 |
    /// | 40 | 32 | 36 | 29 |
    /// | 40 | 10 | 36 | 9 |
    ///
    /// A test without questions has no level, nor has one that ended early.
    /// - Parameters:
    ///   - answers: Responses by question id; an unanswered question scores 0.
    ///   - blueprint: The test with its cut scores.
    ///   - ids: The ids of the questions that were asked, the only ones that count; `nil` for all.
    public init(
        answers: [String: QuestionResponse], blueprint: Blueprint, asked ids: Set<String>? = nil
    ) {
        let present = blueprint.questions.filter { !$0.isRetired }
        let questions = present.filter { ids?.contains($0.id) ?? true }
        isCutShort = questions.count < present.count
        points = questions.count { Grading.isCorrect(answers[$0.id] ?? [], to: $0) }
        questionCount = questions.count
        let (points, asked) = (points, questionCount)
        let whole = blueprint.scoring.outOf ?? blueprint.questions.count + blueprint.leftOutCount
        // Integer arithmetic: 29 of 32 must not fail by a rounding error.
        let reached = blueprint.scoring.cuts.last { $0.from * asked <= points * whole }
        level = asked > 0 && !isCutShort ? reached?.level : nil
    }
}
