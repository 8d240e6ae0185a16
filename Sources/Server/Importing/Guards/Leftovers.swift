import ContentModel

/// The leftovers of another program's format in a question's texts: marks that its author did not mean as text.
///
/// It uses no format, only the question. It ignores code.
enum Leftovers {
    /// Returns the reason that a question cannot be written; `nil` where its texts are whole.
    static func refusal(_ question: Question) -> SkipReason? {
        for text in texts(of: question) {
            if text.unicodeScalars.contains(where: isDamaged) {
                return SkipReason(
                    .damaged, "a text has characters that could not be decoded: \"\(shown(text))\"")
            }
            guard let (_, kind) = refused.first(where: { text.contains($0.pattern) }) else {
                continue
            }
            return SkipReason(.leftover, "\(kind) is left in a text: \"\(shown(text))\"")
        }
        let asked = [question.stem] + question.options.map(\.text)
        for line in asked.flatMap({ $0.split(separator: "\n") })
        where line.utf8.count < 100 && line.wholeMatch(of: Pattern.answerLine) != nil {
            return SkipReason(.leftover, "a line with an answer is left in a text: \"\(line)\"")
        }
        return nil
    }

    /// Returns what may be a loss in a question that is written nevertheless.
    static func notes(_ question: Question) -> [QuestionDraft.Note] {
        let texts = texts(of: question)
        var messages: [String] = []
        if texts.contains(where: { $0.contains(Pattern.leftTag) || hasEntity($0) }) {
            messages.append("a text has tags or entities of HTML, which the app shows as they are")
        }
        if texts.contains(where: { $0.contains(Pattern.leftWeight) }) {
            messages.append("a text begins with a mark of another program")
        }
        if texts.contains(where: { $0.contains(Pattern.wrongDecoding) || isPercentCoded($0) }) {
            messages.append(
                "a text looks as if it had been decoded wrongly; --encoding names another encoding")
        }
        return messages.map { .init(code: .leftover, message: $0) }
    }

    private static var refused: [(pattern: Regex<Substring>, kind: String)] {
        [
            (Pattern.leftFold, "a mark of a folded part"),
            (Pattern.leftMedia, "the address of a file of another program"),
            (Pattern.leftGap, "the mark of a gap"),
        ]
    }

    private static func hasEntity(_ text: String) -> Bool {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return false }
        return text.matches(of: Pattern.htmlEntity).contains { match in
            MarkupText.character(text[match.range].dropFirst().dropLast()) != nil
        }
    }

    private static func isPercentCoded(_ text: String) -> Bool {
        !text.contains(" ") && text.ranges(of: "%20").count > 1
    }

    private static func isDamaged(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{FFFD}"
            || scalar.value < 0x20 && scalar != "\n" && scalar != "\t" && scalar != "\r"
    }

    /// Returns the texts, without text in backticks.
    private static func texts(of question: Question) -> [String] {
        let texts =
            [question.stem, question.explanation ?? ""]
            + question.options.flatMap { [$0.text, $0.feedback ?? ""] }
        return texts.filter { !$0.isEmpty }.map { text in
            text.utf8.contains(UInt8(ascii: "`"))
                ? text.replacing(Pattern.inlineCode, with: "") : text
        }
    }

    private static func shown(_ text: String) -> String {
        text.count > 60 ? text.prefix(60) + "…" : text
    }
}
