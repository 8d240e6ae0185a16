import ContentModel

/// The lines of a text, with conversion between positions and byte offsets.
struct SourceLines {
    /// The text, in UTF-8.
    let bytes: [UInt8]
    /// The offset of the first byte of each line.
    private let starts: [Int]

    /// Finds the lines.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - isJSON: True where only a line feed ends a line; YAML has other line breaks, too.
    init(_ bytes: [UInt8], isJSON: Bool) {
        self.bytes = bytes
        var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
        for (index, byte) in bytes.enumerated() {
            if byte == UInt8(ascii: "\n") {
                starts.append(index + 1)
            } else if !isJSON, Self.endsLine(bytes, index) {
                starts.append(index + 1)
            }
        }
        self.starts = starts
    }

    /// Returns whether a byte is the last one of the rarer line breaks of YAML 1.1 (section 5.4).
    private static func endsLine(_ bytes: [UInt8], _ index: Int) -> Bool {
        switch bytes[index] {
        case UInt8(ascii: "\r"): index + 1 == bytes.count || bytes[index + 1] != UInt8(ascii: "\n")
        case 0x85: index > 0 && bytes[index - 1] == 0xC2
        case 0xA8, 0xA9: index > 1 && bytes[index - 1] == 0x80 && bytes[index - 2] == 0xE2
        default: false
        }
    }

    /// Returns the offset of a place, at most that of the end.
    func offset(of position: SourcePosition) -> Int {
        guard starts.indices.contains(position.line - 1) else { return bytes.count }
        var offset = starts[position.line - 1]
        for _ in 1..<max(1, position.column) {
            guard offset < bytes.count else { break }
            offset += 1
            while offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
        }
        return offset
    }

    /// Returns the offset of the line feed, or the end, at or after an offset.
    func lineEnd(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        if end > offset, end < bytes.count, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
        return end
    }

    /// Returns the offset after the line feed at or after an offset.
    func nextLine(_ offset: Int) -> Int {
        var end = offset
        while end < bytes.count, bytes[end] != UInt8(ascii: "\n") { end += 1 }
        return min(end + 1, bytes.count)
    }

    /// Returns the offset of the line's start when only spaces are before an offset; else `nil`.
    func indentationStart(_ offset: Int) -> Int? {
        var start = offset
        while start > 0, bytes[start - 1] == UInt8(ascii: " ") { start -= 1 }
        return start == 0 || bytes[start - 1] == UInt8(ascii: "\n") ? start : nil
    }

    /// The line break of the text.
    var newline: String {
        guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")), first > 0 else { return "\n" }
        return bytes[first - 1] == UInt8(ascii: "\r") ? "\r\n" : "\n"
    }
}
