/// The questions with lettered options in lines that no heading parts.
enum LetteredGroups {
    /// Returns the lines at which questions begin: each has a line of an option A, and later one of B before another A.
    ///
    /// The question is the paragraph above its options, or only the line above them where it touches the options of the
    /// question before.
    static func starts(in lines: [MarkdownLine]) -> [Int] {
        var starts: [Int] = []
        var last = -1
        var firstOption: Int?
        for index in lines.indices where lines[index].language == nil {
            if isOption("A", lines[index].text) {
                firstOption = index
            } else if let first = firstOption, isOption("B", lines[index].text) {
                starts.append(start(first, after: last, lines))
                firstOption = nil
                last = index
            } else if isOption(nil, lines[index].text) || isKey(lines[index].text) {
                last = index
            }
        }
        return starts
    }

    private static func start(_ option: Int, after last: Int, _ lines: [MarkdownLine]) -> Int {
        guard option - 1 > last else { return option }
        var start = option - 1
        while start > last, !lines[start].beginsParagraph { start -= 1 }
        return start > last ? start : option - 1
    }

    /// Returns whether a line begins with a key, as `Answer: B`.
    static func isKey(_ line: String) -> Bool {
        guard let mark = LetteredOptions.keyMark(in: line) else { return false }
        return mark.lowerBound == line.startIndex
    }

    /// Returns whether a line begins with an option's letter, or with any where it is `nil`.
    static func isOption(_ letter: Character?, _ line: String) -> Bool {
        var rest = line[...]
        if let bullet = rest.first, "-*+".contains(bullet) {
            rest = rest.dropFirst().drop { $0 == " " }
        }
        let hasBracket = rest.first == "("
        if hasBracket { rest = rest.dropFirst() }
        guard let first = rest.first, first.isASCII, first.isLetter,
            let mark = rest.dropFirst().first,
            hasBracket ? mark == ")" : ").:".contains(mark)
        else { return false }
        let after = rest.dropFirst(2).first
        return (after == nil || after?.isWhitespace == true)
            && (letter == nil || first.uppercased() == letter.map(String.init))
    }
}
