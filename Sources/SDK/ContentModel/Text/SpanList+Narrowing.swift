extension SpanList {
    /// Returns spans without emphasis, strong emphasis or a link within its own kind.
    ///
    /// Emphasis around a link and emphasis within it are two.
    static func unnested(
        _ spans: [TextSpan], isEmphasis: Bool = false, isStrong: Bool = false, isLink: Bool = false
    ) -> [TextSpan] {
        spans.flatMap { span -> [TextSpan] in
            switch span {
            case .emphasis(let spans):
                let inner = unnested(spans, isEmphasis: true, isStrong: isStrong, isLink: isLink)
                return isEmphasis ? inner : [.emphasis(inner)]
            case .strong(let spans):
                let inner = unnested(spans, isEmphasis: isEmphasis, isStrong: true, isLink: isLink)
                return isStrong ? inner : [.strong(inner)]
            case .link(let address, let spans):
                return isLink
                    ? unnested(spans, isEmphasis: isEmphasis, isStrong: isStrong, isLink: true)
                    : [.link(address, unnested(spans, isLink: true))]
            case .text, .code, .image, .formula, .lineBreak: return [span]
            }
        }
    }

    /// Returns spans whose emphasis leaves out punctuation at an end that a letter follows, where asterisks would stay
    /// text (CommonMark 0.31.2, section 6.2).
    static func narrowed(_ spans: [TextSpan]) -> [TextSpan] {
        spans.enumerated().flatMap { index, span -> [TextSpan] in
            guard !span.children.isEmpty else { return [span] }
            let before = index > 0 ? spans[index - 1].lastScalar : nil
            let after = index + 1 < spans.count ? spans[index + 1].firstScalar : nil
            switch span {
            case .emphasis(let children):
                return parts(of: children, between: before, and: after).around { .emphasis($0) }
            case .strong(let children):
                return parts(of: children, between: before, and: after).around { .strong($0) }
            default: return [span]
            }
        }
    }

    private static func parts(
        of spans: [TextSpan], between before: Unicode.Scalar?, and after: Unicode.Scalar?
    ) -> Parts {
        var parts = Parts(core: spans)
        if Neighbour(before).isWord, case .text(let text)? = spans.first {
            let marks = text.unicodeScalars.prefix { !Neighbour($0).isWord }
            parts.lead = [.text(String(marks))]
            parts.core[0] = .text(String(text.unicodeScalars.dropFirst(marks.count)))
        }
        if Neighbour(after).isWord, case .text(let text)? = parts.core.last {
            let marks = text.unicodeScalars.reversed().prefix { !Neighbour($0).isWord }.count
            parts.tail = [.text(String(text.unicodeScalars.suffix(marks)))]
            parts.core[parts.core.count - 1] = .text(String(text.unicodeScalars.dropLast(marks)))
        }
        return parts
    }
}

extension TextSpan {
    fileprivate var firstScalar: Unicode.Scalar? {
        if case .text(let text) = self { text.unicodeScalars.first } else { nil }
    }

    fileprivate var lastScalar: Unicode.Scalar? {
        if case .text(let text) = self { text.unicodeScalars.last } else { nil }
    }
}
