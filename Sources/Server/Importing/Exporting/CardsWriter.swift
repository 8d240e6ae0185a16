import ContentModel

/// A writer of cards as text, with the header of Anki: the options stand on the front, their letters on the back.
enum CardsWriter {
    private static let header =
        "#separator:tab\n#html:false\n#guid column:1\n#tags column:5\n"

    /// What a guid begins with whose rest is the id of a question.
    static let guidStart = "underway:"

    /// Returns the reason that a card cannot have a question; `nil` if it may.
    static func problem(_ question: Question) -> String? {
        if !question.mediaNames.isEmpty { return "a card as text holds no images and clips" }
        if question.code != nil { return "a card as text holds no code" }
        if question.type.isOrder { return "a card as text holds no order" }
        if question.options.isEmpty { return "a card as text holds no number with its tolerance" }
        guard question.options.count <= 26 else { return "a card has at most 26 options" }
        if question.options.contains(where: { $0.feedback != nil }) {
            return "a card as text holds no feedback of options"
        }
        return nil
    }

    static func text(_ questions: [Question]) -> String {
        header + questions.map(row).joined()
    }

    private static func row(_ question: Question) -> String {
        let options = question.options.enumerated().map { "\(letter($0)) \($1.text)" }
        let front = ([question.stem] + options).joined(separator: "\n")
        let back = question.correct.map { String(letter($0).dropLast()) }.joined(separator: ", ")
        let tags = (ExportMarks.marks(question) + question.tags).map(escaped)
        return [
            guidStart + question.id, front, back, question.explanation ?? "",
            tags.joined(separator: " "),
        ].map(field).joined(separator: "\t") + "\n"
    }

    private static func letter(_ index: Int) -> String {
        String(UnicodeScalar(UInt8(65 + index))) + ")"
    }

    /// Returns a tag without the spaces that part tags.
    private static func escaped(_ tag: String) -> String {
        tag.replacing("%", with: "%25").replacing(" ", with: "%20").replacing("\n", with: "%0A")
            .replacing("\t", with: "%09")
    }

    /// Returns a tag as it was before ``escaped(_:)``.
    static func unescaped(_ tag: String) -> String {
        tag.replacing("%09", with: "\t").replacing("%0A", with: "\n").replacing("%20", with: " ")
            .replacing("%25", with: "%")
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { "\t\n\"\r".utf8.contains($0) }) else { return text }
        let doubled = text.unicodeScalars.flatMap { $0 == "\"" ? ["\"", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(doubled)) + "\""
    }
}
