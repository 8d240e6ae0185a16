package import ContentModel

/// The stem of a question as the parts of its page, in HTML.
///
/// One paragraph is the heading. Of more blocks, a last paragraph is the heading, and the blocks before it are a passage
/// above it. If another block is the last one, the first paragraph is the heading, and the other blocks follow.
package struct StemView {
    /// The blocks above the question.
    package var passage: String?
    /// The spans of the heading; `nil` for a stem without a paragraph.
    package var heading: String?
    /// The blocks below the heading.
    package var rest: String?

    /// Divides a stem.
    package init(_ stem: RichText, _ writer: RichTextHTML) {
        let blocks = stem.blocks
        func html(_ blocks: some Collection<TextBlock>) -> String? {
            blocks.isEmpty ? nil : writer.html(of: RichText(blocks: Array(blocks)))
        }
        if case .paragraph(let spans)? = blocks.last {
            heading = writer.html(of: spans)
            passage = html(blocks.dropLast())
        } else if let index = blocks.firstIndex(where: \.isParagraph),
            case .paragraph(let spans) = blocks[index]
        {
            heading = writer.html(of: spans)
            rest = html(blocks[..<index] + blocks[(index + 1)...])
        } else {
            rest = html(blocks)
        }
    }
}

extension RichTextHTML {
    /// Returns a text for a row of a list: its paragraphs in one line, or without marks where other blocks stand in it.
    package func lineHTML(of text: RichText) -> String {
        let lines = text.blocks.map { block -> String? in
            guard case .paragraph(let spans) = block else { return nil }
            return html(of: spans.map { $0 == .lineBreak ? .text(" ") : $0 }, hasLinks: false)
        }
        guard lines.contains(nil) else { return lines.compactMap(\.self).joined(separator: " ") }
        return HTMLText.escaped(text.plainText.split(separator: "\n").joined(separator: " "))
    }
}

extension TextBlock {
    fileprivate var isParagraph: Bool { if case .paragraph = self { true } else { false } }
}
