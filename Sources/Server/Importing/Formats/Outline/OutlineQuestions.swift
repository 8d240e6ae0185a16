/// The questions in the lines of a document: a text, the list of its options, and what shows the right ones.
///
/// A heading or a number begins a question; without them, a list does with the paragraph above it. Of several lists the
/// last above an answer has the options.
struct OutlineQuestions {
    /// The lines of one question.
    struct Question {
        var stem: [OutlineLine] = []
        var options: [OutlineLine] = []
        /// The text that names the right options.
        var answer: String?
        var explanation: [OutlineLine] = []

        var number: Int { stem.first?.number ?? options.first?.number ?? 0 }
    }

    private(set) var questions: [Question] = []

    init(_ lines: [OutlineLine]) {
        var open: [OutlineLine] = []
        for index in lines.indices {
            if Self.begins(index, lines) {
                close(open)
                open = []
            }
            open.append(lines[index])
        }
        close(open)
    }

    /// Returns whether a line begins a question: a heading, or a number that is none of a list of options.
    private static func begins(_ index: Int, _ lines: [OutlineLine]) -> Bool {
        let line = lines[index]
        if line.isHeading { return true }
        guard line.isNumbered else { return false }
        // Numbers in a row are options, unless a list stands below the last of them.
        var end = index
        while end + 1 < lines.count, lines[end + 1].isNumbered, follows(lines[end + 1], lines[end])
        {
            end += 1
        }
        var start = index
        while start > 0, lines[start - 1].isNumbered, follows(lines[start], lines[start - 1]) {
            start -= 1
        }
        guard end > start else { return true }
        return end + 1 < lines.count && lines[end + 1].item != nil && !lines[end + 1].isNumbered
    }

    private static func follows(_ line: OutlineLine, _ last: OutlineLine) -> Bool {
        guard case .number(let next?) = line.item?.bullet,
            case .number(let number?) = last.item?.bullet
        else { return true }
        return next == number + 1
    }

    // MARK: Sections

    /// Reads the lines from one beginning to the next.
    private mutating func close(_ lines: [OutlineLine]) {
        var question = Question()
        var isAnswered = false
        var index = 0
        while index < lines.count {
            let list = Self.list(from: index, in: lines)
            if list.count > 1 {
                if isAnswered || !question.options.isEmpty {
                    next(&question, &isAnswered)
                }
                question.options = Array(list)
                index = list.endIndex
                continue
            }
            let line = lines[index]
            index += 1
            if let answer = Self.answer(line.text) {
                if isAnswered { next(&question, &isAnswered) }
                question.answer = answer
                isAnswered = true
            } else if question.options.isEmpty && !isAnswered {
                question.stem.append(line)
            } else {
                question.explanation.append(
                    isAnswered ? line : Self.withoutPlace(line, question.options))
            }
        }
        add(question)
    }

    /// Returns a line below options; one with a letter that is not the next has a problem.
    private static func withoutPlace(_ line: OutlineLine, _ options: [OutlineLine]) -> OutlineLine {
        guard case .letter(_?) = line.item?.bullet, case .letter(_?) = options.first?.item?.bullet
        else { return line }
        var line = line
        line.problem = LetteredOptions.swallowed(line.text)
        return line
    }

    /// Ends a question at the list or answer of the next, whose text is the last paragraph below this one.
    private mutating func next(_ question: inout Question, _ isAnswered: inout Bool) {
        var last = question
        var stem: [OutlineLine] = []
        while let line = last.explanation.popLast() {
            stem.insert(line, at: 0)
            if line.beginsParagraph { break }
        }
        let isBelowBeginning = last.stem.first.map { $0.isHeading || $0.isNumbered } == true
        let asks = stem.last?.text.last.map { "?？؟".contains($0) } == true
        let isMarked = last.options.contains { !$0.marks.isEmpty }
        if !isAnswered, stem.isEmpty || isBelowBeginning && !asks && !isMarked {
            // A list without an answer belongs to the text.
            question = Question(stem: last.stem + last.options + last.explanation + stem)
            return
        }
        add(last)
        question = Question(stem: stem)
        isAnswered = false
    }

    private mutating func add(_ question: Question) {
        guard !question.options.isEmpty || question.answer != nil else { return }
        var question = question
        // A heading that is only a number, or that is a title above a text.
        if question.stem.count > 1, let first = question.stem.first, first.isHeading,
            first.text.isEmpty || first.text.last.map({ !"?？؟:".contains($0) }) == true
        {
            question.stem.removeFirst()
        }
        questions.append(question)
    }

    /// Returns the items of a list from a line on; empty where none begins there.
    private static func list(from index: Int, in lines: [OutlineLine]) -> ArraySlice<OutlineLine> {
        guard let first = lines[index].item else { return [] }
        if case .letter(let letter?) = first.bullet, letter != 0 { return [] }
        // A number that begins a question is no option.
        if lines[index].isNumbered, index == 0 { return [] }
        var end = index + 1
        while end < lines.count, let item = lines[end].item, answer(lines[end].text) == nil,
            isNext(item, after: lines[end - 1], first, end - index)
        {
            end += 1
        }
        return lines[index..<end]
    }

    private static func isNext(
        _ item: (bullet: OutlineLine.Bullet, level: Int), after last: OutlineLine,
        _ first: (bullet: OutlineLine.Bullet, level: Int), _ place: Int
    ) -> Bool {
        guard item.level == first.level else { return false }
        switch (first.bullet, item.bullet) {
        case (.letter(nil), .letter(nil)), (.dot, .dot), (.number(nil), .number(nil)): return true
        case (.letter(_?), .letter(let letter?)): return letter == place
        case (.number(let start?), .number(let number?)): return number == start + place
        default: return false
        }
    }

    /// Returns what stands behind `Answer:` or `The correct answer is`; `nil` for other lines.
    static func answer(_ text: String) -> String? {
        guard text.utf8.count <= 2_000 else { return nil }
        if let mark = LetteredOptions.keyMark(in: text), mark.lowerBound == text.startIndex {
            return String(text[mark.upperBound...])
        }
        return text.prefixMatch(of: Pattern.answerSentence).map {
            String(text[$0.range.upperBound...])
        }
    }
}
