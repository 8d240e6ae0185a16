/// A table in lines (GitHub Flavored Markdown 0.29, section 4.10), in which every row starts with a bar.
struct TableReader {
    /// The table.
    let table: TextTable
    /// The place behind the last row.
    let end: Int

    /// Reads the table whose head is at a place; `nil` if there is none.
    init?(_ lines: [TextLine], at start: Int) {
        guard start + 1 < lines.count, Self.isRow(lines[start]), Self.isRow(lines[start + 1]),
            let alignments = Self.alignments(lines[start + 1])
        else { return nil }
        let head = Self.cells(lines[start].content)
        guard head.count == alignments.count else { return nil }
        var end = start + 2
        var rows: [[TextTable.Cell]] = []
        while end < lines.count, Self.isRow(lines[end]) {
            let cells = Self.cells(lines[end].content).prefix(alignments.count).map(Self.cell)
            rows.append(cells + Array(repeating: [], count: alignments.count - cells.count))
            end += 1
        }
        self.end = end
        table = TextTable(alignments: alignments, head: head.map(Self.cell), rows: rows)
    }

    /// Returns true for a line that can be a row.
    static func isRow(_ line: TextLine) -> Bool {
        line.mayStartBlock && line.content.first == UInt8(ascii: "|")
    }

    /// Returns the alignments of a delimiter row; `nil` for another row.
    static func alignments(_ line: TextLine) -> [TextTable.Alignment]? {
        let cells = cells(line.content)
        let alignments = cells.compactMap(alignment)
        return alignments.isEmpty || alignments.count < cells.count ? nil : alignments
    }

    private static func alignment(_ cell: ArraySlice<UInt8>) -> TextTable.Alignment? {
        let colon = UInt8(ascii: ":")
        let dashes = cell.filter { $0 != colon }
        guard !dashes.isEmpty, dashes.allSatisfy({ $0 == UInt8(ascii: "-") }),
            cell.dropFirst().dropLast().allSatisfy({ $0 != colon })
        else { return nil }
        return switch (cell.first == colon, cell.last == colon) {
        case (true, true): .center
        case (true, false): .left
        case (false, true): .right
        case (false, false): .natural
        }
    }

    /// Returns the trimmed cells of a row; a bar behind a backslash is no border.
    static func cells(_ row: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let bar = UInt8(ascii: "|")
        var cells: [ArraySlice<UInt8>] = []
        var start = row.startIndex + 1
        for place in row.indices.dropFirst()
        where row[place] == bar && row[place - 1] != UInt8(ascii: "\\") {
            cells.append(row[start..<place].trimmed)
            start = place + 1
        }
        if start < row.endIndex { cells.append(row[start...].trimmed) }
        return cells
    }

    private static func cell(_ bytes: ArraySlice<UInt8>) -> TextTable.Cell {
        var text: [UInt8] = []
        for byte in bytes {
            if byte == UInt8(ascii: "|") { text.removeLast() }
            text.append(byte)
        }
        return InlineParser.spans(of: text)
    }
}
