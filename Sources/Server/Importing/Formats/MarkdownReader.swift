import ContentModel

/// A reader of Markdown in which check lists are options: `- [x]` is right, `- [ ]` is not.
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
            heading = (String(match.1), number)
            return true
        }
        if let first = bare.first, "-*+".contains(first),
            let match = bare.wholeMatch(of: /[-*+]\s+\[([ xX])\]\s*(.*)/)
        {
            // A list after an explanation belongs to the next question.
            guard explanation.isEmpty else { return false }
            if firstLine == 0 { firstLine = number }
            options.append(.init(text: inline(String(match.2)), isRight: match.1 != " "))
            isInList = true
            return true
        }
        addText(line, bare, number)
        return true
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
        // The patterns are slow, and most lines have none of their characters.
        guard text.contains(where: { "[*`".contains($0) }) else { return text }
        var result = text
        for match in text.matches(of: /!\[[^\]]*\]\(([^)\s]+)[^)]*\)/) {
            images.append(String(match.1))
            result = result.replacing(match.0, with: "")
        }
        result = result.replacing(/\[([^\]]+)\]\(([^)\s]+)[^)]*\)/) { "\($0.1) (\($0.2))" }
        result = result.replacing(/\*\*([^*]+)\*\*/) { $0.1 }
        return result.replacing(/^`([^`]+)`$/) { $0.1 }.trimmed
    }

    func close(into result: inout ImportedDrafts) {
        guard !options.isEmpty else { return }
        let place = "line \(heading?.line ?? firstLine)"
        let title = heading.map { $0.text.replacing(/^Q?\d+[.):]\s*/, with: "") }
        var parts = paragraphs
        if let title { parts.insert(title, at: 0) }
        guard options.contains(where: \.isRight) else {
            return result.skip(place, "no option is marked [x]")
        }
        if !images.isEmpty {
            return result.skip(place, "it shows \"\(images[0])\", which is not in the file")
        }
        var draft = QuestionDraft(
            place: place, type: .singleChoice, stem: parts.joined(separator: "\n"),
            options: options)
        draft.code = code
        draft.chooseTypeByKey()
        if code != nil, draft.type == .singleChoice { draft.type = .codeSnippet }
        draft.explanation = explanation.joined(separator: "\n")
        result.drafts.append(draft)
    }
}
