extension SpanList {
    /// Spans between those that do not belong into their parent.
    struct Parts {
        var lead: [TextSpan] = []
        var core: [TextSpan]
        var tail: [TextSpan] = []

        /// Returns the parts with a parent around the core; without a parent for an empty core, or `nil`.
        func around(_ parent: ([TextSpan]) -> TextSpan?) -> [TextSpan] {
            guard !core.isEmpty else { return lead + tail }
            return lead + (parent(core).map { [$0] } ?? core) + tail
        }
    }

    /// What does not belong at the ends of spans.
    struct Ends: OptionSet {
        let rawValue: Int
        static let breaks = Ends(rawValue: 1)
        static let spaces = Ends(rawValue: 2)
    }

    /// Divides spans at their ends.
    static func ends(of spans: [TextSpan], without ends: Ends) -> Parts {
        var (lead, core, tail) = ([TextSpan](), spans[...], [TextSpan]())
        while let first = core.first, let piece = piece(first, ends, \.blanksFirst) {
            lead.append(piece.end)
            core = core.dropFirst()
            if let rest = piece.rest { core = ([rest] + core)[...] }
        }
        while let last = core.last, let piece = piece(last, ends, \.blanksLast) {
            tail.append(piece.end)
            core = core.dropLast()
            if let rest = piece.rest { core = (core + [rest])[...] }
        }
        return Parts(lead: lead, core: Array(core), tail: tail.reversed())
    }

    private static func piece(
        _ span: TextSpan, _ ends: Ends, _ division: (String) -> (blanks: String, rest: String)
    ) -> (end: TextSpan, rest: TextSpan?)? {
        switch span {
        case .lineBreak where ends.contains(.breaks): return (span, nil)
        case .text(let text) where ends.contains(.spaces):
            let (blanks, rest) = division(text)
            guard !blanks.isEmpty else { return nil }
            return (.text(blanks), rest.isEmpty ? nil : .text(rest))
        default: return nil
        }
    }

    /// Joins what is beside its like, and removes spaces and breaks beside breaks.
    static func joined(_ spans: [TextSpan]) -> [TextSpan] {
        var list: [TextSpan] = []
        var index = 0
        while index < spans.count {
            let like = spans[index...].prefix { isLike($0, spans[index]) }
            index += max(like.count, 1)
            switch like.first {
            case .text: append(like.map(\.words).joined(), to: &list)
            case .code: list.append(.code(like.map(\.words).joined()))
            case .emphasis: list.append(.emphasis(joined(like.flatMap(\.children))))
            case .strong: list.append(.strong(joined(like.flatMap(\.children))))
            case .lineBreak: appendBreak(to: &list)
            case .link, .image, .formula: list += like
            case nil: break
            }
        }
        return list
    }

    private static func isLike(_ span: TextSpan, _ other: TextSpan) -> Bool {
        switch (span, other) {
        case (.text, .text), (.code, .code), (.emphasis, .emphasis), (.strong, .strong),
            (.lineBreak, .lineBreak), (.link, .link), (.image, .image), (.formula, .formula):
            true
        default: false
        }
    }

    private static func append(_ text: String, to list: inout [TextSpan]) {
        var text = text
        if list.last == .lineBreak { text = text.blanksFirst.rest }
        // A digit behind a formula's dollar would make it no formula; U+2060 joins without a width.
        if case .formula(let formula)? = list.last, !formula.isDisplayed,
            text.utf8.first?.isDigit == true
        {
            text = "\u{2060}" + text
        }
        if !text.isEmpty { list.append(.text(text)) }
    }

    private static func appendBreak(to list: inout [TextSpan]) {
        if case .text(let text)? = list.last {
            list.removeLast()
            let rest = text.blanksLast.rest
            if !rest.isEmpty { list.append(.text(rest)) }
        }
        if list.last != .lineBreak { list.append(.lineBreak) }
    }
}

extension TextSpan {
    /// The characters of text and code; of other spans none.
    fileprivate var words: String {
        switch self {
        case .text(let words), .code(let words): words
        default: ""
        }
    }
}

extension String {
    /// The spaces and tabs at the start, and the rest.
    fileprivate var blanksFirst: (blanks: String, rest: String) {
        let rest = utf8.drop { $0.isBlank }
        return (String(self[..<rest.startIndex]), String(self[rest.startIndex...]))
    }

    /// The spaces and tabs at the end, and the rest.
    fileprivate var blanksLast: (blanks: String, rest: String) {
        let end = utf8.lastIndex { !$0.isBlank }.map { utf8.index(after: $0) } ?? startIndex
        return (String(self[end...]), String(self[..<end]))
    }
}
