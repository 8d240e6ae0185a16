/// The marker of a list's item (CommonMark 0.31.2, section 5.2).
struct ListMarker {
    /// The number of an ordered item; `nil` for a bullet.
    let number: Int?
    /// The column at which the item's content starts.
    let contentColumn: Int
    /// True for an item whose first line is blank.
    let isEmpty: Bool
    /// The bytes up to the end of the marker.
    private let markerEnd: Int
    /// The bullet, or the character after the number, which is the same in all items of a list.
    private let sign: UInt8

    /// Returns `nil` for a line without a marker.
    init?(_ line: TextLine) {
        guard line.mayStartBlock, let first = line.content.first else { return nil }
        if "-+*".utf8.contains(first) {
            (number, sign) = (nil, first)
        } else {
            let digits = line.content.prefix { $0.isDigit }
            guard (1...9).contains(digits.count),
                let end = line.content.dropFirst(digits.count).first,
                end == UInt8(ascii: ".") || end == UInt8(ascii: ")")
            else { return nil }
            (number, sign) = (digits.reduce(0) { 10 * $0 + Int($1 - 0x30) }, end)
        }
        let width = number == nil ? 1 : line.content.prefix { $0.isDigit }.count + 1
        let rest = line.content.dropFirst(width)
        guard rest.first?.isBlank ?? true else { return nil }
        isEmpty = rest.isEmpty
        markerEnd = line.indent + width
        var column = markerEnd
        for byte in rest.prefix(while: \.isBlank) { column += TextLine.width(of: byte, at: column) }
        contentColumn = isEmpty || column - markerEnd > 4 ? markerEnd + 1 : column
    }

    /// Returns the first line of the item's content.
    func content(of line: TextLine) -> TextLine {
        line.removing(columns: contentColumn, marker: line.indent..<markerEnd)
    }

    /// Returns true if an item continues the list of this one.
    func isOfOneList(with other: ListMarker) -> Bool {
        sign == other.sign && (number == nil) == (other.number == nil)
    }

    /// True if the item may follow a line of a paragraph.
    var mayInterruptParagraph: Bool { !isEmpty && number ?? 1 == 1 }
}
