/// The canonical spelling of spans.
struct SpanWriter {
    private var bytes: [UInt8] = []

    /// The spans that were written.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The spans that were written, for a cell: no bar ends it.
    var cellText: String {
        let escaped = bytes.map { $0 == UInt8(ascii: "|") ? Array("\\|".utf8) : [$0] }
        return String(decoding: Array(escaped.joined()), as: UTF8.self)
    }

    /// Writes spans; `startsLine` is true for whole lines, where the marker of a block could start.
    mutating func write(_ spans: [TextSpan], startsLine: Bool) {
        for (index, span) in spans.enumerated() {
            let isFirst = index == 0 ? startsLine : spans[index - 1] == .lineBreak
            let isLast = index + 1 == spans.count ? startsLine : spans[index + 1] == .lineBreak
            switch span {
            case .text(let text): write(text, isFirst: isFirst, isLast: isLast)
            case .code(let code): write(code: code)
            case .emphasis(let spans): write(spans, between: "*")
            case .strong(let spans): write(spans, between: "**")
            case .link(let address, let spans): write(spans, address: address)
            case .image(let name, let alt): write(alt, name: name)
            case .formula(let formula):
                let mark = formula.isDisplayed ? "$$" : "$"
                bytes += (mark + formula.tex + mark).utf8
            case .lineBreak: bytes.append(UInt8(ascii: "\n"))
            }
        }
    }

    private mutating func write(_ spans: [TextSpan], between mark: String) {
        bytes += mark.utf8
        write(spans, startsLine: false)
        bytes += mark.utf8
    }

    private mutating func write(code: String) {
        let (backtick, blank) = (UInt8(ascii: "`"), UInt8(ascii: " "))
        let (first, last) = (code.utf8.first, code.utf8.last)
        let isPadded =
            first == backtick || last == backtick
            || (first == blank && last == blank && code.utf8.contains { $0 != blank })
        let mark = String(repeating: "`", count: code.longestRunOfBackticks + 1)
        let space = isPadded ? " " : ""
        bytes += (mark + space + code + space + mark).utf8
    }

    private mutating func write(_ spans: [TextSpan], address: String) {
        // Behind an exclamation mark the bracket would open a picture.
        if bytes.last == UInt8(ascii: "!") { bytes.insert(UInt8(ascii: "\\"), at: bytes.count - 1) }
        bytes.append(UInt8(ascii: "["))
        write(spans, startsLine: false)
        write(target: address)
    }

    private mutating func write(_ alt: String, name: String) {
        bytes += "![".utf8
        write(alt, isFirst: false, isLast: false)
        write(target: name)
    }

    private mutating func write(target: String) {
        bytes += "](".utf8
        for byte in target.utf8 {
            if "\\()[]`$".utf8.contains(byte) { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: ")"))
    }

    private mutating func write(_ text: String, isFirst: Bool, isLast: Bool) {
        let text = Array(text.utf8)
        let marker = isFirst ? LineStart.marker(text, isWholeLine: isLast) : nil
        for (index, byte) in text.enumerated() {
            let next = index + 1 < text.count ? text[index + 1] : nil
            let isMark =
                "\\*`$[]".utf8.contains(byte)
                || (byte == UInt8(ascii: "!") && next == UInt8(ascii: "["))
            if isMark || index == marker { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
    }
}

/// The starts of lines that would be blocks.
private enum LineStart {
    /// Returns the place of the character that needs a backslash, so that no block starts here.
    static func marker(_ line: [UInt8], isWholeLine: Bool) -> Int? {
        switch line.first {
        case UInt8(ascii: "|"): 0
        case UInt8(ascii: "~"): line.starts(with: "~~~".utf8) ? 0 : nil
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            ends(line, at: 1, isWholeLine) || isRule(line, isWholeLine) ? 0 : nil
        default: number(line, isWholeLine)
        }
    }

    private static func number(_ line: [UInt8], _ isWholeLine: Bool) -> Int? {
        let digits = line.prefix { $0.isDigit }.count
        guard (1...9).contains(digits), digits < line.count, ".)".utf8.contains(line[digits]),
            ends(line, at: digits + 1, isWholeLine)
        else { return nil }
        return digits
    }

    /// Returns true for a line of hyphens, which CommonMark reads as a rule or a heading.
    private static func isRule(_ line: [UInt8], _ isWholeLine: Bool) -> Bool {
        isWholeLine && line.allSatisfy { $0 == UInt8(ascii: "-") || $0.isBlank }
    }

    private static func ends(_ line: [UInt8], at place: Int, _ isWholeLine: Bool) -> Bool {
        place < line.count ? line[place].isBlank : isWholeLine
    }
}
