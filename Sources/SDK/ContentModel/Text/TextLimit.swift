/// A limit of rich text.
///
/// A device shows a text above a limit in the form `plain`; a check reports it as an error.
///
/// ```swift
/// let limit = RichText.exceededLimit(of: String(repeating: "a", count: 20_000))
/// print(limit == .bytes, TextLimit.bytes.maximum)
/// ```
public enum TextLimit: Sendable, Hashable, CaseIterable {
    /// The size of the source in UTF-8 bytes.
    case bytes
    /// The number of blocks, items, cells and spans.
    case nodes
    /// The depth of blocks and spans within each other.
    case depth
    /// The number of columns of a table.
    case columns
    /// The number of rows of a table below its head.
    case rows

    /// The largest value that is allowed.
    public var maximum: Int {
        switch self {
        case .bytes: ContentLimits.textBytesMax
        case .nodes: 2_000
        case .depth: 12
        case .columns: 12
        case .rows: 60
        }
    }

    /// The value that is limited, in words.
    public var name: String {
        switch self {
        case .bytes: "bytes in UTF-8"
        case .nodes: "parts"
        case .depth: "levels within each other"
        case .columns: "columns in a table"
        case .rows: "rows in a table"
        }
    }
}

/// The measures of a tree against its limits.
struct TextSize {
    private var nodes = 0
    private var depth = 0
    private var columns = 0
    private var rows = 0

    /// Measures a tree.
    init(of blocks: [TextBlock]) { add(blocks, at: 1) }

    /// The first limit that the tree exceeds.
    var exceededLimit: TextLimit? {
        let values = [
            (TextLimit.nodes, nodes), (.depth, depth), (.columns, columns), (.rows, rows),
        ]
        return values.first { $0.1 > $0.0.maximum }?.0
    }

    private mutating func add(_ blocks: [TextBlock], at level: Int) {
        for block in blocks {
            count(at: level)
            switch block {
            case .paragraph(let spans): add(spans, at: level + 1)
            case .code: break
            case .list(_, let items):
                nodes += items.count
                for item in items { add(item, at: level + 1) }
            case .table(let table): add(table, at: level + 1)
            }
        }
    }

    private mutating func add(_ table: TextTable, at level: Int) {
        columns = max(columns, table.alignments.count)
        rows = max(rows, table.rows.count)
        for row in [table.head] + table.rows {
            nodes += row.count
            for cell in row { add(cell, at: level) }
        }
    }

    private mutating func add(_ spans: [TextSpan], at level: Int) {
        for span in spans {
            count(at: level)
            add(span.children, at: level + 1)
        }
    }

    private mutating func count(at level: Int) {
        nodes += 1
        depth = max(depth, level)
    }
}
