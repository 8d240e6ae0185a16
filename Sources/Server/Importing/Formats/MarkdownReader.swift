/// A reader of Markdown in which check lists are options, or lettered options have a line `Answer: B`.
///
/// Of a check list `- [x]` is right, and `- [ ]` is not. Lettered options stand in a list or in running text. A page without
/// any of these is read by its lists.
///
/// The question is the text since the last heading, or the heading; a fenced block before the list
/// is its code; the text after the list up to the next question is the explanation.
enum MarkdownReader {
    static func read(
        _ text: String, file: String = "", keys: KeyReading? = nil
    ) throws(ImportError) -> ImportedDrafts {
        var result = ImportedDrafts()
        if QuestionBeginnings.markdown(text) == 0 {
            try OutlineReader(MarkdownOutline.lines(of: text), unit: "line", keys: keys).read(
                into: &result, file: file)
            return result
        }
        let sections = sections(of: text)
        var answers = AnswerReadings(keys)
        var collected = ImportedDrafts()
        for section in sections { section.close(into: &collected, &answers) }
        try answers.check(file: file)
        answers.decide()
        for section in sections { section.close(into: &result, &answers) }
        return result
    }

    private static func sections(of text: String) -> [MarkdownSection] {
        var sections = [MarkdownSection()]
        for (line, number) in MarkdownFolds.lines(of: text) {
            guard let next = sections[sections.count - 1].add(line, number: number) else {
                continue
            }
            sections.append(next)
        }
        return sections
    }
}

/// A line outside of a list, without marks of emphasis and pictures; or a fenced block.
struct MarkdownLine {
    var text: String
    var images: [String] = []
    var number: Int
    /// True when it is the first of its paragraph.
    var beginsParagraph = false
    /// True when it was behind `>`.
    var isQuoted = false
    /// The language of a fenced block, `text` where it names none; `nil` for a line.
    var language: String?

    /// Reads a line.
    init(_ line: String, number: Int, beginsParagraph: Bool = false) {
        self.number = number
        self.beginsParagraph = beginsParagraph
        isQuoted = line.hasPrefix(">")
        text = line
        removeMarks()
    }

    /// Keeps the text of a fenced block.
    init(fenced text: String, language: String, number: Int) {
        self.text = text
        self.language = language
        self.number = number
        beginsParagraph = true
    }

    /// The line without the mark of a quotation.
    var unquoted: String { isQuoted ? String(text.dropFirst()).trimmed : text }

    private mutating func removeMarks() {
        if text.contains("](") {
            let links = MarkdownLinks(text)
            text = links.text
            images += links.images
        }
        guard text.utf8.count <= 20_000 else { return }
        if text.contains("**") { text = text.replacing(Pattern.bold) { $0.1 } }
        if text.first == "`" { text = text.replacing(Pattern.codeLine) { $0.1 } }
        text = text.trimmed
    }
}
