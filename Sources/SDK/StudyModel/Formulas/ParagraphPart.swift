package import Underway

/// A part of a paragraph: text that wraps, or a formula on a line of its own.
package enum ParagraphPart: Sendable, Hashable {
    case text([TextSpan])
    case formula(Formula)

    /// Returns the parts of a paragraph; the line breaks around a formula are those of its own line.
    package static func parts(of spans: [TextSpan]) -> [ParagraphPart] {
        var parts: [ParagraphPart] = []
        var line: [TextSpan] = []
        func endLine() {
            let text = line.drop { $0 == .lineBreak }.reversed().drop { $0 == .lineBreak }
            if !text.isEmpty { parts.append(.text(text.reversed())) }
            line = []
        }
        for span in spans {
            guard case .formula(let formula) = span, formula.isDisplayed else {
                line.append(span)
                continue
            }
            endLine()
            parts.append(.formula(formula))
        }
        endLine()
        return parts
    }
}
