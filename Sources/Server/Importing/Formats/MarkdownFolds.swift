/// The lines of a page in Markdown, with folded parts in place of the elements of HTML that fold them.
///
/// A part under the title "Answer" is an answer. Line breaks of HTML part lines. Code stays as it is.
enum MarkdownFolds {
    /// Returns the lines with their numbers.
    static func lines(of text: String) -> [(text: String, number: Int)] {
        var lines: [(text: String, number: Int)] = []
        var fold: (title: String, lines: [(text: String, number: Int)])?
        var fence: Substring?
        var isFrontMatter = false
        for (index, whole) in text.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let number = index + 1
            let bare = whole.drop { $0.isWhitespace }
            if index == 0, whole == "---", hasFrontMatter(text) {
                isFrontMatter = true
                continue
            }
            if isFrontMatter {
                isFrontMatter = whole != "---"
                continue
            }
            if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
                fence = fence == nil ? bare.prefix(3) : bare.hasPrefix(fence ?? "") ? nil : fence
            }
            let isCode = fence != nil || !bare.contains("<") || whole.utf8.count > 20_000
            if fold == nil, isCode || !bare.contains(Pattern.foldStart) {
                for part in isCode ? [String(whole)] : broken(whole) {
                    lines.append((part, number))
                }
                continue
            }
            var open = fold ?? ("", [])
            var rest = String(whole)
            if !isCode {
                if let title = rest.firstMatch(of: Pattern.foldTitle) {
                    open.title = MarkupText.plain(String(title.1))
                    rest.removeSubrange(title.range)
                }
                rest = rest.replacing(Pattern.foldStart, with: "")
            }
            let ends = !isCode && rest.contains(Pattern.foldEnd)
            open.lines.append((rest.replacing(Pattern.foldEnd, with: ""), number))
            fold = open
            guard ends else { continue }
            lines += unfolded(open)
            fold = nil
        }
        return lines + (fold.map(unfolded) ?? [])
    }

    /// Returns whether a page begins with settings between two lines `---`.
    private static func hasFrontMatter(_ text: String) -> Bool {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
            .prefix(100)
        guard let end = lines.firstIndex(of: "---"), end > 1 else { return false }
        return lines[..<end].allSatisfy {
            $0.isEmpty || $0.first == " " || $0.first == "#" || $0.contains(/^[A-Za-z_-]+\s*:/)
        }
    }

    /// Returns the lines of a folded part, which ends its question; an answer has its mark.
    private static func unfolded(
        _ fold: (title: String, lines: [(text: String, number: Int)])
    ) -> [(text: String, number: Int)] {
        var lines = fold.lines.map { (text: $0.text.trimmed, number: $0.number) }
        if let first = lines.firstIndex(where: { !$0.text.isEmpty }),
            fold.title.contains(Pattern.answerTitle),
            !lines.contains(where: { LetteredOptions.keyMark(in: $0.text) != nil })
        {
            lines[first].text = "Answer: " + lines[first].text
        }
        while lines.first?.text.isEmpty == true { lines.removeFirst() }
        return lines + [("", fold.lines.last?.number ?? 0)]
    }

    private static func broken(_ line: Substring) -> [String] {
        guard !line.contains("`"), line.contains("<br") || line.contains("<BR") else {
            return [String(line)]
        }
        let parts = line.replacing(Pattern.lineBreak) { ($0.1 ?? "") + "\n" }
        return parts.split(separator: "\n").map(String.init)
    }
}
