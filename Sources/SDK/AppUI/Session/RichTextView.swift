#if canImport(SwiftUI) && !os(watchOS) && !os(tvOS)
import Foundation
import StudyModel
import SwiftUI
import Underway

/// An author's text: its paragraphs, lists, tables and code, one below the other.
///
/// A formula is laid out as mathematics and spoken in words.
struct RichTextView: View {
    private let text: RichText

    init(_ text: RichText) { self.text = text }

    /// Shows one text of a question.
    init(_ text: String, of question: Question) { self.init(question.richText(text)) }

    var body: some View {
        if text.blocks.count == 1, let block = text.blocks.first {
            RichBlockView(block)
        } else {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                ForEach(Array(text.blocks.enumerated()), id: \.offset) { RichBlockView($0.element) }
            }
        }
    }
}

/// A block of an author's text.
struct RichBlockView: View {
    private let block: TextBlock
    @Environment(\.studyFormats) private var formats

    init(_ block: TextBlock) { self.block = block }

    var body: some View {
        switch block {
        case .paragraph(let spans): paragraph(ParagraphPart.parts(of: spans))
        case .code(_, let code): QuestionCode(code, name: formats.words["session.code"])
        case .list(let start, let items): list(items, start: start)
        case .table(let table): self.table(table)
        }
    }

    @ViewBuilder
    private func paragraph(_ parts: [ParagraphPart]) -> some View {
        if parts.count == 1, let part = parts.first {
            self.part(part)
        } else {
            VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
                ForEach(Array(parts.enumerated()), id: \.offset) { part($0.element) }
            }
        }
    }

    @ViewBuilder
    private func part(_ part: ParagraphPart) -> some View {
        switch part {
        case .text(let spans): QuestionText(TextPiece.pieces(of: spans, formats.words))
        case .formula(let formula): FormulaView(formula)
        }
    }

    private func list(_ items: [[TextBlock]], start: Int?) -> some View {
        VStack(alignment: .leading, spacing: StudyStyle.gapSmall) {
            ForEach(Array(items.enumerated()), id: \.offset) { item in
                HStack(alignment: .firstTextBaseline, spacing: StudyStyle.gapSmall) {
                    Text(verbatim: start.map { formats.number($0 + item.offset) + "." } ?? "•")
                    RichTextView(RichText(blocks: item.element))
                }
            }
        }
    }

    private func table(_ table: TextTable) -> some View {
        ScrollView(.horizontal) {
            Grid(alignment: .leading, horizontalSpacing: StudyStyle.gap) {
                GridRow { cells(table.head, isHead: true) }
                ForEach(Array(table.rows.enumerated()), id: \.offset) { row in
                    GridRow { cells(row.element, isHead: false) }
                }
            }
        }
        .accessibilityElement(children: .contain)
        .accessibilityLabel(formats.words["session.table"])
    }

    private func cells(_ cells: [TextTable.Cell], isHead: Bool) -> some View {
        ForEach(Array(cells.enumerated()), id: \.offset) { cell in
            QuestionText(
                TextPiece.pieces(of: cell.element, formats.words).map {
                    var piece = $0
                    piece.isStrong = piece.isStrong || isHead
                    return piece
                })
        }
    }
}

/// A piece of a line with one style.
struct TextPiece {
    var words: String
    var isCode = false
    var isEmphasis = false
    var isStrong = false
    var isRemoved = false
    var isAdded = false
    /// The address of a link.
    var link: URL?
    /// The formula that the words stand for.
    var formula: Formula?
    /// The spoken form, where the words do not speak for themselves.
    var spoken: String?

    /// Returns the pieces of a line.
    static func pieces(of spans: [TextSpan], _ words: StudyText) -> [TextPiece] {
        spans.flatMap { pieces(of: $0, words) }
    }

    private static func pieces(of span: TextSpan, _ words: StudyText) -> [TextPiece] {
        func styled(_ spans: [TextSpan], _ style: (inout TextPiece) -> Void) -> [TextPiece] {
            pieces(of: spans, words).map {
                var piece = $0
                style(&piece)
                return piece
            }
        }
        switch span {
        case .text(let text): return [TextPiece(words: text)]
        case .code(let code): return [TextPiece(words: code, isCode: true)]
        case .emphasis(let spans): return styled(spans) { $0.isEmphasis = true }
        case .strong(let spans): return styled(spans) { $0.isStrong = true }
        case .link(let address, let spans):
            return styled(spans) { $0.link = URL(string: address) }
        case .image(_, let alt): return [TextPiece(words: "[\(alt)]")]
        case .formula(let formula):
            return [
                TextPiece(
                    words: formula.plainText, formula: formula,
                    spoken: formula.spokenText(words.formulaWords))
            ]
        case .lineBreak: return [TextPiece(words: "\n")]
        }
    }
}
#endif
