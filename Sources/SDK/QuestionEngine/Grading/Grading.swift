public import ContentModel
public import Foundation

/// The credit of an answer, with the feedback for the learner.
public struct Grade: Sendable, Hashable, Codable {
    /// The feedback about one option.
    public struct OptionFeedback: Sendable, Hashable, Codable, Identifiable {
        /// The option's id.
        public var id: String
        /// True when the learner chose it; in an ordering, when it is at its position.
        public var isChosen: Bool
        /// True when it belongs to the key.
        public var isRight: Bool
        /// The author's text for learners who chose it.
        public var text: String?
    }

    /// The credit from -1 to 1; 1 exactly when the key is matched in time.
    public var credit: Double
    /// True when the key is matched, even after the time limit.
    public var isCorrect: Bool
    /// True when the time limit was exceeded.
    public var isLate: Bool
    /// The right options; for an ordering in their right order, none for a numeric entry.
    public var correctOptionIDs: [String]
    /// The right numbers of a numeric entry.
    public var correctNumber: NumericKey?
    /// The options in the author's order.
    public var options: [OptionFeedback]
    /// The author's explanation.
    public var explanation: String?
}

/// The grading of responses.
///
/// ```swift
/// let question = Question(
///     id: "q1", type: .multiChoice, difficulty: 2, stem: "Which are prime?",
///     options: ["2", "3", "4"].map { QuestionOption(id: $0, text: $0) }, correct: [0, 1])
/// let grade = try Grading.grade(
///     ["2"], to: question, policy: ScoringPolicy(choice: .rightLessWrong))
/// print(grade.credit, grade.correctOptionIDs)
/// ```
public enum Grading {
    /// Grades a response by option ids, regardless of the order in which options were shown, or by exact decimal
    /// numbers.
    ///
    /// - Parameters:
    ///   - response: The learner's response; an empty one is worth 0.
    ///   - question: The question with its key.
    ///   - policy: The scoring policy.
    ///   - timeTaken: The time in seconds, if known.
    /// - Returns: The credit and the feedback.
    /// - Throws: `GradingError` with the question and the mistake.
    public static func grade(
        _ response: QuestionResponse, to question: Question,
        policy: ScoringPolicy = ScoringPolicy(), timeTaken: TimeInterval? = nil
    ) throws(GradingError) -> Grade {
        try checkKey(question)
        try check(response, question)
        let isCorrect = isCorrect(response, to: question)
        let isLate = policy.timeLimit.map { (timeTaken ?? 0) > $0 } ?? false
        let credit =
            isLate || response.isEmpty
            ? 0 : isCorrect ? 1 : partialCredit(response, question, policy)
        return Grade(
            credit: credit, isCorrect: isCorrect, isLate: isLate,
            correctOptionIDs: question.correctOptionIDs, correctNumber: question.correctNumber,
            options: OptionGrading.feedback(response.optionIDs, question),
            explanation: question.explanation)
    }

    /// Returns true for a response that the key accepts: the same set of options, for `ordering` the same sequence, or
    /// a number within the bounds.
    ///
    /// False for every response to a question without a usable key.
    public static func isCorrect(_ response: QuestionResponse, to question: Question) -> Bool {
        switch (question.key, response) {
        case (.options, .options(let ids)): OptionGrading.isCorrect(ids, to: question)
        case (.number(let key), .number(let number)): key.accepts(number)
        case (.options, .number), (.options, .unknown), (.number, .options), (.number, .unknown):
            false
        }
    }

    private static func checkKey(_ question: Question) throws(GradingError) {
        switch (question.type, question.key) {
        case (.singleChoice, .options), (.multiChoice, .options), (.ordering, .options),
            (.codeSnippet, .options):
            try OptionGrading.checkKey(question)
        case (.numericEntry, .number): break
        case (.numericEntry, .options), (.singleChoice, .number), (.multiChoice, .number),
            (.ordering, .number), (.codeSnippet, .number):
            throw .brokenKey(question: question.id)
        }
    }

    private static func check(
        _ response: QuestionResponse, _ question: Question
    ) throws(GradingError) {
        if response.isEmpty { return }
        switch (question.key, response) {
        case (.options, .options(let ids)): try OptionGrading.check(ids, question)
        case (.number, .number): break
        case (.options, .number), (.options, .unknown), (.number, .options), (.number, .unknown):
            throw .wrongKind(question: question.id)
        }
    }

    /// Returns the credit of a response that does not match the key; one that earns nothing costs
    /// the penalty.
    private static func partialCredit(
        _ response: QuestionResponse, _ question: Question, _ policy: ScoringPolicy
    ) -> Double {
        let credit =
            switch question.type {
            case .singleChoice, .codeSnippet, .numericEntry: 0.0
            case .multiChoice:
                OptionGrading.choiceCredit(response.optionIDs, question, policy.choice)
            case .ordering: OptionGrading.orderCredit(response.optionIDs, question, policy.order)
            }
        return credit > 0 ? credit : 0 - policy.penalty
    }
}
