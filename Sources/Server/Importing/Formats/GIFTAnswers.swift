import ContentModel

/// The answers of one question in GIFT, which stand in its braces.
struct GIFTAnswers {
    /// An answer with its weight and feedback apart.
    private struct Answer {
        var isRight: Bool
        var weight: Double?
        var text: Substring
        var feedback: MarkupText?
    }

    let question: GIFTQuestion
    let body: Substring

    /// Adds the options and the key to a draft; returns a reason to skip the question instead.
    func add(to draft: inout QuestionDraft) -> SkipReason? {
        let bare = Substring(String(body).trimmed)
        if bare.isEmpty { return SkipReason(.typeUnsupported, "essays cannot be graded") }
        if bare.hasPrefix("#") { return addNumber(bare.dropFirst(), &draft) }
        if let first = bare.first, "TtFf".contains(first), addTruth(bare, &draft) { return nil }
        let answers = answers(body)
        guard !answers.isEmpty else {
            return SkipReason(.syntax, "its answers have neither = nor ~")
        }
        // As in Moodle, an arrow beside a ~ is text: (Int) -> Int.
        let isChoice = answers.contains { !$0.isRight }
        if !isChoice, answers.contains(where: { GIFTSyntax.contains("->", in: $0.text) }) {
            return addOrder(answers, &draft)
        }
        return addChoice(answers, &draft)
    }

    private func addTruth(_ body: Substring, _ draft: inout QuestionDraft) -> Bool {
        guard
            let truth = body.wholeMatch(of: /(?i)(TRUE|FALSE|T|F)\s*(?:#([^#]*))?(?:#([^#]*))?/)
        else { return false }
        let isTrue = truth.1.uppercased().hasPrefix("T")
        draft.options = [
            .init(text: "True", isRight: isTrue), .init(text: "False", isRight: !isTrue),
        ]
        setFeedback(truth.2.map(question.content), isTrue ? 1 : 0, &draft)
        setFeedback(truth.3.map(question.content), isTrue ? 0 : 1, &draft)
        draft.shufflesOptions = false
        return true
    }

    private func setFeedback(_ content: MarkupText?, _ index: Int, _ draft: inout QuestionDraft) {
        guard let content else { return }
        draft.noteMedia(of: content)
        draft.options[index].feedback = content.text
    }

    /// Splits at each `=` and `~` that starts an answer.
    private func answers(_ body: Substring) -> [Answer] {
        let marks = Array("=~".utf8)
        var answers: [Answer] = []
        var next = GIFTSyntax.split(body, atAny: marks)
        while let start = next {
            next = GIFTSyntax.split(start.after, atAny: marks)
            answers.append(answer(start.mark == UInt8(ascii: "="), next?.before ?? start.after))
        }
        return answers
    }

    private func answer(_ isRight: Bool, _ text: Substring) -> Answer {
        let (weight, body) = Self.weight(text.drop { $0.isWhitespace })
        guard let (before, feedback) = GIFTSyntax.split(body, at: "#") else {
            return Answer(isRight: isRight, weight: weight, text: body)
        }
        return Answer(
            isRight: isRight, weight: weight, text: before, feedback: question.content(feedback))
    }

    /// Splits a weight such as `%50%` from the text behind it.
    private static func weight(_ text: Substring) -> (Double?, Substring) {
        let percent = UInt8(ascii: "%")
        let rest = text.utf8.dropFirst()
        guard text.utf8.first == percent, let end = rest.firstIndex(of: percent),
            rest[..<end].allSatisfy({ "-.0123456789".utf8.contains($0) }),
            let weight = Double(String(Substring(rest[..<end])))
        else { return (nil, text) }
        return (weight, Substring(rest[end...].dropFirst()))
    }

    /// Reads `3.14`, `3.14:0.01` or `3..4`, alone or as answers with weights.
    private func addNumber(_ body: Substring, _ draft: inout QuestionDraft) -> SkipReason? {
        let hasMarks = GIFTSyntax.split(body, atAny: Array("=~".utf8)) != nil
        let answers = hasMarks ? answers(body) : [answer(true, body)]
        let right = answers.filter { $0.isRight && $0.weight ?? 100 >= 99.9 }
        guard let first = right.first else { return SkipReason(.keyNone, "it has no right number") }
        guard right.count == 1 else {
            return SkipReason(.keySeveral, "several right numbers are not supported")
        }
        let notation = question.content(first.text).text
        guard let key = NumericKey(notation: notation) else {
            return SkipReason(.keyUnknown, "\"\(notation)\" is no number")
        }
        draft.type = .numericEntry
        draft.number = key
        for answer in answers {
            if answer.isRight, let weight = answer.weight, weight > 0, weight < 99.9 {
                noteShare(weight, question.content(answer.text).text, &draft)
            }
            if let feedback = answer.feedback?.text, !feedback.isEmpty {
                draft.note(.textLost, "the feedback \"\(feedback)\" is not kept")
            }
        }
        return nil
    }

    private func addChoice(_ answers: [Answer], _ draft: inout QuestionDraft) -> SkipReason? {
        guard answers.contains(where: { !$0.isRight }) else {
            return SkipReason(.typeUnsupported, "short answers are not supported")
        }
        let hasOneRight = answers.contains(where: \.isRight)
        guard answers.count(where: \.isRight) < 2 else {
            return SkipReason(
                .keySeveral,
                "several right answers of which one is enough are not supported; ~%50% marks two that are"
                    + " needed together")
        }
        for answer in answers {
            let content = question.content(answer.text)
            let isRight = answer.isRight || (!hasOneRight && (answer.weight ?? 0) > 0)
            let image = draft.takeMedia(of: content, shown: nil)
            draft.options.append(.init(text: content.text, isRight: isRight, image: image))
            setFeedback(answer.feedback, draft.options.count - 1, &draft)
            if hasOneRight, let weight = answer.weight, weight > 0, weight < 99.9 {
                noteShare(weight, content.text, &draft)
            }
        }
        draft.chooseTypeByKey()
        if !hasOneRight { draft.type = .multiChoice }
        return nil
    }

    private func noteShare(_ weight: Double, _ text: String, _ draft: inout QuestionDraft) {
        draft.note(.partialCredit, "the part of \(weight) % for \"\(text)\" is not kept")
    }

    /// Reads pairs; those with the left sides 1, 2, 3 … are an order.
    private func addOrder(_ answers: [Answer], _ draft: inout QuestionDraft) -> SkipReason? {
        var numbers: [Int] = []
        for answer in answers {
            guard let pair = GIFTSyntax.split(answer.text, at: "->"),
                let number = Int(question.content(pair.before).text)
            else { return SkipReason(.typeUnsupported, "matching questions are not supported") }
            numbers.append(number)
            let content = question.content(pair.after)
            let image = draft.takeMedia(of: content, shown: nil)
            draft.options.append(.init(text: content.text, image: image))
            if let feedback = answer.feedback?.text, !feedback.isEmpty {
                draft.note(.textLost, "the feedback \"\(feedback)\" is not kept")
            }
        }
        guard numbers.sorted() == Array(1...numbers.count) else {
            return SkipReason(.typeUnsupported, "matching questions are not supported")
        }
        draft.type = .ordering
        draft.order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
        return nil
    }
}
