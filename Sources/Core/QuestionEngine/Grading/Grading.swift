public import ContentModel
public import Foundation

/// What an answer is worth, and what to tell the learner.
public struct Grade: Sendable, Hashable {
    /// What is to be told of one option.
    public struct OptionFeedback: Sendable, Hashable {
        /// The option's id.
        public var id: String
        /// True when the learner chose it; for an ordering, when it stands at its place.
        public var isChosen: Bool
        /// True when it belongs to the key.
        public var isRight: Bool
        /// What the author says to who chose it.
        public var text: String?
    }

    /// From -1 to 1; 1 exactly when the key is matched in time.
    public var credit: Double
    /// True when the key is matched, even too late.
    public var isCorrect: Bool
    /// True when the time limit was over.
    public var isLate: Bool
    /// The right options; for an ordering in their right order, none for a numeric entry.
    public var correctOptionIDs: [String]
    /// The right numbers of a numeric entry.
    public var correctNumber: NumericKey?
    /// Each option in the order of the author.
    public var options: [OptionFeedback]
    /// What the author says to everyone.
    public var explanation: String?
}

/// Why an answer cannot be graded; each names the question.
public enum GradingFailure: Error, Hashable, Sendable {
    /// The question has no key.
    case noKey(question: String)
    /// The key names an option that there is not, or one twice, or does not fit the type.
    case brokenKey(question: String)
    /// The answer names an option that the question has not.
    case unknownOption(String, question: String)
    /// The answer names an option twice.
    case repeatedOption(String, question: String)
    /// The answer to a question with one right option names several.
    case tooManyOptions(question: String)
    /// The answer does not order all options.
    case incompleteOrder(question: String)
    /// The response is of a kind that the question does not take.
    case wrongKind(question: String)
}

/// Whether an answer is right, and how far.
public enum Grading {
    /// Grades by option ids, so that the order in which options were shown never matters, and by
    /// exact decimal numbers.
    ///
    /// - Parameters:
    ///   - response: The learner's response; an empty one is worth 0.
    ///   - question: The question with its key.
    ///   - policy: The scoring policy.
    ///   - timeTaken: In seconds, where it is known.
    /// - Returns: The credit and what to tell the learner.
    /// - Throws: `GradingFailure` that names the question and what is wrong.
    public static func grade(
        _ response: QuestionResponse, to question: Question,
        policy: ScoringPolicy = ScoringPolicy(), timeTaken: TimeInterval? = nil
    ) throws(GradingFailure) -> Grade {
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

    /// Returns true exactly when the key accepts the response: the same set of options, for
    /// `ordering` the same sequence, or a number within the bounds.
    ///
    /// A question without a usable key is never answered right.
    public static func isCorrect(_ response: QuestionResponse, to question: Question) -> Bool {
        switch (question.key, response) {
        case (.options, .options(let ids)): OptionGrading.isCorrect(ids, to: question)
        case (.number(let key), .number(let number)): key.accepts(number)
        case (.options, .number), (.options, .unknown), (.number, .options), (.number, .unknown):
            false
        }
    }

    private static func checkKey(_ question: Question) throws(GradingFailure) {
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
    ) throws(GradingFailure) {
        if response.isEmpty { return }
        switch (question.key, response) {
        case (.options, .options(let ids)): try OptionGrading.check(ids, question)
        case (.number, .number): break
        case (.options, .number), (.options, .unknown), (.number, .options), (.number, .unknown):
            throw .wrongKind(question: question.id)
        }
    }

    /// The credit of a response that is not the key; what earns nothing costs the penalty.
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
        return credit > 0 ? credit : -policy.penalty
    }
}
