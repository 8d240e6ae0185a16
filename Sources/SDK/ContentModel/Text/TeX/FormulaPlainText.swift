/// A writer of formulas as plain text: `x = (−b ± √(b² − 4ac))/(2a)`.
///
/// Scripts are characters of Unicode if both can be, else `^(…)` and `_(…)`; a fraction beside a factor stands in
/// brackets.
struct FormulaPlainText {
    /// True within scripts, where operators stand without spaces.
    private var isScript = false

    /// Returns the text of a formula's nodes.
    static func text(of nodes: [FormulaNode]) -> String { FormulaPlainText().text(of: nodes) }

    private func text(of nodes: [FormulaNode]) -> String {
        var line = PlainTextLine()
        for (index, node) in nodes.enumerated() {
            let after = index + 1 < nodes.count ? nodes[index + 1] : nil
            let before = index > 0 ? nodes[index - 1] : nil
            if case .fraction = node,
                before?.isFactorBefore == true || after?.isFactorAfter == true
            {
                line.add("(" + text(of: node) + ")")
            } else {
                add(node, before: after, to: &line)
            }
        }
        return line.text
    }

    private func text(of node: FormulaNode) -> String { text(of: node.parts) }

    private var inScript: FormulaPlainText { FormulaPlainText(isScript: true) }

    private func add(_ node: FormulaNode, before next: FormulaNode?, to line: inout PlainTextLine) {
        switch node {
        case .sign(let sign): add(sign, to: &line)
        case .space(let width): if width > 0 { line.addSpace() }
        case .text(let words, _): line.addWords(words)
        case .row(let nodes), .chemistry(let nodes), .styled(let nodes, _):
            line.add(text(of: nodes))
        default:
            if node.isApartFromWords, line.endsInWord { line.addSpace() }
            addLabelled(node, to: &line)
            let isOperator = node.role == .function || node.role == .large
            if isOperator, next?.role.isApartFromFunction == true { line.addSpace() }
        }
    }

    private func add(_ sign: FormulaSign, to line: inout PlainTextLine) {
        let isTight = [":", "∗", "∖"].contains(sign.text)
        switch sign.role {
        case .binary where sign.text == "mod": addSpaced(sign.text, to: &line)
        case .binary where !isTight && !isScript, .relation where !isTight && !isScript,
            .middle where !isScript:
            addSpaced(sign.text, to: &line)
        case .punctuation:
            line.add(sign.text)
            line.addSpace()
        default: line.add(sign.text)
        }
    }

    private func addSpaced(_ text: String, to line: inout PlainTextLine) {
        line.addSpace()
        line.add(text)
        line.addSpace()
    }

    private func addLabelled(_ node: FormulaNode, to line: inout PlainTextLine) {
        guard case .arrow(let arrow, let above, let below) = node else {
            return line.add(structure(node))
        }
        let labels = [above] + (below.map { [$0] } ?? [])
        addSpaced(arrow + labels.map { "[\(text(of: $0))]" }.joined(), to: &line)
    }

    private func structure(_ node: FormulaNode) -> String {
        switch node {
        case .identifier(let letters, let alphabet):
            alphabet.isShownInPlainText ? alphabet.styled(letters) : letters
        case .number(let digits, let alphabet):
            alphabet.isShownInPlainText ? alphabet.styled(digits) : digits
        case .function(let name, _): name
        case .large(let sign), .charge(let sign), .sized(let sign, _, _): sign
        case .scripts(let base, let sub, let sup, _): scripts(base, sub: sub, sup: sup)
        case .fraction(let top, let bottom, _): factor(top) + "/" + factor(bottom)
        case .binomial(let top, let bottom): "C(\(text(of: top)), \(text(of: bottom)))"
        case .root(let radicand, let index): root(radicand, index: index)
        case .fenced(let nodes, let open, let close): open + text(of: nodes) + close
        case .accent(let accent, let base), .wide(let accent, let base):
            accented(text(of: base), by: accent, isWide: node.isWide)
        case .stack(let base, let above, let below):
            text(of: base)
                + [below, above].compactMap { $0 }.map { "(\(text(of: $0)))" }.joined()
        case .table(let table): text(of: table)
        case .modulo(let number, let isInParentheses):
            isInParentheses ? "(mod \(text(of: number)))" : "mod \(text(of: number))"
        default: ""
        }
    }

    /// Returns a part of a fraction or a root: in brackets, unless it is one word or number.
    private func factor(_ node: FormulaNode) -> String {
        let text = text(of: node)
        return node.isOnePart && text.isOneWord ? text : "(" + text + ")"
    }

    private func root(_ radicand: FormulaNode, index: FormulaNode?) -> String {
        guard let index else { return "√" + factor(radicand) }
        let degree = inScript.text(of: index)
        switch degree {
        case "3": return "∛" + factor(radicand)
        case "4": return "∜" + factor(radicand)
        default:
            return (UnicodeScripts.superscript(degree) ?? "^(\(degree))") + "√" + factor(radicand)
        }
    }

    private func text(of table: FormulaTable) -> String {
        let isAligned = table.kind == .aligned
        let rows = table.rows.map { row in
            let cells = row.map { text(of: $0) }
            guard !isAligned else { return cells.filter { !$0.isEmpty }.joined(separator: " ") }
            return cells.enumerated().map { index, cell in
                // "x, &x > 0" has its comma already.
                index + 1 < cells.count && cell.last == "," ? String(cell.dropLast()) : cell
            }.joined(separator: ", ")
        }
        let content = rows.joined(separator: "; ")
        switch table.kind {
        case .cases: return "{ " + content
        case .matrix(let open, let close) where open + close != "": return open + content + close
        case .matrix, .smallMatrix, .array:
            return table.columnCount > 1 ? "[" + content + "]" : content
        default: return content
        }
    }
}

extension FormulaPlainText {
    private func scripts(_ base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?) -> String {
        let text = base.needsBrackets ? "(" + text(of: base) + ")" : text(of: base)
        if case .sign(FormulaSign("∘", .binary)) = sup, sub == nil { return text + "°" }
        let (sub, sup) = (sub.map(inScript.text), sup.map(inScript.text))
        let small = (sub.map(UnicodeScripts.subscript), sup.map(UnicodeScripts.superscript))
        if case (let low?, let high?) = (small.0 ?? "", small.1 ?? "") { return text + low + high }
        return text + marked("_", sub) + marked("^", sup)
    }

    private func marked(_ mark: String, _ script: String?) -> String {
        guard let script else { return "" }
        return mark + (script.count == 1 ? script : "(" + script + ")")
    }

    private func accented(_ text: String, by accent: String, isWide: Bool) -> String {
        let marks = isWide ? Self.wideMarks : Self.accentMarks
        guard let mark = marks[accent] else { return text }
        guard isWide, ["‾", "_"].contains(accent) else { return text + String(mark) }
        return String(String.UnicodeScalarView(text.unicodeScalars.flatMap { [$0, mark] }))
    }

    /// The combining characters of accents.
    private static let accentMarks: [String: Unicode.Scalar] = [
        "→": "\u{20D7}", "^": "\u{302}", "¯": "\u{304}", "˙": "\u{307}", "¨": "\u{308}",
        "~": "\u{303}", "ˇ": "\u{30C}", "˘": "\u{306}", "´": "\u{301}", "`": "\u{300}",
        "˚": "\u{30A}",
    ]

    /// The combining characters of wide accents; a hat over several letters has none.
    private static let wideMarks: [String: Unicode.Scalar] = [
        "‾": "\u{305}", "_": "\u{332}", "→": "\u{20D7}", "←": "\u{20D6}",
    ]
}

extension FormulaNode {
    /// True if a fraction behind the node would be a factor or an argument.
    fileprivate var isFactorBefore: Bool {
        if case .function(_, hasLimits: false) = nucleus { return true }
        return [.ordinary, .inner, .close, .postfix, .tight].contains(role)
    }

    /// True if a fraction before the node would be a factor.
    fileprivate var isFactorAfter: Bool {
        // A delimiter with scripts carries them for all that it ends.
        if case .scripts(.sized, _, _, _) = self { return true }
        return [.ordinary, .inner, .open, .postfix, .large].contains(role)
    }

    /// True unless the node is a row of several parts.
    fileprivate var isOnePart: Bool {
        if case .row = self { false } else { true }
    }

    /// True if scripts behind the node's text would seem to belong to its last part.
    fileprivate var needsBrackets: Bool {
        switch self {
        case .row(let parts): parts.count > 1
        case .fraction, .root, .scripts, .sized, .styled, .chemistry: true
        default: false
        }
    }

    /// True for what would run into a letter or number before it.
    fileprivate var isApartFromWords: Bool {
        switch nucleus {
        case .function, .table, .binomial, .modulo(_, isInParentheses: false): true
        default: false
        }
    }

    fileprivate var isWide: Bool {
        if case .wide = self { true } else { false }
    }
}

extension String {
    /// True for letters and digits with their marks, a decimal point or comma among digits.
    fileprivate var isOneWord: Bool {
        !isEmpty
            && allSatisfy { $0.isLetter || $0.isNumber || $0 == "." || $0 == "," }
    }
}
