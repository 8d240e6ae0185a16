/// The rules that the spans of a text follow, so that their source reads back as the same spans.
enum SpanList {
    /// Returns spans in their normal form.
    ///
    /// No text is empty, or beside another; the same holds for code and for emphasis. No break is at an end, beside
    /// another one or beside a space. Emphasis has no space at its ends, and `strong` of nothing but `emphasis` is
    /// `emphasis` of `strong`.
    static func normal(_ spans: [TextSpan]) -> [TextSpan] {
        let spans = joined(spans.flatMap(lifted))
        return ends(of: spans, without: [.breaks, .spaces]).core
    }

    /// Returns spans in a normal form that their source reads back.
    ///
    /// Asterisks cannot say all emphasis: of "**Note:**text" the colon moves out, and emphasis of a mark alone within a
    /// word goes.
    static func writable(_ spans: [TextSpan]) -> [TextSpan] {
        if spans.allSatisfy(\.children.isEmpty) || isReadBack(spans) { return spans }
        let narrowed = normal(narrowed(spans))
        return isReadBack(narrowed) ? narrowed : normal(spans.flatMap(bare))
    }

    private static func isReadBack(_ spans: [TextSpan]) -> Bool {
        InlineParser.read(SourceLines.bytes(of: MarkdownWriter.text(of: spans))) == spans
    }

    /// Returns true if spans show more than spaces.
    static func isVisible(_ spans: [TextSpan]) -> Bool {
        spans.contains { span in
            switch span {
            case .text(let text): text.utf8.contains { !$0.isBlank }
            case .lineBreak: false
            case .code, .image, .formula: true
            case .emphasis, .strong, .link: isVisible(span.children)
            }
        }
    }

    private static func bare(_ span: TextSpan) -> [TextSpan] {
        switch span {
        case .emphasis(let spans), .strong(let spans): spans.flatMap(bare)
        case .link(let address, let spans): [.link(address, spans.flatMap(bare))]
        case .text, .code, .image, .formula, .lineBreak: [span]
        }
    }

    /// Returns a span in its normal form, between what does not belong into it.
    private static func lifted(_ span: TextSpan) -> [TextSpan] {
        switch span {
        case .text(let text): return lines(of: SourceLines.text(of: text))
        case .code(let code): return code.isEmpty ? [] : [.code(line(of: code))]
        case .formula(let formula): return [FormulaScan.span(of: formula)]
        case .image(let name, let alt): return image(name, line(of: alt))
        case .lineBreak: return [span]
        case .emphasis(let spans):
            return ends(of: joined(spans.flatMap(lifted)), without: [.breaks, .spaces])
                .around { .emphasis($0) }
        case .strong(let spans):
            return ends(of: joined(spans.flatMap(lifted)), without: [.breaks, .spaces]).around {
                if $0.count == 1, case .emphasis(let inner) = $0[0] {
                    return .emphasis([.strong(inner)])
                }
                return .strong($0)
            }
        case .link(let address, let spans):
            let parts = ends(of: joined(spans.flatMap(lifted)), without: [.breaks])
            return isVisible(parts.core) && LinkTarget.isAddress(address)
                ? parts.around { .link(address, $0) } : parts.around { _ in nil }
        }
    }

    private static func image(_ name: String, _ alt: String) -> [TextSpan] {
        let alt = String(decoding: Array(alt.utf8)[...].trimmed, as: UTF8.self)
        if alt.isEmpty { return [] }
        return [LinkTarget.isImageName(name) ? .image(name: name, alt: alt) : .text("[\(alt)]")]
    }

    private static func line(of text: String) -> String {
        SourceLines.text(of: text).replacing("\n", with: " ")
    }

    private static func lines(of text: String) -> [TextSpan] {
        guard text.utf8.contains(UInt8(ascii: "\n")) else {
            return text.isEmpty ? [] : [.text(text)]
        }
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return Array(
            lines.map { $0.isEmpty ? [] : [TextSpan.text(String(Substring($0)))] }
                .joined(separator: [.lineBreak]))
    }
}
