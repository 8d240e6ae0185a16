/// A part of a paragraph's bytes.
struct InlineToken {
    /// What the part is.
    enum Kind: Hashable {
        /// Characters.
        case text
        /// A character behind a backslash.
        case escaped
        /// The end of a line.
        case lineBreak
        /// Code between backticks, with the number of backticks.
        case code(Int)
        /// A formula between one dollar or two.
        case formula(Int)
        /// Asterisks that may open or close emphasis.
        case run(canOpen: Bool, canClose: Bool)
        /// `[`, or `![` for a picture.
        case open(isImage: Bool)
        /// `]`.
        case close
    }

    var kind: Kind
    /// The place of the bytes.
    var range: Range<Int>
}

/// The division of a paragraph into tokens, in one pass.
///
/// Code and formulas are found first, from left to right.
struct InlineScanner {
    private let bytes: [UInt8]
    private let codeEnds: CodeEnds
    private var tokens: [InlineToken] = []
    private var place = 0

    /// Divides a paragraph.
    static func tokens(of bytes: [UInt8]) -> [InlineToken] {
        var scanner = InlineScanner(bytes)
        while scanner.place < bytes.count { scanner.scan() }
        return scanner.tokens
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        codeEnds = CodeEnds(bytes)
    }

    private mutating func scan() {
        switch bytes[place] {
        case UInt8(ascii: "\\"): scanBackslash()
        case UInt8(ascii: "\n"): add(.lineBreak, 1)
        case UInt8(ascii: "`"): scanCode()
        case UInt8(ascii: "$"): scanFormula()
        case UInt8(ascii: "*"): scanRun()
        case UInt8(ascii: "["): add(.open(isImage: false), 1)
        case UInt8(ascii: "]"): add(.close, 1)
        case UInt8(ascii: "!") where byte(at: place + 1) == UInt8(ascii: "["):
            add(.open(isImage: true), 2)
        default: add(.text, 1)
        }
    }

    private func byte(at place: Int) -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func add(_ kind: InlineToken.Kind, _ length: Int) {
        let range = place..<place + length
        place = range.upperBound
        if kind == .text, let last = tokens.last, last.kind == .text {
            tokens[tokens.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            tokens.append(InlineToken(kind: kind, range: range))
        }
    }

    private mutating func scanBackslash() {
        switch byte(at: place + 1) {
        case UInt8(ascii: "\n"): add(.lineBreak, 2)
        case let next? where next.isPunctuation: add(.escaped, 2)
        default: add(.text, 1)
        }
    }

    private mutating func scanCode() {
        let length = bytes[place...].prefix { $0 == UInt8(ascii: "`") }.count
        if let end = codeEnds.end(length: length, from: place + length) {
            add(.code(length), end - place)
        } else {
            add(.text, length)
        }
    }

    private mutating func scanFormula() {
        let marks = byte(at: place + 1) == UInt8(ascii: "$") ? 2 : 1
        if let end = FormulaScan.end(in: bytes, from: place, marks: marks) {
            add(.formula(marks), end - place)
        } else {
            add(.text, marks)
        }
    }

    private mutating func scanRun() {
        let length = bytes[place...].prefix { $0 == UInt8(ascii: "*") }.count
        let end = place + length
        if length == 1, place > 0, bytes[place - 1].isDigit, byte(at: end)?.isDigit == true {
            return add(.text, 1)
        }
        let before = Neighbour(ScalarPlace.scalar(before: place, in: bytes))
        let after = Neighbour(ScalarPlace.scalar(at: end, in: bytes))
        add(
            .run(
                canOpen: after.isFlanked(outside: before),
                canClose: before.isFlanked(outside: after)),
            length)
    }
}

/// The ends of code spans: for each length, where runs of so many backticks end.
private struct CodeEnds {
    private var ends: [Int: [Int]] = [:]

    init(_ bytes: [UInt8]) {
        var place = 0
        while place < bytes.count {
            let length = bytes[place...].prefix { $0 == UInt8(ascii: "`") }.count
            if length > 0 { ends[length, default: []].append(place + length) }
            place += max(length, 1)
        }
    }

    /// Returns the end of the next run of a length that starts at a place or behind it; takes O(log n).
    func end(length: Int, from start: Int) -> Int? {
        guard let ends = ends[length] else { return nil }
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] - length < start { low = middle + 1 } else { high = middle }
        }
        return low < ends.count ? ends[low] : nil
    }
}
