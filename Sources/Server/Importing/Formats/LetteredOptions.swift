/// Options that stand in running text: `What …? A) x B) y Answer: B`.
///
/// The letters stand in order from A, all with the same mark: `A)`, `(A)`, `A.` or `A:`, in capital
/// or small letters, alone or behind the bullet of a list.
struct LetteredOptions {
    /// The text before the first option.
    private(set) var stem: String
    /// The options, at least two.
    private(set) var options: [String]
    /// The text behind `Answer:`, without the rest of its line's explanation.
    private(set) var key: String?
    /// The text after the key.
    private(set) var explanation = ""

    /// Finds options; `nil` if a text has fewer than two, or no stem.
    init?(_ text: String) {
        guard text.utf8.contains(where: { ").:".utf8.contains($0) }) else { return nil }
        let characters = Array(text)
        let found = Self.styles.lazy.map { Self.marks($0, in: characters) }.first { $0.count > 1 }
        guard let marks = found else { return nil }
        stem = String(characters[..<marks[0].lowerBound]).trimmed
        let ends = marks.dropFirst().map(\.lowerBound) + [characters.count]
        options = zip(marks, ends).map { String(characters[$0.upperBound..<$1]).trimmed }
        removeKey()
        guard !stem.isEmpty, options.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// The first line within an option that looks like an option whose letter is not the next.
    var swallowed: String? {
        options.lazy.flatMap { $0.split(separator: "\n").dropFirst() }.map { String($0).trimmed }
            .first { LetteredGroups.isOption(nil, $0) }
    }

    /// Returns the reason to skip a question of which a line looks like an option and is none.
    static func swallowed(_ line: String) -> SkipReason {
        SkipReason(
            .syntax,
            "its line \"\(line.prefix(60))\" looks like an option, but its letter is not the next")
    }

    /// Returns a key with the options that it may name.
    func answer(_ key: String) -> AnswerLine {
        let key = key.trimmed
        // A letter with its text: "B Iron".
        if let letter = OptionLetters.index(of: key.prefix(1), count: options.count),
            key.dropFirst().first == " ", options[letter] == String(key.dropFirst(2)).trimmed
        {
            return AnswerLine(String(key.prefix(1)) + ") " + options[letter], options: options)
        }
        return AnswerLine(key, options: options)
    }

    // MARK: Marks

    private struct Style {
        var first: UInt8
        var mark: Character
    }

    private static let styles: [Style] = [")", ":", "."].flatMap { mark in
        [Style(first: 65, mark: mark), Style(first: 97, mark: mark)]
    }

    private static func marks(_ style: Style, in text: [Character]) -> [Range<Int>] {
        var marks: [Range<Int>] = []
        for index in text.indices.dropLast() where text[index + 1] == style.mark {
            guard marks.count < 26, text[index].asciiValue == style.first + UInt8(marks.count),
                style.mark == ")" || index + 2 == text.count || text[index + 2].isWhitespace
            else { continue }
            let start = index > 0 && text[index - 1] == "(" ? index - 1 : index
            guard start == 0 || text[start - 1].isWhitespace else { continue }
            let begin = withoutBullet(start, text)
            let isAtLineStart = begin == 0 || text[begin - 1] == "\n"
            if style.mark == ":", !isAtLineStart { continue }
            marks.append(begin..<index + 2)
        }
        return marks
    }

    /// Returns the place of the bullet before a mark, else the mark's own.
    private static func withoutBullet(_ start: Int, _ text: [Character]) -> Int {
        guard start >= 2, text[start - 1] == " ", "-*+".contains(text[start - 2]),
            start == 2 || text[start - 3] == "\n"
        else { return start }
        return start - 2
    }

    /// Finds what stands before a key, such as `Answer:`, `**Correct:**` or `Right answer is:`.
    static func keyMark(in text: String) -> Range<String.Index>? {
        // Most lines have no such sign, and the pattern is slow.
        text.utf8.contains { ":=".utf8.contains($0) }
            ? text.firstRange(of: Pattern.answerMark) : nil
    }

    private static func withoutEmphasis(_ text: Substring) -> String {
        let isMark = { (character: Character) in
            character == "*" || character == "_" || character.isWhitespace
        }
        var rest = text.drop(while: isMark)
        while let last = rest.last, isMark(last) { rest.removeLast() }
        return String(rest)
    }

    /// Moves `Answer: B` and what follows from the last option to the key and the explanation.
    private mutating func removeKey() {
        let last = options[options.count - 1]
        guard let match = Self.keyMark(in: last) else { return }
        options[options.count - 1] = String(last[..<match.lowerBound]).trimmed
        let rest = last[match.upperBound...]
        let line = rest.prefix { $0 != "\n" }
        let reason = line.firstMatch(of: Pattern.reason)
        key = Self.withoutEmphasis(line[..<(reason?.range.lowerBound ?? line.endIndex)])
        let after = rest[(reason?.range.upperBound ?? line.endIndex)...]
        explanation =
            String(after.drop { $0.isWhitespace || $0 == ">" })
            .replacing(Pattern.explanationMark, with: "").trimmed
    }
}
