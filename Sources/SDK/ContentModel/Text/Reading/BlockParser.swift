/// The reading of blocks: paragraphs, fenced code, lists and tables.
struct BlockParser {
    /// The depth of lists within lists; a marker deeper within is text.
    static let listDepthMax = 3

    private let lines: [TextLine]
    private let listDepth: Int
    private var next = 0
    private var paragraph: [TextLine] = []
    private var blocks: [TextBlock] = []

    /// Reads lines as blocks, within a number of lists.
    static func blocks(of lines: [TextLine], listDepth: Int) -> [TextBlock] {
        var parser = BlockParser(lines: lines, listDepth: listDepth)
        parser.readAll()
        return parser.blocks
    }

    private init(lines: [TextLine], listDepth: Int) {
        self.lines = lines
        self.listDepth = listDepth
    }

    private mutating func readAll() {
        while next < lines.count {
            if lines[next].isBlank {
                endParagraph()
                next += 1
            } else if !readCode() && !readTable() && !readList() {
                readText()
            }
        }
        endParagraph()
    }

    private mutating func readCode() -> Bool {
        guard let fence = CodeFence(lines[next]) else { return false }
        endParagraph()
        var code: [ArraySlice<UInt8>] = []
        next += 1
        while next < lines.count, !fence.isClosed(by: lines[next]) {
            let columns = min(fence.indent, lines[next].indent)
            code.append(lines[next].removing(columns: columns).bytes)
            next += 1
        }
        next += 1
        let text = String(decoding: Self.joined(code), as: UTF8.self)
        blocks.append(.code(language: fence.language, text))
        return true
    }

    private mutating func readTable() -> Bool {
        guard let reader = TableReader(lines, at: next) else { return false }
        endParagraph()
        blocks.append(.table(reader.table))
        next = reader.end
        return true
    }

    /// Reads a list of two items or more; a single item is text.
    private mutating func readList() -> Bool {
        guard listDepth < Self.listDepthMax, let marker = ListMarker(lines[next]),
            paragraph.isEmpty || marker.mayInterruptParagraph
        else { return false }
        let list = ListItems(lines, from: next, marker: marker)
        guard list.items.count > 1 else { return false }
        endParagraph()
        let items = list.items.map { Self.blocks(of: $0, listDepth: listDepth + 1) }
        blocks.append(.list(start: marker.number, items))
        next = list.end
        return true
    }

    private mutating func readText() {
        let last = paragraph.isEmpty ? DisplayedLines.last(of: lines, from: next) : next
        paragraph += lines[next...last]
        next = last + 1
    }

    private mutating func endParagraph() {
        let spans = InlineParser.spans(of: Self.joined(paragraph.map(\.content)))
        if !spans.isEmpty { blocks.append(.paragraph(spans)) }
        paragraph = []
    }

    private static func joined(_ lines: [ArraySlice<UInt8>]) -> [UInt8] {
        Array(lines.joined(separator: CollectionOfOne(UInt8(ascii: "\n"))))
    }
}

/// The lines of a displayed formula that starts a block: they may be blank, or look like other blocks.
enum DisplayedLines {
    /// Returns the place of the formula's last line; the place itself if no formula over several lines starts there.
    static func last(of lines: [TextLine], from start: Int) -> Int {
        guard lines[start].content.starts(with: "$$".utf8),
            firstDollar(lines[start].content.dropFirst(2)) == nil
        else { return start }
        for (index, line) in lines[start...].enumerated().dropFirst() {
            guard let dollar = firstDollar(line.content) else { continue }
            let isEnd = line.content[dollar...].elementsEqual("$$".utf8)
            return isEnd ? start + index : start
        }
        return start
    }

    /// Returns the place of the first dollar without a backslash.
    private static func firstDollar(_ bytes: ArraySlice<UInt8>) -> Int? {
        var place = bytes.startIndex
        while place < bytes.endIndex {
            if bytes[place] == UInt8(ascii: "$") { return place }
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }
}
