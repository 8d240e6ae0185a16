import ContentModel

/// A reader of Markdown in which check lists are options: `- [x]` is right, `- [ ]` is not; or
/// lettered options with a line `Answer: B`, as a list or in running text.
///
/// The question is the text since the last heading, or the heading; a fenced block before the list
/// is its code; the text after the list up to the next heading is the explanation.
enum MarkdownReader {
    static func read(_ text: String) -> ImportedDrafts {
        var result = ImportedDrafts()
        var section = Section()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            if section.add(String(line), number: index + 1) { continue }
            section.close(into: &result)
            section = Section()
            _ = section.add(String(line), number: index + 1)
        }
        section.close(into: &result)
        return result
    }
}

/// The lines of one question.
private struct Section {
    private var heading: (text: String, line: Int)?
    private var paragraphs: [String] = []
    private var firstLine = 0
    private var code: CodeSnippet?
    private var options: [QuestionDraft.Option] = []
    private var explanation: [String] = []
    private var fence: (mark: Substring, language: String, lines: [String])?
    private var isInList = false
    /// Whether the last lines were `Answer: B`, and then a blank one.
    private var isAnswered = false
    private var isComplete = false
    private var images: [String] = []

    /// Adds a line; returns false when it belongs to the next question.
    mutating func add(_ line: String, number: Int) -> Bool {
        if fence != nil { return addFenced(line) }
        let bare = line.trimmed
        if bare.first == "`" || bare.first == "~",
            let match = bare.prefixMatch(of: /(```+|~~~+)\s*(\S*)/)
        {
            fence = (match.1, String(match.2), [])
            return true
        }
        if bare.first == "#", let match = bare.wholeMatch(of: /#{1,6}\s+(.*?)\s*#*/) {
            guard heading == nil, options.isEmpty, paragraphs.isEmpty else { return false }
            heading = (inline(String(match.1)), number)
            return true
        }
        if let first = bare.first, "-*+".contains(first),
            let match = bare.wholeMatch(of: /[-*+]\s+\[([ xX])\]\s*(.*)/)
        {
            // A list after an explanation belongs to the next question.
            guard explanation.isEmpty else { return false }
            if firstLine == 0 { firstLine = number }
            let imageCount = images.count
            let text = inline(String(match.2))
            // A picture in an option is the option's own.
            let image = images.count > imageCount ? images.remove(at: imageCount) : nil
            options.append(.init(text: text, isRight: match.1 != " ", image: image))
            isInList = true
            return true
        }
        if isAnswered, bare.isEmpty { isComplete = true }
        if isComplete, !bare.isEmpty, bare.first != ">", !bare.lowercased().hasPrefix("explanation")
        {
            return false
        }
        addText(line, bare, number)
        isAnswered = isAnswered || (options.isEmpty && !paragraphs.isEmpty && isAnswer(bare))
        return true
    }

    /// Returns whether a line holds the key of lettered options.
    private func isAnswer(_ line: String) -> Bool {
        line.contains(":") && LetteredOptions.keyMark(in: line) != nil
    }

    private mutating func addText(_ line: String, _ bare: String, _ number: Int) {
        guard !bare.isEmpty else { return }
        if isInList, line.first == " " || line.first == "\t" {
            addToOption(inline(bare))
        } else if options.isEmpty {
            if firstLine == 0 { firstLine = number }
            paragraphs.append(inline(bare))
        } else {
            isInList = false
            explanation.append(
                inline(bare.hasPrefix(">") ? String(bare.dropFirst()).trimmed : bare))
        }
    }

    private mutating func addToOption(_ text: String) {
        guard let last = options.indices.last else { return }
        options[last].text += (options[last].text.isEmpty ? "" : "\n") + text
    }

    private mutating func addFenced(_ line: String) -> Bool {
        guard var open = fence else { return true }
        if line.trimmed.hasPrefix(open.mark) {
            fence = nil
            let text = open.lines.joined(separator: "\n")
            if isInList {
                addToOption(text)
            } else if !options.isEmpty {
                explanation.append(text)
            } else if code == nil {
                code = CodeSnippet(
                    language: open.language.isEmpty ? "text" : open.language, text: text)
            } else {
                paragraphs.append(text)
            }
        } else {
            open.lines.append(line)
            fence = open
        }
        return true
    }

    /// Removes images and marks of emphasis from a line.
    private mutating func inline(_ text: String) -> String {
        // The patterns are slow, and most lines have none of their characters; the time grows with
        // the square of a line's length.
        guard text.utf8.count <= 20_000 else { return text }
        var result = text
        if text.contains("](") {
            for match in text.matches(of: /!\[[^\]]*\]\(([^)\s]+)[^)]*\)/) {
                images.append(String(match.1))
                result = result.replacing(match.0, with: "")
            }
            result = result.replacing(/\[([^\]]+)\]\(([^)\s]+)[^)]*\)/) { "\($0.1) (\($0.2))" }
        }
        if text.contains("**") { result = result.replacing(/\*\*([^*]+)\*\*/) { $0.1 } }
        if result.first == "`" { result = result.replacing(/^`([^`]+)`$/) { $0.1 } }
        return result.trimmed
    }

    func close(into result: inout ImportedDrafts) {
        guard !options.isEmpty else { return closeLettered(into: &result) }
        let place = "line \(heading?.line ?? firstLine)"
        let parts = (heading.map { [Self.withoutNumber($0.text)] } ?? []) + paragraphs
        guard options.contains(where: \.isRight) else {
            return result.skip(place, "no option is marked [x]")
        }
        result.drafts.append(
            draft(
                place, parts.joined(separator: "\n"), options,
                explanation.joined(separator: "\n")))
    }

    /// Reads lettered options in the paragraphs; a section without them is no question.
    private func closeLettered(into result: inout ImportedDrafts) {
        let text = paragraphs.joined(separator: "\n")
        let whole = (heading.map { [$0.text] } ?? []) + [text]
        guard let lettered = LetteredOptions(whole.joined(separator: "\n")) else { return }
        let place = "line \(heading?.line ?? firstLine)"
        guard let key = lettered.key else {
            return result.skip(place, "it has lettered options, but no \"Answer:\" after them")
        }
        guard let right = lettered.indices(of: key) else {
            return result.skip(place, "its answer \"\(key)\" names none of its options")
        }
        let options = lettered.options.enumerated().map {
            QuestionDraft.Option(text: $1, isRight: right.contains($0))
        }
        result.drafts.append(
            draft(place, Self.withoutNumber(lettered.stem), options, lettered.explanation))
    }

    private static func withoutNumber(_ stem: String) -> String {
        stem.replacing(/^Q?\d+[.):]\s*/, with: "")
    }

    private func draft(
        _ place: String, _ stem: String, _ options: [QuestionDraft.Option], _ explanation: String
    ) -> QuestionDraft {
        var draft = QuestionDraft(
            place: place, type: .singleChoice, stem: stem, options: options)
        draft.code = code
        draft.chooseTypeByKey()
        if code != nil, draft.type == .singleChoice { draft.type = .codeSnippet }
        draft.explanation = explanation
        draft.image = images.first
        for name in images.dropFirst() where name != draft.image {
            draft.notes.append("the image \"\(name)\" is not kept; a question shows one")
        }
        return draft
    }
}
