import ContentModel

/// The lines of one question with a check list, or of questions with lettered options.
struct MarkdownSection {
    private var heading: MarkdownLine?
    private var lines: [MarkdownLine] = []
    private var firstLine = 0
    private var code: CodeSnippet?
    private var options: [QuestionDraft.Option] = []
    private var explanation: [MarkdownLine] = []
    private var fence: (mark: Substring, language: String, lines: [String], number: Int)?
    private var isInList = false
    private var isAfterBlank = true
    /// True when the last lines were `Answer: B` and a blank line.
    private var isAnswered = false
    private var isComplete = false
    /// The pictures of options beyond their first.
    private var furtherImages: [String] = []

    init() {}

    /// Begins a section with what stood below the list of another, and with a line.
    private init(_ carried: [MarkdownLine] = [], adding line: String, number: Int) {
        for one in carried { one.language == nil ? lines.append(one) : addBlock(one) }
        firstLine = carried.first?.number ?? 0
        _ = add(line, number: number)
    }

    /// Adds a line; returns the next section when the line belongs to that.
    mutating func add(_ line: String, number: Int) -> MarkdownSection? {
        if fence != nil {
            addFenced(line)
            return nil
        }
        let bare = line.trimmed
        defer { isAfterBlank = bare.isEmpty }
        if let open = Self.fence(bare) {
            fence = (open.mark, open.language, [], number)
            return nil
        }
        if let title = Self.title(bare) {
            guard heading == nil, options.isEmpty, lines.isEmpty else {
                return MarkdownSection(adding: line, number: number)
            }
            heading = MarkdownLine(title, number: number)
            return nil
        }
        if Self.isRule(bare) { return options.isEmpty && !isAnswered ? nil : MarkdownSection() }
        if let (isRight, text) = Self.box(bare) {
            guard explanation.isEmpty else {
                return MarkdownSection(takeNextStem(), adding: line, number: number)
            }
            addOption(text, isRight: isRight, number)
            return nil
        }
        if isAnswered, bare.isEmpty { isComplete = true }
        if isComplete, !bare.isEmpty, bare.first != ">", !bare.lowercased().hasPrefix("explanation")
        {
            return MarkdownSection(adding: line, number: number)
        }
        addText(line, bare, number)
        isAnswered = isAnswered || (options.isEmpty && !lines.isEmpty && Self.isAnswer(bare))
        return nil
    }

    // MARK: Lines

    private static func fence(_ bare: String) -> (mark: Substring, language: String)? {
        guard bare.first == "`" || bare.first == "~",
            let match = bare.prefixMatch(of: Pattern.fence)
        else { return nil }
        return (match.1, match.2.isEmpty ? "text" : String(match.2))
    }

    /// Returns the text of a heading, as of `## Title ##`.
    private static func title(_ bare: String) -> String? {
        let text = bare.drop { $0 == "#" }
        guard (1...6).contains(bare.utf8.count - text.utf8.count), text.first?.isWhitespace == true
        else { return nil }
        var title = text[...]
        while title.last == "#" { title.removeLast() }
        return String(title).trimmed
    }

    /// Returns the option of a line such as `- [x] text`, also of `- [] text`, `- [x ] text`, `1. [ ] text` and `[x] text`; not of a
    /// link `- [x](address)`.
    private static func box(_ bare: String) -> (isRight: Bool, text: String)? {
        guard let first = bare.first, "-*+[".contains(first) || first.isASCII && first.isNumber,
            let match = bare.wholeMatch(
                of: Pattern.checkBox)
        else { return nil }
        let mark = match.1 ?? match.2 ?? ""
        return (mark.contains { "xX".contains($0) }, String(match.3))
    }

    /// Returns whether a line only parts others: `---`, `***`, or `===` below a heading.
    private static func isRule(_ bare: String) -> Bool {
        guard let first = bare.first, "-*_=".contains(first) else { return false }
        let marks = bare.filter { $0 != " " }
        return marks.count > 2 && marks.allSatisfy { $0 == first }
    }

    /// Returns whether a line holds the key of lettered options.
    private static func isAnswer(_ line: String) -> Bool {
        line.contains(":") && LetteredOptions.keyMark(in: line) != nil
    }

    private mutating func addOption(_ text: String, isRight: Bool, _ number: Int) {
        if firstLine == 0 { firstLine = number }
        let line = MarkdownLine(text, number: number)
        options.append(.init(text: line.text, isRight: isRight, image: line.images.first))
        furtherImages += line.images.dropFirst()
        isInList = true
    }

    private mutating func addText(_ line: String, _ bare: String, _ number: Int) {
        guard !bare.isEmpty else { return }
        let added = MarkdownLine(bare, number: number, beginsParagraph: isAfterBlank)
        if isInList, line.first == " " || line.first == "\t" {
            addToOption(added.text)
            furtherImages += added.images
        } else if options.isEmpty {
            if firstLine == 0 { firstLine = number }
            lines.append(added)
        } else {
            isInList = false
            explanation.append(added)
        }
    }

    private mutating func addToOption(_ text: String) {
        guard let last = options.indices.last else { return }
        options[last].text += (options[last].text.isEmpty ? "" : "\n") + text
    }

    private mutating func addFenced(_ line: String) {
        guard let open = fence else { return }
        guard line.trimmed.hasPrefix(open.mark) else {
            fence?.lines.append(line)
            return
        }
        fence = nil
        addBlock(
            MarkdownLine(
                fenced: open.lines.joined(separator: "\n"), language: open.language,
                number: open.number))
    }

    private mutating func addBlock(_ block: MarkdownLine) {
        if isInList {
            addToOption(block.text)
        } else if !options.isEmpty {
            explanation.append(block)
        } else if code == nil {
            code = CodeSnippet(language: block.language ?? "text", text: block.text)
        } else {
            lines.append(block)
        }
    }

    /// Removes what a list below shows to be the next question: the last paragraph, and its code.
    private mutating func takeNextStem() -> [MarkdownLine] {
        var start = explanation.count
        while start > 0, explanation[start - 1].language != nil { start -= 1 }
        while start > 0, !explanation[start - 1].isQuoted, explanation[start - 1].language == nil {
            start -= 1
            if explanation[start].beginsParagraph { break }
        }
        defer { explanation.removeSubrange(start...) }
        return Array(explanation[start...])
    }

    // MARK: Questions

    func close(into result: inout ImportedDrafts, _ answers: inout AnswerReadings) {
        guard !options.isEmpty else { return closeLettered(into: &result, &answers) }
        // Below a list, lettered options are a question only with their key.
        let starts = LetteredGroups.starts(in: explanation)
        let own = starts.first ?? explanation.count
        let rest = explanation[own...].map(\.text).joined(separator: "\n")
        let hasNext = LetteredOptions(rest)?.key != nil
        closeList(hasNext ? explanation[..<own] : explanation[...], into: &result)
        guard hasNext else { return }
        Self.close(explanation, starts, heading: nil, code: nil, into: &result, &answers)
    }

    private func closeList(
        _ explanation: ArraySlice<MarkdownLine>, into result: inout ImportedDrafts
    ) {
        let place = "line \(heading?.number ?? firstLine)"
        guard options.contains(where: \.isRight) else {
            return result.skip(place, .keyNone, "no option is marked [x]")
        }
        if let key = explanation.lazy.compactMap(keyLetters).first,
            key != options.indices.filter({ options[$0].isRight })
        {
            return result.skip(
                place, .keyDisagrees, "its list and its answer name different options as right")
        }
        let own = Self.isOfPage(heading, lines) ? nil : heading
        var texts = lines.map(\.text)
        if own == nil, let first = texts.first { texts[0] = Self.withoutNumber(first) }
        let stem = (own.map { [Self.withoutNumber($0.text)] } ?? []) + texts
        var draft = QuestionDraft(
            place: place, type: .singleChoice, stem: stem.joined(separator: "\n"), options: options)
        draft.explanation = explanation.map(\.unquoted).joined(separator: "\n")
        draft.show(
            ([heading].compactMap(\.self) + lines).flatMap(\.images),
            besides: furtherImages + explanation.flatMap(\.images))
        draft.finish(code)
        result.add(draft)
    }

    /// Reads lettered options; a section without them, and without an answer, is no question.
    private func closeLettered(
        into result: inout ImportedDrafts, _ answers: inout AnswerReadings
    ) {
        let starts = LetteredGroups.starts(in: lines)
        Self.close(
            lines, [0] + starts.dropFirst(), heading: heading, code: code, into: &result, &answers)
    }

    /// Reads each group of lines as a question.
    private static func close(
        _ lines: [MarkdownLine], _ starts: [Int], heading: MarkdownLine?, code: CodeSnippet?,
        into result: inout ImportedDrafts, _ answers: inout AnswerReadings
    ) {
        for (start, end) in zip(starts, starts.dropFirst() + [lines.count]) {
            let isFirst = start == starts.first
            let group = Array(lines[start..<end])
            read(
                group, heading: isFirst ? heading : nil, code: isFirst ? code : nil,
                into: &result, &answers)
        }
    }

    private static func read(
        _ lines: [MarkdownLine], heading: MarkdownLine?, code: CodeSnippet?,
        into result: inout ImportedDrafts, _ answers: inout AnswerReadings
    ) {
        let all = (isOfPage(heading, lines) ? [] : heading.map { [$0] } ?? []) + lines
        let place = "line \(all.first?.number ?? 0)"
        guard let lettered = LetteredOptions(all.map(\.text).joined(separator: "\n")) else {
            if lines.contains(where: { LetteredGroups.isKey($0.text) }) {
                result.skip(
                    place, .optionsMissing,
                    "it has an answer, but no options A, B … with a question above them")
            } else if !LetteredGroups.starts(in: lines).isEmpty {
                result.skip(
                    place, .optionsMissing,
                    "its lettered options have no text, or no question above them")
            }
            return
        }
        guard let key = lettered.key else {
            return result.skip(
                place, .keyNone, "it has lettered options, but no \"Answer:\" after them")
        }
        if let line = lettered.swallowed {
            return result.skip(place, LetteredOptions.swallowed(line))
        }
        let right: [Int]
        switch answers.right(lettered.answer(key)) {
        case .failure(let reason): return result.skip(place, reason)
        case .success(let found): right = found
        }
        var draft = QuestionDraft(
            place: place, type: .singleChoice, stem: withoutNumber(lettered.stem))
        draft.hadLetters = true
        draft.options = lettered.options.enumerated().map {
            .init(text: $1, isRight: right.contains($0))
        }
        draft.explanation = lettered.explanation
        draft.show(all.flatMap(\.images), besides: [])
        draft.finish(code)
        result.add(draft)
    }

    /// Returns the options that a line such as `Answer: B, C` names by their letters; `nil` for other lines.
    private func keyLetters(_ line: MarkdownLine) -> [Int]? {
        guard let mark = LetteredOptions.keyMark(in: line.unquoted),
            mark.lowerBound == line.unquoted.startIndex
        else { return nil }
        let key = String(line.unquoted[mark.upperBound...])
        let parts = key.replacing(" and ", with: ",").split { ", .()*".contains($0) }
        let letters = parts.compactMap { part in
            part.count == 1 ? part.uppercased().utf8.first.map { Int($0) - 65 } : nil
        }
        guard !letters.isEmpty, letters.count == parts.count,
            letters.allSatisfy(options.indices.contains)
        else { return nil }
        return letters.sorted()
    }

    /// Returns whether a heading is that of a page, not of the one question with a number below it.
    private static func isOfPage(_ heading: MarkdownLine?, _ lines: [MarkdownLine]) -> Bool {
        guard let heading, let last = heading.text.last, !"?:".contains(last) else { return false }
        let numbered = lines.indices.filter {
            lines[$0].language == nil && lines[$0].text.contains(Pattern.questionNumber)
        }
        return numbered == [0]
    }

    private static func withoutNumber(_ stem: String) -> String {
        stem.replacing(Pattern.questionNumber, with: "")
    }
}

extension QuestionDraft {
    /// Shows the first of the stem's pictures, and notes all others.
    fileprivate mutating func show(_ stem: [String], besides others: [String]) {
        image = stem.first
        for name in stem.dropFirst() + others where name != image {
            note(.mediaLost, "the image \"\(name)\" is not kept; a question shows one")
        }
    }

    /// Sets the code, and the type by it and by the key.
    fileprivate mutating func finish(_ code: CodeSnippet?) {
        self.code = code
        chooseTypeByKey()
        if code != nil, type == .singleChoice { type = .codeSnippet }
    }
}
