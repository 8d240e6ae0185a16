extension TextMistakeFinder {
    /// Checks paragraphs and cells, and covers what is no text.
    mutating func checkLines() {
        let lines = SourceLines.lines(of: bytes)
        var next = 0
        while next < lines.count {
            if let end = endOfCode(lines, from: next) {
                cover(lines[next].bytes.startIndex..<lines[end - 1].bytes.endIndex)
                next = end
            } else if lines[next].content.first == UInt8(ascii: "|") {
                next = checkTable(lines, from: next)
            } else if lines[next].isBlank {
                next += 1
            } else {
                let end = endOfParagraph(lines, from: next)
                checkSpans(lines[next].bytes.startIndex..<lines[end - 1].bytes.endIndex)
                next = end
            }
        }
    }

    /// Returns the place behind a block of code, at any depth of lists.
    private func endOfCode(_ lines: [TextLine], from start: Int) -> Int? {
        let first = TextLine(lines[start].content)
        let line = ListMarker(first)?.content(of: first) ?? first
        guard let fence = CodeFence(TextLine(line.content)) else { return nil }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { fence.isClosed(by: TextLine($0.content)) }
        return end.map { $0 + 1 } ?? lines.count
    }

    private func endOfParagraph(_ lines: [TextLine], from start: Int) -> Int {
        var end = DisplayedLines.last(of: lines, from: start) + 1
        while end < lines.count, !lines[end].isBlank,
            CodeFence(TextLine(lines[end].content)) == nil,
            lines[end].content.first != UInt8(ascii: "|"),
            ListMarker(TextLine(lines[end].content)) == nil
        {
            end += 1
        }
        return end
    }

    /// Checks a table or lines that begin like one; returns the place behind them.
    private mutating func checkTable(_ lines: [TextLine], from start: Int) -> Int {
        let rows = lines[start...].prefix { $0.content.first == UInt8(ascii: "|") }
            .map { TextLine($0.content) }
        let table = TableReader(rows, at: 0)
        for row in rows {
            let cells = TableReader.cells(row.content)
            let width = table?.table.alignments.count
            if let width, cells.count > width {
                note(
                    .textTable, at: cells[width].startIndex,
                    "the row has \(cells.count) cells, the table has \(width) columns")
            } else if width == nil, TableReader.alignments(row) != nil {
                note(
                    .textTable, at: row.content.startIndex,
                    "the row has no head of as many cells above it, so this is no table")
            }
            for cell in cells { checkSpans(cell.indices) }
        }
        return start + rows.count
    }
}
