import ContentModel

/// The grading of options: their ids as a set or, for `ordering`, as a sequence.
enum OptionGrading {
    /// Returns true if the response is the key.
    static func isCorrect(_ answer: [String], to question: Question) -> Bool {
        guard !question.correct.isEmpty, answer.count == question.correct.count,
            question.correct.allSatisfy(question.options.indices.contains)
        else { return false }
        let key = question.correctOptionIDs
        if answer.count == 1 || question.type.isOrder { return answer == key }
        return Set(answer) == Set(key)
    }

    static func checkKey(_ question: Question) throws(GradingError) {
        let key = question.correct
        guard !key.isEmpty else { throw .noKey(question: question.id) }
        let isComplete = !question.type.isOrder || key.count == question.options.count
        guard key.allSatisfy(question.options.indices.contains), isComplete,
            key.count == 1 || Set(key).count == key.count
        else { throw .brokenKey(question: question.id) }
    }

    static func check(_ answer: [String], _ question: Question) throws(GradingError) {
        if let only = answer.first, answer.count == 1, !question.type.isOrder {
            guard question.options.contains(where: { $0.id == only }) else {
                throw .unknownOption(only, question: question.id)
            }
            return
        }
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
        case .numericEntry: throw .wrongKind(question: question.id)
        case .ordering:
            guard answer.count == question.options.count else {
                throw .incompleteOrder(question: question.id)
            }
        }
    }

    static func choiceCredit(
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

    static func orderCredit(
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

    static func feedback(
        _ answer: [String], _ question: Question
    ) -> [Grade.OptionFeedback] {
        let key = question.correctOptionIDs
        let chosen = Set(answer)
        let right = Set(key)
        let inPlace =
            question.type.isOrder
            ? Set(zip(answer, key).filter { $0 == $1 }.map(\.0)) : chosen
        return question.options.map { option in
            let isChosen = inPlace.contains(option.id)
            return Grade.OptionFeedback(
                id: option.id, isChosen: isChosen, isRight: right.contains(option.id),
                text: chosen.contains(option.id) ? option.feedback : nil)
        }
    }
}
