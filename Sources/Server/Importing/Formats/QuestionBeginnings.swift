/// A count of what begins a question in a text, made line by line and without its reader.
///
/// The counts are lower bounds: a reader may find more, and one that finds fewer has lost a
/// question. O(characters).
enum QuestionBeginnings {
    /// Counts in Aiken: each `ANSWER:`, and each pair of options `A`, `B` that comes to none.
    static func aiken(_ text: String) -> Int {
        var count = 0
        var last: Character?
        var isOpen = false
        for line in lines(text) {
            if line.prefix(7).uppercased() == "ANSWER:" {
                if !isOpen { count += 1 }
                (isOpen, last) = (false, nil)
            } else if let letter = optionLetter(line) {
                if letter == "B", last == "A" {
                    count += 1
                    isOpen = true
                }
                last = letter
            }
        }
        return count
    }

    /// Returns the letter of an option such as `A. text` or `B) text`.
    private static func optionLetter(_ line: Substring) -> Character? {
        guard let letter = line.first, letter.isASCII, letter.isLetter,
            let mark = line.dropFirst().first, mark == "." || mark == ")",
            let next = line.dropFirst(2).first, mark == ")" || next.isWhitespace
        else { return nil }
        return Character(letter.uppercased())
    }

    /// Counts in formats with a question on each line: the lines that are not blank.
    static func lineCount(_ text: String) -> Int {
        text.utf8.split(separator: UInt8(ascii: "\n")).count { line in
            line.contains { !" \t\r".utf8.contains($0) }
        }
    }

    /// Counts cards: the lines that are not blank, less a header; 0 in a text with quotes, which may hold lines.
    static func cards(_ text: Substring, hasHeader: Bool) -> Int {
        let isQuoted = text.utf8.contains(UInt8(ascii: "\""))
        return isQuoted ? 0 : lineCount(String(text)) - (hasHeader ? 1 : 0)
    }

    /// Counts in Brightspace: the lines outside of quotes that begin with `NewQuestion`.
    static func brightspace(_ text: String) -> Int {
        var count = 0
        var isQuoted = false
        for line in text.split(separator: "\n") {
            let bare = line.drop { $0 == "\"" || $0.isWhitespace }
            if !isQuoted, bare.prefix(11).lowercased() == "newquestion" { count += 1 }
            if !line.utf8.count(where: { $0 == UInt8(ascii: "\"") }).isMultiple(of: 2) {
                isQuoted.toggle()
            }
        }
        return count
    }

    /// Counts in Respondus: the options `a` that `b` follows, or the answers in the list at the end.
    static func respondus(_ text: String) -> Int {
        var (count, answers) = (0, 0)
        var isBelowA = false
        var isList = false
        for line in lines(text) {
            let bare = line.first == "*" ? line.dropFirst().drop { $0 == " " } : line
            let letter = bare.first?.lowercased()
            let isOption = bare.dropFirst().first.map { ").".contains($0) } == true
            let title = line.lowercased().filter { !$0.isWhitespace }
            if ["answers:", "answer:", "answerkey:", "answerskey:"].contains(title) {
                (isList, answers) = (true, 0)
            } else if isList, line.first?.isNumber == true {
                answers += 1
            } else if isOption, letter == "a" {
                isBelowA = true
            } else if isOption, letter == "b", isBelowA {
                isBelowA = false
                count += 1
            }
        }
        return max(count, answers)
    }

    /// Counts in GIFT: the lines on which braces open outside of others, or those that begin
    /// with a title, if there are more of them.
    static func gift(_ text: String) -> Int {
        var (braces, titles, depth) = (0, 0, 0)
        // A brace that opens below a blank line inside of another shows that the other was never closed.
        var isBelowBlank = false
        for whole in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let line = whole.drop { $0.isWhitespace }
            if line.hasPrefix("//") { continue }
            if line.isEmpty, depth > 0 { isBelowBlank = true }
            if line.hasPrefix("::") { titles += 1 }
            // A category's name may have braces.
            if line.prefix(10).uppercased() == "$CATEGORY:" { continue }
            // Several pairs on one line are gaps of one question.
            var isBegun = false
            var isEscaped = false
            for byte in line.utf8 {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "{") {
                    if isBelowBlank { (depth, isBelowBlank) = (0, false) }
                    if depth == 0, !isBegun { braces += 1 }
                    isBegun = true
                    depth += 1
                } else if byte == UInt8(ascii: "}") {
                    depth = max(0, depth - 1)
                    if depth == 0 { isBelowBlank = false }
                }
            }
        }
        return max(braces, titles)
    }

    /// Counts in Markdown: the check lists, of which text that is not indented parts one from the next; each answer
    /// below options `A` and `B`; and what has only the options or only the answer.
    static func markdown(_ text: String) -> Int {
        var count = 0
        var fence: Character?
        var list = (isOpen: false, isAbove: false)
        var letters = Letters()
        // Lettered lines above a check list belong to its question, unless an answer and a blank line ended theirs.
        var pending = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let bare = line.drop { $0.isWhitespace }
            if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
                if fence == nil { fence = bare.first } else if fence == bare.first { fence = nil }
                continue
            }
            guard fence == nil else { continue }
            if bare.isEmpty {
                if letters.isEnded { pending = 0 }
            } else if bare.hasPrefix("#") {
                list = (false, false)
                letters = Letters()
                pending = 0
            } else if isCheck(bare) {
                count += (list.isOpen ? 0 : 1) - pending
                list = (true, true)
                letters = Letters()
                pending = 0
            } else if bare.utf8.count <= 20_000 {
                if line.first?.isWhitespace == false { list.isOpen = false }
                guard !list.isOpen else { continue }
                let added = letters.add(bare, isBelowList: list.isAbove)
                count += added
                if !list.isAbove { pending += added }
            }
        }
        return count
    }

    /// The lettered options since the last answer.
    private struct Letters {
        private var hasA = false
        private var hasB = false
        /// True when options `A` and `B` at the beginnings of lines were counted.
        private var isCounted = false
        /// True when an answer was the last line.
        private(set) var isEnded = false

        /// Returns the number of questions that a line adds.
        mutating func add(_ line: Substring, isBelowList: Bool) -> Int {
            if line.contains(Pattern.optionA), isCounted {
                self = Letters()
            }
            isEnded = false
            let hadB = hasB
            hasA = hasA || line.contains(Pattern.letterA)
            hasB = hasB || line.contains(Pattern.letterB)
            if hasA, line.contains(":"),
                line.contains(Pattern.answerLetter)
            {
                let isNew = hasB && !isCounted
                self = Letters()
                isEnded = true
                return isNew ? 1 : 0
            }
            guard !hadB, hasB, hasA, !isBelowList, !isCounted,
                line.contains(Pattern.optionB)
            else { return 0 }
            isCounted = true
            return 1
        }
    }

    private static func isCheck(_ line: Substring) -> Bool {
        var rest = line
        if let bullet = rest.first, "-*+".contains(bullet) {
            rest = rest.dropFirst()
        } else if rest.first == "[" {
            let marks: Set<Character> = ["x", "X", " "]
            return rest.dropFirst().first.map(marks.contains) == true
                && rest.dropFirst(2).first == "]"
                && rest.dropFirst(3).first?.isWhitespace == true
        } else {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(number.count)
            guard (1...3).contains(number.count), let mark = rest.first, mark == "." || mark == ")"
            else { return false }
            rest = rest.dropFirst()
        }
        guard rest.first?.isWhitespace == true else { return false }
        rest = rest.drop { $0.isWhitespace }
        guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return false }
        let mark = rest[rest.index(after: rest.startIndex)..<end].filter { !$0.isWhitespace }
        return ["", "x"].contains(mark.lowercased()) && rest[end...].dropFirst().first != "("
    }

    private static func lines(_ text: String) -> some Sequence<Substring> {
        text.split(separator: "\n").lazy.map { $0.drop { $0.isWhitespace } }
    }
}
