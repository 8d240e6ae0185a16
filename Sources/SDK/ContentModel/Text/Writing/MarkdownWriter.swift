/// The canonical spelling of trees in the form `markdown`.
enum MarkdownWriter {
    /// Returns the source of blocks, with a blank line between them.
    static func text(of blocks: [TextBlock]) -> String {
        var parts: [String] = []
        var isOther = false
        for (index, block) in blocks.enumerated() {
            isOther = index > 0 && Self.areBothLists(blocks[index - 1], block) && !isOther
            parts.append(text(of: block, isOther: isOther))
        }
        return parts.joined(separator: "\n\n")
    }

    /// Returns the source of a paragraph.
    static func text(of spans: [TextSpan]) -> String {
        var writer = SpanWriter()
        writer.write(spans, startsLine: true)
        return writer.text
    }

    private static func text(of block: TextBlock, isOther: Bool) -> String {
        switch block {
        case .paragraph(let spans): text(of: spans)
        case .code(let language, let code): text(of: code, in: language)
        case .list(let start, let items): text(of: items, start: start, isOther: isOther)
        case .table(let table): text(of: table)
        }
    }

    private static func text(of code: String, in language: String?) -> String {
        let fence = String(repeating: "`", count: max(3, code.longestRunOfBackticks + 1))
        return fence + (language ?? "") + "\n" + (code.isEmpty ? "" : code + "\n") + fence
    }

    /// Returns true for lists that would be one with the same marker.
    private static func areBothLists(_ first: TextBlock, _ second: TextBlock) -> Bool {
        guard case .list(let one, _) = first, case .list(let other, _) = second else {
            return false
        }
        return (one == nil) == (other == nil)
    }

    private static func text(of items: [[TextBlock]], start: Int?, isOther: Bool) -> String {
        items.enumerated().map { index, item in
            // The marker of an item has at most nine digits (CommonMark 0.31.2, section 5.2).
            let number = start.map { String(min($0 + index, 999_999_999)) }
            let marker = number.map { $0 + (isOther ? ")" : ".") } ?? (isOther ? "+" : "-")
            return text(of: item).behind(marker)
        }.joined(separator: "\n")
    }

    private static func text(of table: TextTable) -> String {
        let delimiters = table.alignments.map { alignment in
            switch alignment {
            case .natural: "---"
            case .left: ":--"
            case .center: ":-:"
            case .right: "--:"
            }
        }
        let lines = [row(table.head), "|" + delimiters.joined(separator: "|") + "|"]
        return (lines + table.rows.map(row)).joined(separator: "\n")
    }

    private static func row(_ cells: [TextTable.Cell]) -> String {
        let texts = cells.map { cell in
            var writer = SpanWriter()
            writer.write(cell, startsLine: false)
            return writer.cellText
        }
        return "| " + texts.joined(separator: " | ") + " |"
    }
}

extension String {
    /// The length of the longest run of backticks.
    var longestRunOfBackticks: Int {
        var (longest, length) = (0, 0)
        for byte in utf8 {
            length = byte == UInt8(ascii: "`") ? length + 1 : 0
            longest = max(longest, length)
        }
        return longest
    }

    /// Returns the lines behind a marker, the later ones as far from the margin as the first.
    func behind(_ marker: String) -> String {
        let indent = String(repeating: " ", count: marker.count + 1)
        let lines = utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().map { index, line in
            guard !line.isEmpty else { return index == 0 ? marker : "" }
            return (index == 0 ? marker + " " : indent) + Substring(line)
        }.joined(separator: "\n")
    }
}
