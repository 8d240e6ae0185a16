import ContentModel

/// A reader of the text that Blackboard uploads: a question on each line, its parts separated by tabs.
///
/// The first part is the type, as in `MC	Which?	Oxygen	incorrect	Iron	correct`.
enum BlackboardReader {
    /// The types of Blackboard's uploads.
    static let types: Set = [
        "MC", "MA", "TF", "ESS", "ORD", "MAT", "FIB", "FIB_PLUS", "FIL", "NUM", "SR", "OP",
        "JUMBLED_SENTENCE", "QUIZ_BOWL",
    ]

    static func read(_ text: String, form: SourceTextForm?) -> ImportedDrafts {
        var result = ImportedDrafts()
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let rows = lines.enumerated().map { index, line in
            (
                number: index + 1,
                parts: line.split(separator: "\t", omittingEmptySubsequences: false).map {
                    String($0).trimmed
                }
            )
        }
        let form = form ?? SourceTextForm(deciding: rows.lazy.flatMap(\.parts))
        for (number, parts) in rows where !parts.allSatisfy(\.isEmpty) {
            let place = "line \(number)"
            switch draft(parts, place, form) {
            case .success(let draft): result.add(draft)
            case .failure(let reason): result.skip(place, reason)
            }
        }
        return result
    }

    /// Returns whether most lines of a text begin with a type of question and a tab.
    static func isShown(in head: Substring) -> Bool {
        let lines = head.split(separator: "\n").prefix(200)
        let typed = lines.count { line in
            line.contains("\t") && types.contains(line.prefix { $0 != "\t" }.uppercased())
        }
        return typed > 0 && 3 * typed >= 2 * lines.count
    }

    private static func draft(
        _ parts: [String], _ place: String, _ form: SourceTextForm
    ) -> Result<QuestionDraft, SkipReason> {
        let type = parts[0].uppercased()
        guard types.contains(type) else {
            return .failure(
                SkipReason(
                    .typeUnsupported,
                    "the line begins with \"\(parts[0].prefix(60))\", which is no type of question")
            )
        }
        guard parts.count > 1, !parts[1].isEmpty else {
            return .failure(SkipReason(.stemMissing, "it has no question"))
        }
        let stem = content(parts[1], form)
        var draft = QuestionDraft(place: place, type: .singleChoice, stem: stem.text)
        draft.image = draft.takeMedia(of: stem, shown: nil)
        var answers = Array(parts.dropFirst(2))
        while answers.last?.isEmpty == true { answers.removeLast() }
        let reason: SkipReason? =
            switch type {
            case "MC", "MA": addOptions(answers, isSingle: type == "MC", form, to: &draft)
            case "TF": addJudgement(answers, to: &draft)
            case "ORD": addOrder(answers, form, to: &draft)
            case "NUM": addNumber(answers, to: &draft)
            default: SkipReason(.typeUnsupported, "questions of the type \(type) are not supported")
            }
        return reason.map { .failure($0) } ?? .success(draft)
    }

    private static func content(_ text: String, _ form: SourceTextForm) -> MarkupText {
        form == .html ? MarkupText(text, readsTeX: true) : MarkupText(plain: text)
    }

    private static func addOptions(
        _ answers: [String], isSingle: Bool, _ form: SourceTextForm, to draft: inout QuestionDraft
    ) -> SkipReason? {
        guard answers.count.isMultiple(of: 2) else {
            return SkipReason(.syntax, "an answer has no word correct or incorrect behind it")
        }
        for place in stride(from: 0, to: answers.count, by: 2) {
            let word = answers[place + 1].lowercased()
            guard ["correct", "incorrect"].contains(word) else {
                return SkipReason(
                    .keyUnknown,
                    "behind an answer stands \"\(answers[place + 1])\", not correct or incorrect")
            }
            let content = content(answers[place], form)
            draft.noteMedia(of: content)
            draft.options.append(.init(text: content.text, isRight: word == "correct"))
        }
        guard draft.options.contains(where: \.isRight) else {
            return SkipReason(.keyNone, "no answer is correct")
        }
        guard !isSingle || draft.key.count == 1 else {
            return SkipReason(.keyDisagrees, "one answer is allowed, and several are correct")
        }
        draft.type = isSingle ? .singleChoice : .multiChoice
        return nil
    }

    private static func addJudgement(
        _ answers: [String], to draft: inout QuestionDraft
    ) -> SkipReason? {
        guard answers.count == 1, let word = answers.first?.lowercased(),
            ["true", "false"].contains(word)
        else { return SkipReason(.keyUnknown, "its key is neither true nor false") }
        draft.options = ["True", "False"].map { .init(text: $0, isRight: $0.lowercased() == word) }
        draft.shufflesOptions = false
        return nil
    }

    private static func addOrder(
        _ answers: [String], _ form: SourceTextForm, to draft: inout QuestionDraft
    ) -> SkipReason? {
        guard answers.count > 1 else {
            return SkipReason(.optionsMissing, "an order has at least two answers")
        }
        draft.type = .ordering
        draft.options = answers.map { .init(text: content($0, form).text, isRight: true) }
        draft.order = Array(answers.indices)
        return nil
    }

    private static func addNumber(
        _ answers: [String], to draft: inout QuestionDraft
    ) -> SkipReason? {
        guard let written = answers.first, let value = DecimalNumber(written) else {
            return SkipReason(.keyUnknown, "its answer \"\(answers.first ?? "")\" is no number")
        }
        let distance = answers.count > 1 ? answers[1] : "0"
        guard let tolerance = DecimalNumber(distance) else {
            return SkipReason(.keyUnknown, "its tolerance \"\(distance)\" is no number")
        }
        draft.type = .numericEntry
        draft.number = NumericKey(.value(value, .absolute(tolerance)))
        return nil
    }
}
