import ContentModel
import TestSupport

/// Trees as an importer may make them, with marks in every text.
struct RandomTree {
    private static let words = [
        "a", "word", " ", "1", "1. ", "- ", "*", "**", "`", "$", "$5", "[", "](b)", "!", "\\", "|",
        "~~~", ".", ":",
        "か", "。", "\n", "\r\n", "\t", "<b>", "&amp;", "\u{301}", "+", "2)", "#", "",
    ]
    private static let formulas = [
        "x^2", "3 mm", "|x|", "\\$5", "a $ b", " y ", "\\frac{1}{2}", "z\\", "", "5\n6",
    ]
    private static let addresses = [
        "https://a.b/c_(d)", "mailto:a@b.c", "http://a/[b]$c`d|e", "javascript:x", "https://a b",
    ]
    private static let names = ["a.png", "folder/b(1).svg", "../c.png", "d].png", "e f.png"]

    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func text() -> RichText { RichText(blocks: blocks(3)) }

    private mutating func count(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    private mutating func any(_ texts: [String]) -> String {
        texts.randomElement(using: &random) ?? ""
    }

    private mutating func words() -> String {
        var text = ""
        for _ in 0..<count(0...4) { text += any(Self.words) }
        return text
    }

    private mutating func blocks(_ depth: Int) -> [TextBlock] {
        var blocks: [TextBlock] = []
        for _ in 0..<count(depth == 3 ? 1...3 : 0...2) { blocks.append(block(depth)) }
        return blocks
    }

    private mutating func block(_ depth: Int) -> TextBlock {
        switch count(0...(depth > -1 ? 7 : 4)) {
        case 0: return .code(language: any(["", "Swift", "a b", "c++"]), words() + words())
        case 1: return .table(table())
        case 2...4: return .paragraph(spans(3))
        default:
            var items: [[TextBlock]] = []
            for _ in 0..<count(1...3) { items.append(blocks(depth - 1)) }
            return .list(start: count(0...1) == 0 ? nil : count(-1...12), items)
        }
    }

    private mutating func table() -> TextTable {
        var alignments: [TextTable.Alignment] = []
        for _ in 0..<count(1...3) { alignments.append(TextTable.Alignment.allCases[count(0...3)]) }
        var rows: [[TextTable.Cell]] = []
        for _ in 0..<count(0...3) { rows.append(row()) }
        return TextTable(alignments: alignments, head: row(), rows: rows)
    }

    private mutating func row() -> [TextTable.Cell] {
        var row: [TextTable.Cell] = []
        for _ in 0..<count(0...4) { row.append(spans(2)) }
        return row
    }

    private mutating func spans(_ depth: Int) -> [TextSpan] {
        var spans: [TextSpan] = []
        for _ in 0..<count(0...4) { spans.append(span(depth)) }
        return spans
    }

    private mutating func span(_ depth: Int) -> TextSpan {
        switch count(0...(depth > 0 ? 11 : 7)) {
        case 0: .code(words())
        case 1: .formula(Formula(tex: any(Self.formulas), isDisplayed: count(0...1) == 0))
        case 2: .image(name: any(Self.names), alt: words())
        case 3: .lineBreak
        case 4...7: .text(words())
        case 8, 9: .emphasis(spans(depth - 1))
        case 10: .strong(spans(depth - 1))
        default: .link(any(Self.addresses), spans(depth - 1))
        }
    }
}
