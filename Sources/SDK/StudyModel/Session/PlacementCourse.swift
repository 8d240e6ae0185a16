public import Underway

/// A placement test that selects each question by the answers so far, rebuilt from a saved session.
public struct PlacementCourse: Sendable {
    /// The rules of the test: it ends at a standard error of 0.5, half the width of a level, or after 20 questions.
    ///
    /// `script/bench placement` measures the number of questions, and the share of learners placed right.
    public static let settings = AdaptivePlacement.Settings(
        questionsMax: 20, standardErrorMax: 0.5)

    private let test: AdaptivePlacement
    private let questions: [String: Question]

    /// Rebuilds the test of a session.
    ///
    /// - Parameters:
    ///   - blueprint: The bank.
    ///   - answers: The outcome of each question in the order in which they were answered; those that the bank no
    ///     longer has are ignored.
    /// - Throws: `PlacementError`.
    public init(
        _ blueprint: Blueprint, answers: [(question: String, isCorrect: Bool)]
    ) throws {
        questions = Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        var test = AdaptivePlacement(blueprint: blueprint, settings: Self.settings)
        let known = Set(test.items.map(\.id))
        for answer in answers where known.contains(answer.question) {
            try test.record(answer.question, isRight: answer.isCorrect)
        }
        self.test = test
    }

    /// Rebuilds the test of a session; skipped questions count as wrong answers.
    public init(_ blueprint: Blueprint, _ session: StudySession) throws {
        try self.init(
            blueprint,
            answers: session.items.filter { $0.answer != nil || $0.isSkipped }
                .map { ($0.questionID, $0.answer?.isCorrect ?? false) })
    }

    /// The maximum number of questions of the test.
    public var questionsMax: Int { min(test.settings.questionsMax, test.items.count) }
    /// The estimate by the answers so far.
    public var estimate: AbilityEstimate { test.estimate }
    /// The levels of the bank.
    public var levels: AbilityLevels { test.levels }
    /// True when the test has ended by its own rules.
    public var isOver: Bool { test.stopReason != nil }

    /// Selects the next question.
    ///
    /// - Parameters:
    ///   - seed: The seed of the choice.
    ///   - seen: The number of times that the learner has answered each question, by its id.
    /// - Returns: The question; `nil` when the test is over.
    public func next(seed: UInt64, seen: [String: Int]) -> StudySession.Entry? {
        var random = SeededRandom(seed: seed)
        guard let choice = test.next(using: &random), let question = questions[choice.id] else {
            return nil
        }
        return StudySession.Entry(
            question, exposuresBefore: seen[choice.id] ?? 0, isRandomlySelected: choice.isRandom)
    }
}
