/// A mistake that a check finds in an author's text, or what is probably one.
package struct TextMistake: Hashable, Sendable {
    /// The rule that the text breaks.
    package let rule: Rule
    /// The place in the text, in Unicode scalars from 0.
    package let offset: Int
    /// What is wrong; the remedy is the hint of the rule.
    package let message: String

    /// Returns the mistakes of a text in their order, in time linear in its size.
    ///
    /// A text above a ``TextLimit`` has none: it is shown as plain, and the check reports the limit.
    package static func find(
        in source: String, form: TextForm, isOption: Bool = false
    ) -> [TextMistake] {
        var finder = TextMistakeFinder(source)
        switch form {
        case .plain: finder.checkPlain(source)
        case .markdown:
            guard RichText.exceededLimit(of: source) == nil else { return [] }
            finder.checkMarkdown(RichText(source, form: .markdown), isOption: isOption)
        }
        return finder.mistakes
    }
}

/// The search for mistakes in one text.
struct TextMistakeFinder {
    /// The bytes of the text, with LF alone as line end.
    let bytes: [UInt8]
    /// The same bytes, with spaces for code, formulas and escaped characters.
    var words: [UInt8]
    /// The same bytes, with spaces for code and formulas.
    var wordsAndEscapes: [UInt8]
    private var found: [(place: Int, rule: Rule, message: String)] = []

    init(_ source: String) {
        bytes = SourceLines.bytes(of: source)
        (words, wordsAndEscapes) = (bytes, bytes)
    }

    /// The mistakes, in the order of their places.
    var mistakes: [TextMistake] {
        var (offset, place) = (0, 0)
        return found.sorted { $0.place < $1.place }.map { mistake in
            for byte in bytes[place..<mistake.place] where byte & 0xC0 != 0x80 { offset += 1 }
            place = mistake.place
            return TextMistake(rule: mistake.rule, offset: offset, message: mistake.message)
        }
    }

    mutating func note(_ rule: Rule, at place: Int, _ message: String) {
        found.append((place, rule, message))
    }

    /// Covers a range that is no text.
    mutating func cover(_ range: Range<Int>, coversEscapes: Bool = true) {
        for place in range where bytes[place] != UInt8(ascii: "\n") {
            words[place] = UInt8(ascii: " ")
            if coversEscapes { wordsAndEscapes[place] = UInt8(ascii: " ") }
        }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    mutating func checkPlain(_ source: String) {
        var isCode = false
        let ticks = bytes.indices.filter { bytes[$0] == UInt8(ascii: "`") }
        for (tick, next) in zip(ticks, ticks.dropFirst()) {
            isCode.toggle()
            if isCode { cover(tick..<next + 1) }
        }
        checkHTML()
        checkDialect()
        checkMarks()
    }

    mutating func checkMarkdown(_ text: RichText, isOption: Bool) {
        if isOption, let name = text.blocks.lazy.compactMap(\.nameOfLargeBlock).first {
            note(
                .optionBlock, at: 0,
                "an option cannot have a \(name)")
        }
        checkLines()
        checkHTML()
        checkDialect()
    }
}

extension TextBlock {
    /// The name of a block that an option cannot have.
    fileprivate var nameOfLargeBlock: String? {
        switch self {
        case .list: "list"
        case .table: "table"
        case .paragraph, .code: nil
        }
    }
}
