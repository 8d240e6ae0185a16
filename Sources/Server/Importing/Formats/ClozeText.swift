/// A text with gaps, as `{{c1::answer::hint}}`, read once from start to end.
struct ClozeText {
    /// One question: the text in which the gaps of one number are open.
    struct Gap {
        var number: Int
        var stem: String
        var answer: String
        /// The content of the gap, with its media.
        var hidden: [MarkupText]
    }

    private enum Piece {
        case text(Substring)
        case gap(number: Int, answer: String, hint: String?)
    }

    private var pieces: [Piece] = []

    private init(_ text: String) {
        let parts = text.split(separator: "{{c", omittingEmptySubsequences: false)
        if let first = parts.first { pieces.append(.text(first)) }
        for part in parts.dropFirst() { read(part) }
    }

    /// Reads what follows `{{c`; what is no gap stays text.
    private mutating func read(_ part: Substring) {
        let digits = part.prefix { $0.isASCII && $0.isNumber }
        let rest = part[digits.endIndex...]
        guard let number = Int(digits), (1...100_000).contains(number), rest.hasPrefix("::"),
            let end = rest.firstRange(of: "}}")
        else { return pieces += [.text("{{c"), .text(part)] }
        let inner = rest[..<end.lowerBound].dropFirst(2)
        let mark = inner.firstRange(of: "::")
        pieces.append(
            .gap(
                number: number, answer: String(inner[..<(mark?.lowerBound ?? inner.endIndex)]),
                hint: mark.map { String(inner[$0.upperBound...]) }))
        pieces.append(.text(rest[end.upperBound...]))
    }

    /// Returns one question for each number of a gap, in order, at most `max`.
    static func questions(in text: String, max: Int) -> [Gap] {
        guard text.contains("{{c") else { return [] }
        let cloze = ClozeText(text)
        let numbers = Set(
            cloze.pieces.compactMap { if case .gap(let number, _, _) = $0 { number } else { nil } })
        return numbers.sorted().prefix(max).map { cloze.question($0) }
    }

    private func question(_ open: Int) -> Gap {
        var stem = ""
        var hidden: [MarkupText] = []
        for piece in pieces {
            switch piece {
            case .text(let text): stem += text
            case .gap(let number, let answer, let hint):
                guard number == open else {
                    stem += answer
                    continue
                }
                stem += hint.map { "[\($0)]" } ?? "[…]"
                hidden.append(MarkupText(answer, readsTeX: true))
            }
        }
        return Gap(
            number: open, stem: stem, answer: hidden.map(\.text).joined(separator: ", "),
            hidden: hidden)
    }
}
