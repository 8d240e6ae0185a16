/// A writer of formulas as plain text: `x = (−b ± √(b² − 4ac))/(2a)`.
///
/// Scripts are characters of Unicode if both can be, else `^(…)` and `_(…)`. A fraction next to a factor has brackets.
struct FormulaPlainText {
    /// True within scripts, where operators have no spaces.
    private var isScript = false

    /// The writer for scripts.
    var inScript: FormulaPlainText { FormulaPlainText(isScript: true) }

    /// Returns the text of a formula's parts.
    static func text(of nodes: [FormulaNode]) -> String { FormulaPlainText().text(of: nodes) }

    /// Returns the text of a part.
    func text(of node: FormulaNode) -> String { text(of: node.parts) }

    private func text(of nodes: [FormulaNode]) -> String {
        var line = PlainTextLine()
        for (index, node) in nodes.enumerated() {
            let after = index + 1 < nodes.count ? nodes[index + 1] : nil
            let before = index > 0 ? nodes[index - 1] : nil
            if case .fraction = node,
                before?.isFactorBefore == true || after?.isFactorAfter == true
            {
                line.add("(" + structure(node) + ")")
            } else {
                add(node, before: after, to: &line)
            }
        }
        return line.text
    }

    private func add(_ node: FormulaNode, before next: FormulaNode?, to line: inout PlainTextLine) {
        switch node {
        case .sign(let sign): add(sign, to: &line)
        case .space(let width): if width > 0 { line.addSpace() }
        case .text(let words, _): line.addWords(words)
        case .row(let nodes), .chemistry(let nodes), .styled(let nodes, _):
            line.add(text(of: nodes))
        case .arrow: line.addSpaced(structure(node))
        default:
            if node.isApartFromWords, line.endsInWord { line.addSpace() }
            line.add(structure(node))
            let isOperator = node.role == .function || node.role == .large
            if isOperator, next?.role.isApartFromFunction == true { line.addSpace() }
        }
    }

    private func add(_ sign: FormulaSign, to line: inout PlainTextLine) {
        switch sign.role {
        case .binary where sign.text == "mod": line.addSpaced(sign.text)
        case .binary, .relation, .middle:
            let isTight = isScript || [":", "∗", "∖"].contains(sign.text)
            isTight ? line.add(sign.text) : line.addSpaced(sign.text)
        case .punctuation:
            line.add(sign.text)
            line.addSpace()
        default: line.add(sign.text)
        }
    }
}

extension FormulaNode {
    /// True if a fraction after the node would be a factor or an argument.
    fileprivate var isFactorBefore: Bool {
        if case .function(_, hasLimits: false) = nucleus { return true }
        return [.ordinary, .inner, .close, .postfix, .tight].contains(role)
    }

    /// True if a fraction before the node would be a factor.
    fileprivate var isFactorAfter: Bool {
        // The published vectors treat a delimiter of fixed height with scripts as a factor.
        if case .scripts(.sized, _, _, _) = self { return true }
        return [.ordinary, .inner, .open, .postfix, .large].contains(role)
    }

    /// True for what would run into a letter or number before it.
    fileprivate var isApartFromWords: Bool {
        switch nucleus {
        case .function, .table, .binomial, .modulo(_, isInParentheses: false): true
        default: false
        }
    }
}
