/// Letters, fractions, roots and tables in plain text.
extension FormulaPlainText {
    /// Returns the text of a part that is more than a sign or a row.
    func structure(_ node: FormulaNode) -> String {
        switch node {
        case .identifier(let text, let alphabet), .number(let text, let alphabet):
            alphabet.isShownInPlainText ? alphabet.styled(text) : text
        case .function(let text, _), .large(let text), .charge(let text), .sized(let text, _, _):
            text
        case .scripts(let base, let sub, let sup, _): scripts(on: base, sub: sub, sup: sup)
        case .fraction(let top, let bottom, _): factor(top) + "/" + factor(bottom)
        case .binomial(let top, let bottom): "C(\(text(of: top)), \(text(of: bottom)))"
        case .root(let radicand, let index): root(radicand, index: index)
        case .fenced(let nodes, let open, let close): open + text(of: .row(nodes)) + close
        case .accent(let accent, let base): accented(text(of: base), by: accent)
        case .wide(let accent, let base): widelyAccented(text(of: base), by: accent)
        case .stack(let base, let above, let below):
            text(of: base) + labels([below, above], open: "(", close: ")")
        case .arrow(let arrow, let above, let below):
            arrow + labels([above, below], open: "[", close: "]")
        case .table(let table): text(of: table)
        case .modulo(let number, let isInParentheses):
            isInParentheses ? "(mod \(text(of: number)))" : "mod \(text(of: number))"
        case .sign, .space, .text, .row, .styled, .chemistry: text(of: node)
        }
    }

    private func labels(_ nodes: [FormulaNode?], open: String, close: String) -> String {
        nodes.compactMap { $0.map { open + text(of: $0) + close } }.joined()
    }

    /// Returns a part of a fraction or a root: in brackets, unless it is one word or number.
    private func factor(_ node: FormulaNode) -> String {
        let text = text(of: node)
        return node.parts.count == 1 && text.isOneWord ? text : "(" + text + ")"
    }

    private func root(_ radicand: FormulaNode, index: FormulaNode?) -> String {
        guard let index else { return "√" + factor(radicand) }
        let degree = inScript.text(of: index)
        switch degree {
        case "3": return "∛" + factor(radicand)
        case "4": return "∜" + factor(radicand)
        default:
            let small = UnicodeScripts.superscript(degree) ?? "^(\(degree))"
            return small + "√" + factor(radicand)
        }
    }

    private func text(of table: FormulaTable) -> String {
        let content = table.rows.map { row in
            let cells = row.map { text(of: $0) }
            return table.kind == .aligned
                ? cells.filter { !$0.isEmpty }.joined(separator: " ") : listed(cells)
        }.joined(separator: "; ")
        switch table.kind {
        case .cases: return "{ " + content
        case .matrix, .smallMatrix, .array:
            guard table.open + table.close == "" else { return table.open + content + table.close }
            return table.columnCount > 1 ? "[" + content + "]" : content
        case .aligned, .gathered, .substack: return content
        }
    }

    /// Joins cells by commas; one such as "x," has its comma already.
    private func listed(_ cells: [String]) -> String {
        let bare = cells.dropLast().map { $0.last == "," ? String($0.dropLast()) : $0 }
        return (bare + cells.suffix(1)).joined(separator: ", ")
    }
}

extension String {
    /// True for letters and digits with their marks, also with a decimal point or comma.
    fileprivate var isOneWord: Bool {
        !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "," }
    }
}
