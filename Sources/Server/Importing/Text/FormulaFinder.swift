/// Finds formulas in TeX between one of the pairs of marks that programs use, in linear time.
struct FormulaFinder {
    /// The marks of TeX, of Moodle's filter, of MathJax, and of Anki.
    private static let pairs = [
        ("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("[$]", "[/$]"), ("[$$]", "[/$$]"),
        ("[latex]", "[/latex]"),
    ]
    /// The most characters of a formula in UTF-8.
    private static let bytesMax = 10_000

    /// The next place of each closing mark, so that no part of a text is searched twice.
    private var closes: [String: Substring.Index] = [:]

    /// Returns the TeX of a formula that begins a text, and the rest; `nil` if none does.
    mutating func formula(_ text: Substring) -> (tex: Substring, rest: Substring)? {
        guard let (open, close) = Self.pairs.first(where: { text.hasPrefix($0.0) }) else {
            return nil
        }
        let inner = text.dropFirst(open.count)
        guard let end = place(of: close, in: inner), end > inner.startIndex,
            text.utf8.distance(from: inner.startIndex, to: end) <= Self.bytesMax
        else { return nil }
        // Anki's [latex] is text, with its formulas between dollar signs.
        let isWrapped =
            open == "[latex]" && end > inner.index(after: inner.startIndex)
            && inner.first == "$" && inner[..<end].last == "$"
        let tex = isWrapped ? inner[..<end].dropFirst().dropLast() : inner[..<end]
        return (tex, inner[end...].dropFirst(close.count))
    }

    /// Returns the content before a closing mark, and the rest after it; `nil` if the mark does not follow.
    mutating func content(
        of text: Substring, until close: String
    ) -> (inner: Substring, rest: Substring)? {
        guard let end = place(of: close, in: text) else { return nil }
        return (text[..<end], text[end...].dropFirst(close.count))
    }

    private mutating func place(of close: String, in text: Substring) -> Substring.Index? {
        if let known = closes[close], known >= text.startIndex {
            return known < text.endIndex ? known : nil
        }
        let found = text.firstRange(of: close)?.lowerBound ?? text.endIndex
        closes[close] = found
        return found < text.endIndex ? found : nil
    }
}
