/// The text of trees without marks.
enum PlainTextWriter {
    /// Returns the lines of blocks.
    static func text(of blocks: [TextBlock]) -> String {
        blocks.map(text).joined(separator: "\n")
    }

    /// Returns the lines of a paragraph, or the text of a cell.
    static func text(of spans: [TextSpan]) -> String {
        spans.map(text).joined()
    }

    private static func text(of block: TextBlock) -> String {
        switch block {
        case .paragraph(let spans): text(of: spans)
        case .code(_, let code): code
        case .list(let start, let items):
            items.enumerated().map { index, item in
                text(of: item).behind(start.map { "\($0 + index)." } ?? "•")
            }.joined(separator: "\n")
        case .table(let table):
            ([table.head] + table.rows).map { row in
                row.map(text).joined(separator: " | ")
            }.joined(separator: "\n")
        }
    }

    private static func text(of span: TextSpan) -> String {
        switch span {
        case .text(let text), .code(let text): text
        case .emphasis(let spans), .strong(let spans), .link(_, let spans): text(of: spans)
        case .image(_, let alt): "[\(alt)]"
        case .formula(let formula): formula.plainText
        case .lineBreak: "\n"
        }
    }
}
