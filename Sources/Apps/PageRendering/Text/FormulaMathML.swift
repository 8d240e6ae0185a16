package import ContentModel

/// A writer of formulas as MathML Core (W3C).
///
/// It writes no styles and no addresses, only presentation elements with the few attributes that Core has, and classes
/// for the alignment of columns.
package struct FormulaMathML {
    /// Returns the element of a formula, or `nil` for one with a mistake: show its source as code.
    package static func element(of formula: Formula) -> String? {
        // The checks tell the author about a mistake; a page has no place for it.
        guard let nodes = try? formula.parsed() else { return nil }
        let display = formula.isDisplayed ? " display=\"block\"" : ""
        let content = FormulaMathML().elements(of: nodes).joined()
        return "<math dir=\"ltr\"\(display)>\(content)</math>"
    }

    /// Returns the elements of parts in a row.
    private func elements(of nodes: [FormulaNode]) -> [String] {
        nodes.enumerated().flatMap { index, node in
            elements(of: node, before: index + 1 < nodes.count ? nodes[index + 1] : nil)
        }
    }

    /// Returns one element for a node.
    func element(of node: FormulaNode) -> String { Self.row(elements(of: node.parts)) }

    /// Returns the elements of a node's parts, where an element has an inferred row.
    func content(of node: FormulaNode) -> String { elements(of: node.parts).joined() }

    static func row(_ elements: [String]) -> String {
        elements.count == 1 ? elements[0] : "<mrow>\(elements.joined())</mrow>"
    }

    private func elements(of node: FormulaNode, before next: FormulaNode?) -> [String] {
        switch node {
        case .function(let name, hasLimits: false):
            return ["<mi>\(Self.escaped(name))</mi>"] + Self.application(before: next)
        case .scripts(.function(let name, hasLimits: false), let sub, let sup, let placement):
            let base = "<mi>\(Self.escaped(name))</mi>"
            let function = scripts(on: base, sub: sub, sup: sup, placement)
            return [Self.row([function] + Self.application(before: next))]
        default: return [structure(node)]
        }
    }

    /// Returns the invisible operator that applies a function, with a thin space before an argument without bracket.
    private static func application(before next: FormulaNode?) -> [String] {
        let isApart = next?.role.isApartFromFunction == true
        return ["<mo>\u{2061}</mo>"] + (isApart ? [space(0.1667)] : [])
    }

    private func structure(_ node: FormulaNode) -> String {
        switch node {
        case .identifier(let letters, let alphabet): Self.identifier(letters, alphabet)
        case .number(let digits, let alphabet): "<mn>\(alphabet.styled(digits))</mn>"
        case .sign(let sign): Self.sign(sign)
        case .function(let name, _): Self.limitFunction(name)
        case .large(let sign): "<mo>\(sign)</mo>"
        case .text(let text, let style): Self.text(text, style)
        case .charge(let charge): "<mtext>\(charge)</mtext>"
        case .space(let width): Self.space(width)
        case .row(let nodes), .chemistry(let nodes): Self.row(elements(of: nodes))
        case .styled(let nodes, let isDisplayed):
            "<mstyle displaystyle=\"\(isDisplayed)\">\(elements(of: nodes).joined())</mstyle>"
        case .scripts(let base, let sub, let sup, let placement):
            scripts(on: self.base(base, placement), sub: sub, sup: sup, placement)
        case .fraction(let top, let bottom, let style): fraction(top, bottom, style)
        case .binomial(let top, let bottom): binomial(top, bottom)
        case .root(let radicand, nil): "<msqrt>\(content(of: radicand))</msqrt>"
        case .root(let radicand, let index?):
            "<mroot>\(element(of: radicand))\(element(of: index))</mroot>"
        case .fenced(let nodes, let open, let close):
            Self.fenced(elements(of: nodes).joined(), open: open, close: close)
        case .sized(let delimiter, let height, _): Self.sized(delimiter, height)
        case .accent(let accent, let base):
            "<mover accent=\"true\">\(element(of: base))<mo stretchy=\"false\">\(accent)</mo></mover>"
        case .wide(let accent, let base): wide(accent, base)
        case .stack(let base, let above, let below):
            Self.underOver(
                element(of: base), below.map(element), above.map(element))
        case .arrow(let arrow, let above, let below): self.arrow(arrow, above, below)
        case .table(let table): self.table(table)
        case .modulo(let number, let isInParentheses): modulo(number, isInParentheses)
        }
    }
}
