package import Underway

/// A layout of formulas as boxes, after appendix G of The TeXbook, with the few lengths that screens need.
///
/// The face measures letters, so that the boxes fit its fonts; the rest is the same on every system.
package struct FormulaLayout {
    /// Returns the width of a text at a size of 1 em.
    package typealias Measure = (_ text: String, _ face: FormulaBox.Face) -> Double

    /// The size of a script relative to its base.
    static let scriptSize = 0.71
    /// The smallest size of letters: that of a script of a script.
    static let sizeMin = 0.5
    /// The thickness of a rule.
    static let rule = 0.05
    /// The height of the axis, on which rules and operators stand.
    static let axis = 0.25
    /// The gap beside a rule.
    static let gap = 0.15
    /// The height of letters above their baseline, and the depth below it.
    static let letters = (ascent: 0.72, descent: 0.22)

    let measure: Measure
    var size = 1.0
    var isDisplayed: Bool

    /// Returns the box of a formula; `nil` for one with a mistake: show its source as code.
    package static func box(of formula: Formula, measure: @escaping Measure) -> FormulaBox? {
        guard let nodes = try? formula.parsed() else { return nil }
        return FormulaLayout(measure: measure, isDisplayed: formula.isDisplayed).row(nodes)
    }

    // MARK: Sizes

    /// The layout of scripts.
    var inScript: FormulaLayout {
        FormulaLayout(
            measure: measure, size: max(Self.sizeMin, size * Self.scriptSize), isDisplayed: false)
    }

    /// The layout of a fraction's parts, and of what stands in a line.
    var inLine: FormulaLayout {
        FormulaLayout(measure: measure, size: size, isDisplayed: false)
    }

    var isScript: Bool { size < 1 }

    // MARK: Rows

    /// Returns parts in a row, with the spaces that their roles ask for.
    func row(_ nodes: [FormulaNode]) -> FormulaBox {
        var row = FormulaBox()
        var x = 0.0
        for (index, node) in nodes.enumerated() {
            if index > 0 { x += space(nodes[index - 1].role, node.role) * size }
            let box = box(of: node)
            row.add(box, x: x)
            x += box.width
        }
        row.width = x
        return row
    }

    /// Returns a node's parts in a row.
    func row(_ node: FormulaNode) -> FormulaBox { row(node.parts) }

    private func space(_ left: FormulaRole, _ right: FormulaRole) -> Double {
        let (thin, medium, thick) = isScript ? (0.1, 0, 0) : (0.1667, 0.2222, 0.2778)
        if [left, right].contains(.space) || left == .open || right == .close { return 0 }
        if right == .punctuation || left == .prefix || left == .quantifier { return 0 }
        if [left, right].contains(.middle) { return thin }
        if left == .relation || right == .relation { return left == right ? 0 : thick }
        if left == .binary || right == .binary { return medium }
        if left == .punctuation { return isScript ? 0 : thin }
        if left == .function { return right.isApartFromFunction ? thin : 0 }
        if left == .large { return right == .open ? 0 : thin }
        if right == .function || right == .large { return thin }
        if left == .inner || right == .inner { return right == .open ? 0 : thin }
        return 0
    }

    // MARK: Parts

    func box(of node: FormulaNode) -> FormulaBox {
        switch node {
        case .identifier(let letters, let alphabet): identifier(letters, alphabet)
        case .number(let digits, let alphabet): text(alphabet.styled(digits))
        case .sign(let sign): text(sign.text)
        case .function(let name, _), .charge(let name): text(name)
        case .large(let sign): large(sign)
        case .text(let words, let style): text(words, Self.face(style))
        case .space(let width): FormulaBox(width: width * size)
        case .row(let nodes), .chemistry(let nodes): row(nodes)
        case .styled(let nodes, let isDisplayed): styled(nodes, isDisplayed)
        case .scripts(let base, let sub, let sup, let placement):
            scripts(on: base, sub: sub, sup: sup, placement)
        case .fraction(let top, let bottom, let style): fraction(top, bottom, style)
        case .binomial(let top, let bottom):
            fenced(stacked(top, bottom, hasRule: false), open: "(", close: ")")
        case .root(let radicand, let index): root(radicand, index)
        case .fenced(let nodes, let open, let close): fenced(row(nodes), open: open, close: close)
        case .sized(let delimiter, let height, _):
            FormulaFence(delimiter, height: height * size, size: size).box ?? text(delimiter)
        case .accent(let accent, let base): accented(base, accent, isWide: false)
        case .wide(let accent, let base): accented(base, accent, isWide: true)
        case .stack(let base, let above, let below): limits(box(of: base), below, above)
        case .arrow(let arrow, let above, let below): self.arrow(arrow, above, below)
        case .table(let table): self.table(table)
        case .modulo(let number, let isInParentheses): modulo(number, isInParentheses)
        }
    }

    // MARK: Letters

    func text(_ text: String, _ face: FormulaBox.Face = .upright) -> FormulaBox {
        var box = FormulaBox(
            width: measure(text, face) * size, ascent: Self.letters.ascent * size,
            descent: Self.letters.descent * size)
        guard !text.isEmpty else { return box }
        box.runs = [
            .init(text: text, face: face, size: size, place: .init(0, 0), width: box.width)
        ]
        return box
    }

    private func identifier(_ letters: String, _ alphabet: FormulaAlphabet) -> FormulaBox {
        let isItalic = alphabet == .italic && letters.count == 1
        return text(alphabet.styled(letters), isItalic ? .italic : .upright)
    }

    private static func face(_ style: FormulaTextStyle) -> FormulaBox.Face {
        switch style {
        case .plain: .upright
        case .bold: .bold
        case .italic: .italic
        }
    }

    /// A sum or an integral, larger in a displayed formula, with its middle on the axis.
    private func large(_ sign: String) -> FormulaBox {
        guard isDisplayed else { return text(sign) }
        let grown = 1.5
        let big = FormulaLayout(measure: measure, size: size * grown, isDisplayed: true).text(sign)
        var box = FormulaBox()
        box.add(big, x: 0, y: (grown - 1) * Self.axis * size)
        return box
    }

    private func styled(_ nodes: [FormulaNode], _ isDisplayed: Bool) -> FormulaBox {
        var layout = self
        layout.isDisplayed = isDisplayed
        return layout.row(nodes)
    }

    private func modulo(_ number: FormulaNode, _ isInParentheses: Bool) -> FormulaBox {
        var box = FormulaBox()
        let (open, close) = isInParentheses ? ("(", ")") : ("", "")
        box.add(text(open + "mod"), x: 0.4444 * size)
        let inner = row(number)
        box.add(inner, x: box.width + 0.1667 * size)
        box.add(text(close), x: box.width)
        return box
    }
}
