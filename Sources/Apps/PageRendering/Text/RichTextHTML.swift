package import ContentModel

/// The HTML of authors' texts, for every page that shows them.
///
/// There are no other elements and attributes than this file and the one of MathML write. All texts and values of
/// attributes pass ``HTMLText/escaped(_:)``.
package struct RichTextHTML {
    /// The name of the region in which wide code scrolls.
    package var codeName: String
    /// The name of the region in which a wide table scrolls.
    package var tableName: String
    /// Returns the address of a picture by its name in the media; `nil` shows the alternative text.
    package var imageAddress: (String) -> String?
    /// True if keywords, texts and comments of code have classes for their colours.
    package var colorsCode: Bool

    /// Creates a writer with the words of a page's language.
    package init(
        codeName: String, tableName: String, colorsCode: Bool = true,
        imageAddress: @escaping (String) -> String?
    ) {
        self.codeName = codeName
        self.tableName = tableName
        self.colorsCode = colorsCode
        self.imageAddress = imageAddress
    }

    /// Returns a text where blocks may stand.
    package func html(of text: RichText) -> String { text.blocks.map(html).joined() }

    /// Returns a text within an option's `label`: paragraphs are spans, and links are their text.
    ///
    /// A check refuses lists and tables in options; their lines are shown here.
    package func optionHTML(of text: RichText) -> String {
        text.blocks.map(optionHTML).joined()
    }

    /// Returns spans within a line, such as those of a heading.
    package func html(of spans: [TextSpan], hasLinks: Bool = true) -> String {
        spans.map { html(of: $0, hasLinks: hasLinks) }.joined()
    }

    private func html(of block: TextBlock) -> String {
        switch block {
        case .paragraph(let spans): "<p>\(html(of: spans))</p>"
        case .code(let language, let code):
            "<pre class=\"code\" \(region(codeName)) dir=\"ltr\"><code>"
                + html(of: code, in: language) + "</code></pre>"
        case .list(nil, let items): "<ul>\(html(of: items))</ul>"
        case .list(let start?, let items):
            "<ol\(start == 1 ? "" : " start=\"\(start)\"")>\(html(of: items))</ol>"
        case .table(let table): html(of: table)
        }
    }

    private func optionHTML(of block: TextBlock) -> String {
        switch block {
        case .paragraph(let spans): "<span class=\"p\">\(html(of: spans, hasLinks: false))</span>"
        case .code(let language, let code):
            "<code class=\"block\" dir=\"ltr\">\(html(of: code, in: language))</code>"
        case .list, .table:
            RichText(blocks: [block]).plainText.split(separator: "\n")
                .map { "<span class=\"p\">\(HTMLText.escaped(String($0)))</span>" }.joined()
        }
    }

    private func html(of code: String, in language: String?) -> String {
        guard colorsCode else { return HTMLText.escaped(code) }
        return CodeSpans.spans(of: code, language: language ?? "").map { span in
            let words = HTMLText.escaped(span.words)
            return span.kind.map { "<span class=\"code-\($0)\">\(words)</span>" } ?? words
        }.joined()
    }

    /// Returns the items of a list; an item's only paragraph has no element of its own.
    private func html(of items: [[TextBlock]]) -> String {
        items.map { item in
            let paragraphs = item.count { if case .paragraph = $0 { true } else { false } }
            let blocks = item.map { block in
                if paragraphs == 1, case .paragraph(let spans) = block { return html(of: spans) }
                return html(of: block)
            }
            return "<li>\(blocks.joined())</li>"
        }.joined()
    }

    private func html(of table: TextTable) -> String {
        let head = zip(table.head, table.alignments).map { cell, alignment in
            "<th scope=\"col\"\(attribute(alignment))>\(html(of: cell))</th>"
        }
        let rows = table.rows.map { row in
            let cells = zip(row, table.alignments).map { cell, alignment in
                "<td\(attribute(alignment))>\(html(of: cell))</td>"
            }
            return "<tr>\(cells.joined())</tr>"
        }
        return "<div class=\"table\" \(region(tableName))><table><thead><tr>\(head.joined())</tr>"
            + "</thead><tbody>\(rows.joined())</tbody></table></div>"
    }

    private func attribute(_ alignment: TextTable.Alignment) -> String {
        alignment == .natural ? "" : " class=\"\(alignment.rawValue)\""
    }

    /// Returns the attributes of a region that scrolls, so that the keyboard reaches it.
    private func region(_ name: String) -> String {
        "tabindex=\"0\" role=\"region\" aria-label=\"\(HTMLText.escaped(name))\""
    }

    private func html(of span: TextSpan, hasLinks: Bool) -> String {
        switch span {
        case .text(let text): return HTMLText.escaped(text)
        case .code(let code): return "<code dir=\"ltr\">\(HTMLText.escaped(code))</code>"
        case .emphasis(let spans): return "<em>\(html(of: spans, hasLinks: hasLinks))</em>"
        case .strong(let spans): return "<strong>\(html(of: spans, hasLinks: hasLinks))</strong>"
        case .link(let address, let spans):
            let content = html(of: spans, hasLinks: hasLinks)
            guard hasLinks else { return content }
            return "<a href=\"\(HTMLText.escaped(address))\" target=\"_blank\""
                + " rel=\"noopener noreferrer\">\(content)</a>"
        case .image(let name, let alt): return image(name, alt)
        case .formula(let formula): return FormulaMathML.element(of: formula) ?? source(of: formula)
        case .lineBreak: return "<br>"
        }
    }

    private func image(_ name: String, _ alt: String) -> String {
        guard let address = imageAddress(name) else { return HTMLText.escaped("[\(alt)]") }
        return "<img src=\"\(HTMLText.escaped(address))\" alt=\"\(HTMLText.escaped(alt))\">"
    }

    /// Returns the source of a formula that is refused.
    private func source(of formula: Formula) -> String {
        let source = RichText(blocks: [.paragraph([.formula(formula)])]).source
        return "<code class=\"tex\" dir=\"ltr\">\(HTMLText.escaped(source))</code>"
    }
}
