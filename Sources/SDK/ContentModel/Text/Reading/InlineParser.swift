/// The reading of spans in a paragraph or a cell.
struct InlineParser {
    private enum Piece {
        case span(TextSpan)
        case run(EmphasisPairs.Run)
    }

    private let bytes: [UInt8]
    private let tokens: [InlineToken]
    /// For an opening bracket with a partner, the partner's place.
    private let partners: [Int: Int]

    /// Reads the spans of a paragraph or a cell.
    static func spans(of bytes: [UInt8]) -> [TextSpan] {
        SpanList.writable(read(bytes))
    }

    /// Reads spans that their source may not read back.
    static func read(_ bytes: [UInt8]) -> [TextSpan] {
        let parser = InlineParser(bytes)
        return SpanList.normal(parser.spans(parser.tokens.indices, isInLink: false))
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        tokens = InlineScanner.tokens(of: bytes)
        partners = Self.partners(tokens)
    }

    private static func partners(_ tokens: [InlineToken]) -> [Int: Int] {
        var (open, partners): ([Int], [Int: Int]) = ([], [:])
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .open: open.append(index)
            case .close: if let first = open.popLast() { partners[first] = index }
            default: break
            }
        }
        return partners
    }

    private func spans(_ range: Range<Int>, isInLink: Bool) -> [TextSpan] {
        var pieces: [Piece] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let token = tokens[index]
            if case .open(let isImage) = token.kind, isImage || !isInLink,
                let link = bracketed(index, isImage: isImage)
            {
                pieces.append(.span(link.span))
                index = append(&pieces, after: link.end, from: index, to: range.upperBound)
            } else {
                pieces.append(piece(token))
                index += 1
            }
        }
        return Self.spans(of: pieces)
    }

    /// Appends the rest of the text token in which a link ends; returns the next token.
    private func append(
        _ pieces: inout [Piece], after end: Int, from start: Int, to last: Int
    ) -> Int {
        var index = start
        while index < last, tokens[index].range.upperBound <= end { index += 1 }
        guard index < last, tokens[index].range.lowerBound < end else { return index }
        pieces.append(.span(.text(text(end..<tokens[index].range.upperBound))))
        return index + 1
    }

    private func piece(_ token: InlineToken) -> Piece {
        let range = token.range
        switch token.kind {
        case .text, .open, .close: return .span(.text(text(range)))
        case .escaped: return .span(.text(text(range.dropFirst())))
        case .lineBreak: return .span(.lineBreak)
        case .code(let marks): return .span(.code(code(range.dropFirst(marks).dropLast(marks))))
        case .formula(let marks):
            let content = bytes[range].dropFirst(marks).dropLast(marks)
            guard let tex = FormulaScan.tex(of: content) else { return .span(.text(text(range))) }
            return .span(.formula(Formula(tex: tex, isDisplayed: marks == 2)))
        case .run(let canOpen, let canClose):
            return .run(
                EmphasisPairs.Run(canOpen: canOpen, canClose: canClose, length: range.count))
        }
    }

    /// Returns the text of code: line ends are spaces, and of spaces at both ends one each is no part of it.
    private func code(_ range: Range<Int>) -> String {
        let space = UInt8(ascii: " ")
        var code = bytes[range].map { $0 == UInt8(ascii: "\n") ? space : $0 }[...]
        if code.count > 1, code.first == space, code.last == space,
            code.contains(where: { $0 != space })
        {
            code = code.dropFirst().dropLast()
        }
        return String(decoding: code, as: UTF8.self)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    // MARK: Links and pictures

    private func bracketed(_ index: Int, isImage: Bool) -> (span: TextSpan, end: Int)? {
        guard let partner = partners[index],
            let target = LinkTarget(in: bytes, from: tokens[partner].range.upperBound),
            isPlain(partner, until: target.end)
        else { return nil }
        if isImage {
            let alt = alternative(index + 1..<partner)
            guard target.isImageName, !alt.isEmpty else { return nil }
            return (.image(name: target.text, alt: alt), target.end)
        }
        guard target.isAddress else { return nil }
        let spans = spans(index + 1..<partner, isInLink: true)
        return SpanList.isVisible(spans) ? (.link(target.text, spans), target.end) : nil
    }

    /// Returns true if neither code nor a formula is between a bracket and a place.
    private func isPlain(_ bracket: Int, until end: Int) -> Bool {
        for token in tokens[bracket...] {
            if token.range.lowerBound >= end { return true }
            switch token.kind {
            case .code, .formula: return false
            default: break
            }
        }
        return true
    }

    /// Returns the alternative text between brackets, with marks as they were typed.
    private func alternative(_ range: Range<Int>) -> String {
        var text: [UInt8] = []
        for token in tokens[range] {
            switch token.kind {
            case .lineBreak: text.append(UInt8(ascii: "\n"))
            case .escaped: text += bytes[token.range.dropFirst()]
            default: text += bytes[token.range]
            }
        }
        let line = text.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }
        return String(decoding: line[...].trimmed, as: UTF8.self)
    }

    // MARK: Emphasis

    private static func spans(of pieces: [Piece]) -> [TextSpan] {
        let runs = pieces.compactMap { if case .run(let run) = $0 { run } else { nil } }
        var pairs = EmphasisPairs(runs).runs[...]
        var builder = SpanBuilder()
        for piece in pieces {
            switch piece {
            case .span(let span): builder.append(span)
            case .run: if let run = pairs.popFirst() { builder.append(run) }
            }
        }
        return builder.spans
    }
}
