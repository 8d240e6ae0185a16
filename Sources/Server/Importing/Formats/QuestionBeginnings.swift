import ContentModel

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
            line.dropFirst(2).first?.isWhitespace == true
        else { return nil }
        return Character(letter.uppercased())
    }

    /// Counts in GIFT: the lines on which braces open outside of others, or those that begin
    /// with a title, if there are more of them.
    static func gift(_ text: String) -> Int {
        var (braces, titles, depth) = (0, 0, 0)
        for line in lines(text) where !line.hasPrefix("//") {
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
                    if depth == 0, !isBegun { braces += 1 }
                    isBegun = true
                    depth += 1
                } else if byte == UInt8(ascii: "}") {
                    depth = max(0, depth - 1)
                }
            }
        }
        return max(braces, titles)
    }

    /// Counts in Markdown: the sections with a check list, and in others each `Answer: B` that
    /// options `A` and `B` precede.
    static func markdown(_ text: String) -> Int {
        var count = 0
        var fence: Character?
        var section = (hasList: false, answers: 0)
        var letters = (a: false, b: false)
        for line in lines(text) {
            if line.hasPrefix("```") || line.hasPrefix("~~~") {
                if fence == nil { fence = line.first } else if fence == line.first { fence = nil }
                continue
            }
            guard fence == nil else { continue }
            if line.hasPrefix("#") {
                count += section.hasList ? 1 : section.answers
                section = (false, 0)
                letters = (false, false)
            } else if isCheck(line) {
                section.hasList = true
            } else if line.utf8.count <= 20_000 {
                readLetters(line, &letters, &section.answers)
            }
        }
        return count + (section.hasList ? 1 : section.answers)
    }

    private static func isCheck(_ line: Substring) -> Bool {
        guard let bullet = line.first, "-*+".contains(bullet) else { return false }
        let mark = line.dropFirst().drop { $0 == " " || $0 == "\t" }.prefix(3).lowercased()
        return mark == "[x]" || mark == "[ ]"
    }

    private static func readLetters(
        _ line: Substring, _ letters: inout (a: Bool, b: Bool), _ answers: inout Int
    ) {
        letters.a = letters.a || line.contains(/(?:^|[\s(])A[).:]\s/)
        letters.b = letters.b || line.contains(/(?:^|[\s(])B[).:]\s/)
        guard letters == (true, true), line.contains(":"),
            line.contains(/(?:^|[\s*_>-])(?i:answers?)\**\s*:\**\s*\(?[A-Z]\b/)
        else { return }
        answers += 1
        letters = (false, false)
    }

    private static func lines(_ text: String) -> some Sequence<Substring> {
        text.split(separator: "\n").lazy.map { $0.drop { $0.isWhitespace } }
    }
}
