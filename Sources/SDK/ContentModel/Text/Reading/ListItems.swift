/// The lines of a list's items, without their markers and indentation.
struct ListItems {
    /// The lines of each item.
    private(set) var items: [[TextLine]] = []
    /// The place behind the last line of the list.
    private(set) var end: Int
    private let first: ListMarker
    /// The column at which the present item's content starts.
    private var column = 0
    /// The block of code that is open at the end of the present item.
    private var fence: CodeFence?

    /// Collects the items from a line with a marker on.
    init(_ lines: [TextLine], from start: Int, marker: ListMarker) {
        (first, end) = (marker, start)
        for (index, line) in lines[start...].enumerated() {
            guard append(line) else { return }
            if !line.isBlank { end = start + index + 1 }
        }
    }

    /// Appends a line; returns false for the first one behind the list.
    private mutating func append(_ line: TextLine) -> Bool {
        if items.isEmpty { return open(first, line) }
        if line.isBlank || line.indent >= column {
            return line.isBlank ? appendBlank(line) : appendWithin(line.removing(columns: column))
        }
        if let marker = ListMarker(line) {
            return marker.isOfOneList(with: first) && open(marker, line)
        }
        return isLazy(line) && appendWithin(line)
    }

    private mutating func open(_ marker: ListMarker, _ line: TextLine) -> Bool {
        items.append([])
        (column, fence) = (marker.contentColumn, nil)
        return appendWithin(marker.content(of: line))
    }

    private mutating func appendWithin(_ line: TextLine) -> Bool {
        if let open = fence {
            if open.isClosed(by: line) { fence = nil }
        } else {
            fence = Self.fence(line)
        }
        items[items.count - 1].append(line)
        return true
    }

    /// Appends a blank line; an item that starts with one ends with the next.
    private mutating func appendBlank(_ line: TextLine) -> Bool {
        let lines = items[items.count - 1]
        if lines.count == 1, lines[0].isBlank { column = .max }
        return appendWithin(line.removing(columns: min(column, line.indent)))
    }

    /// Returns true for a line that continues the paragraph at the end of the item without its indentation.
    private func isLazy(_ line: TextLine) -> Bool {
        guard fence == nil, let last = items.last?.last, !last.isBlank else { return false }
        let isBar =
            line.content.first == UInt8(ascii: "|") || last.content.first == UInt8(ascii: "|")
        return !isBar && CodeFence(line) == nil
    }

    /// Returns the fence that a line opens, behind markers of lists and any indentation.
    private static func fence(_ line: TextLine) -> CodeFence? {
        var line = line
        for _ in 0..<BlockParser.listDepthMax {
            line = line.removing(columns: line.indent)
            guard let marker = ListMarker(line), !marker.isEmpty else { break }
            line = marker.content(of: line)
        }
        return CodeFence(line)
    }
}
