/// The lines of a page in Markdown whose options are plain items of lists, with bold ones or answers below them.
enum MarkdownOutline {
    static func lines(of text: String) -> [OutlineLine] {
        var lines: [OutlineLine] = []
        var isBlank = true
        var fence: Substring?
        for (whole, number) in MarkdownFolds.lines(of: text) {
            let bare = whole.trimmed
            defer { isBlank = bare.isEmpty }
            if bare.hasPrefix("```") || bare.hasPrefix("~~~") {
                fence = fence == nil ? bare.prefix(3) : bare.hasPrefix(fence ?? "") ? nil : fence
                continue
            }
            if fence != nil {
                if !lines.isEmpty {
                    lines[lines.count - 1].problem = SkipReason(
                        .syntax, "it has a block of code beside a plain list")
                }
                continue
            }
            guard !bare.isEmpty else { continue }
            var line = line(whole, bare, number)
            line.beginsParagraph = isBlank || line.item != nil || line.isHeading
            let isIndented = whole.first == " " || whole.first == "\t"
            if line.item == nil, isIndented, !isBlank, let last = lines.last, last.item != nil,
                !last.isNumbered
            {
                lines[lines.count - 1].text += "\n" + line.text
            } else {
                lines.append(line)
            }
        }
        return lines
    }

    private static func line(_ whole: String, _ bare: String, _ number: Int) -> OutlineLine {
        if let match = bare.prefixMatch(of: Pattern.markdownHeading) {
            var line = plain(String(bare[match.range.upperBound...]), number)
            line.isHeading = true
            line.text = line.text.replacing(Pattern.typedNumber, with: "").trimmed
            return line
        }
        guard let match = bare.prefixMatch(of: Pattern.markdownBullet) else {
            var line = plain(bare, number)
            if whole.first != " ", whole.first != "\t" { line.takeTypedBullet(readsStars: false) }
            return line
        }
        var line = plain(String(bare[match.range.upperBound...]), number)
        let indent = whole.prefix { $0 == " " || $0 == "\t" }.reduce(0) {
            $0 + ($1 == "\t" ? 4 : 1)
        }
        let level = indent < 2 ? 0 : 1 + (indent - 2) / 4
        line.item = (match.1.map { .number(Int($0)) } ?? .dot, level)
        if line.item?.bullet == .dot { line.takeTypedBullet(readsStars: false) }
        return line
    }

    /// Returns a line without its marks of emphasis; bold as a whole is a mark.
    private static func plain(_ text: String, _ number: Int) -> OutlineLine {
        let bare = text.trimmed
        let markdown = MarkdownLine(bare, number: number)
        var line = OutlineLine(markdown.unquoted, number: number)
        line.images = markdown.images
        if bare.utf8.count <= 20_000, bare.wholeMatch(of: Pattern.boldWhole) != nil {
            line.marks.insert(.bold)
        }
        return line
    }
}
