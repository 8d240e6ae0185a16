/// The reading of the form `plain`: code between single backticks, and lines.
enum PlainForm {
    /// Returns one paragraph, or nothing for a blank text.
    static func blocks(of source: String) -> [TextBlock] {
        let spans = TextRun.runs(of: SourceLines.text(of: source)).flatMap(spans)
        let shown = joined(SpanList.ends(of: spans, without: .breaks).core)
        return SpanList.isVisible(shown) ? [.paragraph(shown)] : []
    }

    /// Returns the lines of a run.
    private static func spans(of run: TextRun) -> [TextSpan] {
        let lines = run.words.split(separator: "\n", omittingEmptySubsequences: false)
        let spans = lines.map { line -> [TextSpan] in
            if line.isEmpty { return [] }
            return [run.isCode ? .code(String(line)) : .text(String(line))]
        }
        return Array(spans.joined(separator: [.lineBreak]))
    }

    /// Joins texts beside each other, which a backtick without a partner leaves, and code beside code.
    private static func joined(_ spans: [TextSpan]) -> [TextSpan] {
        spans.reduce(into: []) { list, span in
            switch (list.last, span) {
            case (.text(let first)?, .text(let second)):
                list[list.count - 1] = .text(first + second)
            case (.code(let first)?, .code(let second)):
                list[list.count - 1] = .code(first + second)
            default: list.append(span)
            }
        }
    }
}
