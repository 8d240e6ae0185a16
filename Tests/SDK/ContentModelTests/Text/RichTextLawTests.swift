import ContentModel
import TestSupport
import Testing

/// The laws of trees, on random texts. A failure prints its seed.
@Suite struct RichTextLawTests {
    @Test(arguments: 0..<10)
    func anyTreeIsReadFromItsSource(block: UInt64) {
        for seed in block * 100..<(block + 1) * 100 {
            var random = RandomTree(seed: seed)
            let tree = random.text()
            let text = tree.normalized
            #expect(text.brokenLaw == nil, "seed \(seed): \(text.json.line)")
            #expect(text.normalized == text, "seed \(seed)")
            let read = RichText(text.source, form: .markdown)
            #expect(
                read == text,
                "seed \(seed): \(text.json.line)\n\(read.json.line)\n\(text.source.debugDescription)"
            )
        }
    }

    @Test(arguments: 0..<10)
    func anyTextKeepsTheLaws(block: UInt64) {
        for seed in block * 400..<(block + 1) * 400 {
            var random = SeededGenerator(seed: seed)
            let source = RandomMarks.text(of: 40, using: &random)
            for form in TextForm.allCases {
                let text = RichText(source, form: form)
                #expect(text.brokenLaw == nil, "seed \(seed): \(source.debugDescription)")
            }
            let text = RichText(source, form: .markdown)
            #expect(
                RichText(text.source, form: .markdown) == text,
                "seed \(seed): \(source.debugDescription) is \(text.json.line) as \(text.source.debugDescription)"
            )
        }
    }
}

extension JSONValue {
    /// The value on one line.
    fileprivate var line: String { String(decoding: canonicalBytes, as: UTF8.self) }
}

extension RichText {
    /// A law that the tree breaks, or `nil`.
    var brokenLaw: String? {
        blocks.lazy.compactMap(\.brokenLaw).first
    }
}

extension TextBlock {
    fileprivate var brokenLaw: String? {
        switch self {
        case .paragraph(let spans): spans.isEmpty ? "empty paragraph" : TextSpan.brokenLaw(spans)
        case .code(_, let code): code.hasSuffix("\r") ? "line end" : nil
        case .list(_, let items):
            items.count < 2
                ? "list of one" : items.lazy.flatMap { $0 }.compactMap(\.brokenLaw).first
        case .table(let table):
            (table.rows + [table.head]).contains { $0.count != table.alignments.count }
                ? "row of another width"
                : ([table.head] + table.rows).lazy.flatMap { $0 }.compactMap(TextSpan.brokenLaw)
                    .first
        }
    }
}

extension TextSpan {
    fileprivate static func brokenLaw(_ spans: [TextSpan]) -> String? {
        if spans.first == .lineBreak || spans.last == .lineBreak { return "break at an end" }
        for (span, next) in zip(spans, spans.dropFirst()) {
            switch (span, next) {
            case (.text, .text), (.code, .code), (.emphasis, .emphasis), (.strong, .strong):
                return "adjacent likes"
            default: break
            }
        }
        return spans.lazy.compactMap(\.brokenLaw).first
    }

    private var brokenLaw: String? {
        switch self {
        case .text(let text): text.isEmpty || text.contains("\n") ? "text" : nil
        case .code(let code): code.isEmpty || code.contains("\n") ? "code" : nil
        case .emphasis(let spans), .strong(let spans), .link(_, let spans):
            spans.isEmpty ? "empty" : Self.brokenLaw(spans)
        case .image(let name, let alt): name.isEmpty || alt.isEmpty ? "picture" : nil
        case .formula(let formula): formula.tex.isEmpty ? "formula" : nil
        case .lineBreak: nil
        }
    }
}
