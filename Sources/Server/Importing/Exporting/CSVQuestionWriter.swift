import ContentModel

/// A writer of a table with a column for each option.
///
/// A cell that a spreadsheet would take for a formula has an apostrophe before it, by ``CSVFormula``.
enum CSVQuestionWriter {
    static func text(_ questions: [Question]) -> String {
        rows(questions).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    /// Returns the header and a row for each question, with formulas escaped.
    static func rows(_ questions: [Question]) -> [[String]] {
        let optionCount = questions.map(\.options.count).max() ?? 0
        let numbers = (0..<optionCount).map { "\($0 + 1)" }
        let header =
            ["id", "type", "domain", "difficulty", "stem", "language", "code", "image"]
            + numbers.map { "option_\($0)" } + ["correct", "explanation", "tags"]
            + numbers.map { "feedback_\($0)" } + numbers.map { "image_\($0)" } + ["marks"]
        return ([header] + questions.map { row($0, optionCount) })
            .map { $0.map(CSVFormula.escaped) }
    }

    private static func row(_ question: Question, _ optionCount: Int) -> [String] {
        let missing = Array(repeating: "", count: optionCount - question.options.count)
        // A tag that contains the separator of tags is written among the marks.
        let isPlain = !question.tags.contains { $0.isEmpty || $0.contains("|") }
        var tags = isPlain ? question.tags.joined(separator: "|") : ""
        if isPlain, question.tags.count == 1 { tags += "|" }
        let head: [String] = [
            question.id, question.type.rawValue, question.domain ?? "",
            "\(question.difficulty)", question.stem, question.code?.language ?? "",
            question.code?.text ?? "", question.image ?? "",
        ]
        let key =
            switch question.key {
            case .options(let correct): correct.map { "\($0 + 1)" }.joined(separator: " ")
            case .number(let number): number.notation
            }
        return head + question.options.map(\.text) + missing
            + [key, question.explanation ?? "", tags]
            + question.options.map { $0.feedback ?? "" } + missing
            + question.options.map { $0.image ?? "" } + missing
            + [ExportMarks.joined(ExportMarks.marks(question) + (isPlain ? [] : question.tags))]
    }

    /// Quotes a text where its bytes need it: a separator before a combining character is one too.
    private static func field(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { !"\",;\t\r\n".utf8.contains($0) }
        guard !isPlain else { return text }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}
