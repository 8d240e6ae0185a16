import ContentModel

/// The elements with parts: scripts, fractions, accents, arrows and tables.
extension FormulaMathML {
    /// Returns the base of scripts; one with fixed limits says so itself.
    func base(_ node: FormulaNode, _ placement: FormulaLimitsPlacement) -> String {
        guard placement == .fixedLimits else { return element(of: node) }
        switch node {
        case .large(let sign): return "<mo movablelimits=\"false\">\(sign)</mo>"
        case .function(let name, _): return Self.limitFunction(name, movesLimits: false)
        default: return element(of: node)
        }
    }

    func scripts(
        on base: String, sub: FormulaNode?, sup: FormulaNode?, _ placement: FormulaLimitsPlacement
    ) -> String {
        let (sub, sup) = (sub.map(element), sup.map(element))
        guard placement == .beside else { return Self.underOver(base, sub, sup) }
        return switch (sub, sup) {
        case (let sub?, let sup?): "<msubsup>\(base)\(sub)\(sup)</msubsup>"
        case (let sub?, nil): "<msub>\(base)\(sub)</msub>"
        case (nil, let sup?): "<msup>\(base)\(sup)</msup>"
        case (nil, nil): base
        }
    }

    static func underOver(_ base: String, _ below: String?, _ above: String?) -> String {
        switch (below, above) {
        case (let below?, let above?): "<munderover>\(base)\(below)\(above)</munderover>"
        case (let below?, nil): "<munder>\(base)\(below)</munder>"
        case (nil, let above?): "<mover>\(base)\(above)</mover>"
        case (nil, nil): base
        }
    }

    func fraction(
        _ top: FormulaNode, _ bottom: FormulaNode, _ style: FormulaFractionStyle
    ) -> String {
        let fraction = "<mfrac>\(element(of: top))\(element(of: bottom))</mfrac>"
        guard style != .inherited else { return fraction }
        return "<mstyle displaystyle=\"\(style == .displayed)\">\(fraction)</mstyle>"
    }

    func binomial(_ top: FormulaNode, _ bottom: FormulaNode) -> String {
        let stack = "<mfrac linethickness=\"0\">\(element(of: top))\(element(of: bottom))</mfrac>"
        return "<mrow><mo stretchy=\"true\">(</mo>\(stack)<mo stretchy=\"true\">)</mo></mrow>"
    }

    static func fenced(_ content: String, open: String, close: String) -> String {
        "<mrow>\(fence(open, "prefix"))\(content)\(fence(close, "postfix"))</mrow>"
    }

    private static func fence(_ delimiter: String, _ form: String) -> String {
        guard !delimiter.isEmpty else { return "" }
        return "<mo fence=\"true\" form=\"\(form)\" stretchy=\"true\">\(escaped(delimiter))</mo>"
    }

    /// Returns a part with a wide accent; a line is a border, because no font stretches its character.
    func wide(_ accent: String, _ base: FormulaNode) -> String {
        switch accent {
        case "‾": "<mrow class=\"over\">\(element(of: base))</mrow>"
        case "_": "<mrow class=\"under\">\(element(of: base))</mrow>"
        case "⏟":
            """
            <munder accentunder="true">\(element(of: base))<mo stretchy="true">⏟</mo></munder>
            """
        default:
            """
            <mover accent="true">\(element(of: base))<mo stretchy="true">\(accent)</mo></mover>
            """
        }
    }

    func arrow(_ arrow: String, _ above: FormulaNode, _ below: FormulaNode?) -> String {
        let labels = [below, above].map { label in
            label.map { "<mrow>\(Self.space(0.3))\(element(of: $0))\(Self.space(0.3))</mrow>" }
        }
        return Self.underOver("<mo stretchy=\"true\">\(arrow)</mo>", labels[0], labels[1])
    }

    func modulo(_ number: FormulaNode, _ isInParentheses: Bool) -> String {
        let (open, close) =
            isInParentheses
            ? ("<mo stretchy=\"false\">(</mo>", "<mo stretchy=\"false\">)</mo>") : ("", "")
        return """
            <mrow>\(Self.space(0.4444))\(open)<mi>mod</mi><mo>\u{2061}</mo>\(Self.space(0.1667))\
            \(content(of: number))\(close)</mrow>
            """
    }

    func table(_ table: FormulaTable) -> String {
        let rows = table.rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let alignment = table.alignment(ofColumn: column)
                let variant = alignment == .center ? "" : " class=\"\(alignment.rawValue)\""
                return "<mtd\(variant)>\(element(of: cell))</mtd>"
            }
            return "<mtr>\(cells.joined())</mtr>"
        }
        let grid = "<mtable\(Self.attributes(of: table.kind))>\(rows.joined())</mtable>"
        guard table.open + table.close != "" else { return grid }
        return Self.fenced(grid, open: table.open, close: table.close)
    }

    private static func attributes(of kind: FormulaTable.Kind) -> String {
        switch kind {
        case .aligned: " displaystyle=\"true\" class=\"al\""
        case .gathered: " displaystyle=\"true\""
        case .smallMatrix, .substack: " class=\"sm\""
        default: ""
        }
    }
}
