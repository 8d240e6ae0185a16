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
    /// The right options; for an ordering in their right order.
    public var correctOptionIDs: [String]
    /// Each option in the order of the author.
    public var options: [OptionFeedback]
    /// What the author says to everyone.
    public var explanation: String?
}

/// Why an answer cannot be graded; each names the question.
public enum GradingFailure: Error, Hashable, Sendable {
    /// The question has no key.
    case noKey(question: String)
    /// The key names an option that there is not, or one twice.
    case brokenKey(question: String)
    /// The answer names an option that the question has not.
    case unknownOption(String, question: String)
    /// The answer names an option twice.
    case repeatedOption(String, question: String)
    /// The answer to a question with one right option names several.
    case tooManyOptions(question: String)
    /// The answer does not order all options.
    case incompleteOrder(question: String)
}

/// Whether an answer is right, and how far.
public enum Grading {
    /// Grades by option ids, so that the order in which options were shown never matters.
    ///
    /// - Parameters:
    ///   - answer: The chosen option ids, for `ordering` in the learner's order; none for a
    ///     skipped question, which is worth 0.
    ///   - question: The question with its key.
    ///   - policy: How partly right, wrong and late answers are worth.
    ///   - timeTaken: In seconds, where it is known.
    /// - Returns: The credit and what to tell the learner.
    /// - Throws: `GradingFailure` that names the question and what is wrong.
    public static func grade(
        _ answer: [String], to question: Question, policy: ScoringPolicy = ScoringPolicy(),
        timeTaken: TimeInterval? = nil
    ) throws(GradingFailure) -> Grade {
        try checkKey(question)
        try check(answer, question)
        let isCorrect = isCorrect(answer, to: question)
        let isLate = policy.timeLimit.map { (timeTaken ?? 0) > $0 } ?? false
        let credit =
            isLate || answer.isEmpty
            ? 0 : isCorrect ? 1 : partialCredit(answer, question, policy)
        return Grade(
            credit: credit, isCorrect: isCorrect, isLate: isLate,
            correctOptionIDs: question.correctOptionIDs,
            options: feedback(answer, question), explanation: question.explanation)
    }

    /// True exactly when the answer is the key: the same set, or for `ordering` the same sequence.
    ///
    /// A question without a usable key is never answered right.
    public static func isCorrect(_ answer: [String], to question: Question) -> Bool {
        guard !question.correct.isEmpty, answer.count == question.correct.count,
            question.correct.allSatisfy(question.options.indices.contains)
        else { return false }
        let key = question.correctOptionIDs
        if answer.count == 1 || question.type == .ordering { return answer == key }
        return Set(answer) == Set(key)
    }

    private static func checkKey(_ question: Question) throws(GradingFailure) {
        let key = question.correct
        guard !key.isEmpty else { throw .noKey(question: question.id) }
        let isComplete = question.type != .ordering || key.count == question.options.count
        guard key.allSatisfy(question.options.indices.contains), isComplete,
            key.count == 1 || Set(key).count == key.count
        else { throw .brokenKey(question: question.id) }
    }

    private static func check(
        _ answer: [String], _ question: Question
    ) throws(GradingFailure) {
        if let only = answer.first, answer.count == 1, question.type != .ordering {
            guard question.options.contains(where: { $0.id == only }) else {
                throw .unknownOption(only, question: question.id)
            }
            return
        }
        guard !answer.isEmpty else { return }
        let known = Set(question.options.map(\.id))
        var seen: Set<String> = []
        for id in answer {
            guard known.contains(id) else { throw .unknownOption(id, question: question.id) }
            guard seen.insert(id).inserted else {
                throw .repeatedOption(id, question: question.id)
            }
        }
        switch question.type {
        case .singleChoice, .codeSnippet: throw .tooManyOptions(question: question.id)
        case .multiChoice: break
        case .ordering:
            guard answer.count == question.options.count else {
                throw .incompleteOrder(question: question.id)
            }
        }
    }

    /// The credit of an answer that is not the key; what earns nothing costs the penalty.
    private static func partialCredit(
        _ answer: [String], _ question: Question, _ policy: ScoringPolicy
    ) -> Double {
        let credit =
            switch question.type {
            case .singleChoice, .codeSnippet: 0.0
            case .multiChoice: choiceCredit(answer, question, policy.choice)
            case .ordering: orderCredit(answer, question, policy.order)
            }
        return credit > 0 ? credit : -policy.penalty
    }

    private static func choiceCredit(
        _ answer: [String], _ question: Question, _ choice: ScoringPolicy.Choice
    ) -> Double {
        let key = Set(question.correctOptionIDs)
        let rightCount = answer.count { key.contains($0) }
        let wrongCount = answer.count - rightCount
        switch choice {
        case .allOrNothing: return 0
        case .rightLessWrong:
            return max(0, Double(rightCount - wrongCount) / Double(key.count))
        case .perOption:
            let misjudged = key.count - rightCount + wrongCount
            return 1 - Double(misjudged) / Double(question.options.count)
        }
    }

    private static func orderCredit(
        _ answer: [String], _ question: Question, _ order: ScoringPolicy.Order
    ) -> Double {
        let key = question.correctOptionIDs
        let place = Dictionary(
            key.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let places = answer.map { place[$0] ?? 0 }
        switch order {
        case .allOrNothing: return 0
        case .exactPosition:
            return Double(zip(answer, key).count { $0 == $1 }) / Double(key.count)
        case .adjacentPairs:
            let kept = zip(places, places.dropFirst()).count { $0 + 1 == $1 }
            return Double(kept) / Double(max(1, key.count - 1))
        case .pairwisePrecedence:
            var kept = 0
            for (index, first) in places.enumerated() {
                kept += places[(index + 1)...].count { first < $0 }
            }
            return Double(kept) / Double(max(1, key.count * (key.count - 1) / 2))
        }
    }

    private static func feedback(
        _ answer: [String], _ question: Question
    ) -> [Grade.OptionFeedback] {
        let key = question.correctOptionIDs
        let chosen = Set(answer)
        let right = Set(key)
        let inPlace =
            question.type == .ordering
            ? Set(zip(answer, key).filter { $0 == $1 }.map(\.0)) : chosen
        return question.options.map { option in
            let isChosen = inPlace.contains(option.id)
            return Grade.OptionFeedback(
                id: option.id, isChosen: isChosen, isRight: right.contains(option.id),
                text: chosen.contains(option.id) ? option.feedback : nil)
        }
    }
}
