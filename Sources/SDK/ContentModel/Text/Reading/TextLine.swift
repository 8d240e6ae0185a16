/// A line of a text, as far as blocks need it.
///
/// Indentation counts in columns, a tab to the next multiple of four (CommonMark 0.31.2, section 2.2).
struct TextLine {
    /// The bytes, without the line end.
    let bytes: ArraySlice<UInt8>
    /// The columns of spaces and tabs at the start.
    let indent: Int
    /// The bytes between the spaces and tabs at both ends.
    let content: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        var columns = 0
        var start = bytes.startIndex
        while start < bytes.endIndex, bytes[start].isBlank {
            columns += Self.width(of: bytes[start], at: columns)
            start += 1
        }
        indent = columns
        content = bytes[start...].trimmedAtEnd
    }

    /// True for a line of nothing but spaces and tabs.
    var isBlank: Bool { content.isEmpty }

    /// True if a block may start here: fewer than four columns, and not blank.
    var mayStartBlock: Bool { indent < 4 && !isBlank }

    /// Returns the line without its first columns of spaces; of a tab across the border, spaces remain.
    ///
    /// The columns of a marker count like spaces.
    func removing(columns: Int, marker: Range<Int> = 0..<0) -> TextLine {
        var (place, column) = (bytes.startIndex, 0)
        while place < bytes.endIndex, column < columns {
            let isMarker = marker.contains(column)
            guard isMarker || bytes[place].isBlank else { break }
            column += isMarker ? 1 : Self.width(of: bytes[place], at: column)
            place += 1
        }
        guard column > columns else { return TextLine(bytes[place...]) }
        let rest = [UInt8](repeating: UInt8(ascii: " "), count: column - columns) + bytes[place...]
        return TextLine(rest[...])
    }

    /// Returns the columns that a space or tab takes.
    static func width(of byte: UInt8, at column: Int) -> Int {
        byte == UInt8(ascii: "\t") ? 4 - column % 4 : 1
    }
}

/// The lines of a source.
enum SourceLines {
    /// Splits a source at LF, CR and CR LF; U+0000 becomes U+FFFD (CommonMark 0.31.2, section 2.3).
    static func lines(of source: String) -> [TextLine] { lines(of: bytes(of: source)) }

    /// Splits bytes at LF; the lines have the places of the bytes.
    static func lines(of bytes: [UInt8]) -> [TextLine] {
        var bytes = bytes
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { TextLine($0) }
    }

    /// Returns a source with LF alone as line end, and without U+0000.
    static func text(of source: String) -> String {
        source.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "\r") }
            ? String(decoding: bytes(of: source), as: UTF8.self) : source
    }

    /// Returns the bytes of a source with LF alone as line end, and without U+0000.
    static func bytes(of source: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.utf8.count)
        var last: UInt8 = 0
        for byte in source.utf8 {
            switch byte {
            case UInt8(ascii: "\r"): bytes.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "\n") where last == UInt8(ascii: "\r"): break
            case 0: bytes += "\u{FFFD}".utf8
            default: bytes.append(byte)
            }
            last = byte
        }
        return bytes
    }
}

extension UInt8 {
    /// True for a space or a tab.
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }

    /// True for a digit of ASCII.
    var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    /// True for a letter of ASCII.
    var isLetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }

    /// True for a punctuation mark of ASCII, which a backslash escapes.
    var isPunctuation: Bool {
        switch self {
        case 0x21...0x2F, 0x3A...0x40, 0x5B...0x60, 0x7B...0x7E: true
        default: false
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without spaces and tabs at the end.
    var trimmedAtEnd: ArraySlice<UInt8> {
        guard let last = lastIndex(where: { !$0.isBlank }) else {
            return self[startIndex..<startIndex]
        }
        return self[...last]
    }

    /// The bytes without spaces and tabs at both ends.
    var trimmed: ArraySlice<UInt8> {
        drop { $0.isBlank }.trimmedAtEnd
    }
}
