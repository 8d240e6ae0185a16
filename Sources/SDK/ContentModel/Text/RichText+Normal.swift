extension RichText {
    /// The tree as its source would be read: for trees that were made in another way, like those of an importer.
    ///
    /// Lists of one item, and lists more than three deep, become their blocks; breaks in cells become spaces. A formula
    /// that no dollars can be around becomes code, a link of another scheme its text. Emphasis that asterisks cannot
    /// say becomes narrower, or goes.
    ///
    /// ```swift
    /// let text = RichText(blocks: [.paragraph([.strong([.text("Note: ")]), .text("a")])])
    /// print(text.normalized.source)  // **Note:** a
    /// ```
    public var normalized: RichText {
        RichText(blocks: blocks.flatMap { $0.normalized(listDepth: 0) })
    }
}

extension TextBlock {
    fileprivate func normalized(listDepth: Int) -> [TextBlock] {
        switch self {
        case .paragraph(let spans):
            let spans = SpanList.writable(SpanList.normal(SpanList.unnested(spans)))
            return spans.isEmpty ? [] : [.paragraph(spans)]
        case .code(let language, let code):
            let name = language.flatMap { CodeFence.language(Array($0.utf8)[...]) }
            return [.code(language: name, SourceLines.text(of: code))]
        case .list(let start, let items):
            let isList = items.count > 1 && listDepth < BlockParser.listDepthMax
            let depth = isList ? listDepth + 1 : listDepth
            let items = items.map { $0.flatMap { $0.normalized(listDepth: depth) } }
            let number = start.map { min(max($0, 0), 999_999_999) }
            return isList ? [.list(start: number, items)] : Array(items.joined())
        case .table(let table): return table.alignments.isEmpty ? [] : [.table(table.normalized)]
        }
    }
}

extension TextTable {
    fileprivate var normalized: TextTable {
        TextTable(
            alignments: alignments, head: normalized(head), rows: rows.map { normalized($0) })
    }

    private func normalized(_ row: [Cell]) -> [Cell] {
        let cells = row.prefix(alignments.count).map { cell in
            let line = SpanList.normal(SpanList.unnested(cell)).flatMap(Self.onOneLine)
            return SpanList.writable(SpanList.normal(line))
        }
        return cells + Array(repeating: [], count: alignments.count - cells.count)
    }

    private static func onOneLine(_ span: TextSpan) -> [TextSpan] {
        switch span {
        case .lineBreak: [.text(" ")]
        case .emphasis(let spans): [.emphasis(spans.flatMap(onOneLine))]
        case .strong(let spans): [.strong(spans.flatMap(onOneLine))]
        case .link(let address, let spans): [.link(address, spans.flatMap(onOneLine))]
        case .text, .code, .image, .formula: [span]
        }
    }
}
