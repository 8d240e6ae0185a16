/// A writer of formulas as they are read aloud, in the words of a language.
struct FormulaSpeech {
    let words: FormulaWords
    /// True within `\ce`, where letters are elements and scripts are their counts and charges.
    var isChemical = false

    /// Returns the text of some parts.
    func text(of nodes: [FormulaNode]) -> String {
        joined(nodes.map { text(of: $0) })
    }

    func text(of node: FormulaNode) -> String {
        switch node {
        case .identifier(let letters, let alphabet): name(letters, alphabet)
        case .number(let digits, _): digits
        case .sign(let sign) where sign.role == .prefix: words.symbol(sign.text) ?? sign.text
        case .sign(let sign): symbol(sign.text)
        case .function(let name, _): symbol(name)
        case .large(let sign), .sized(let sign, _, _): symbol(sign)
        case .text(let text, _): text.singleSpaced
        case .charge(let charge): self.charge(charge)
        case .space: ""
        case .row(let nodes), .styled(let nodes, _): text(of: nodes)
        case .scripts(let base, let sub, let sup, _): scripts(base, sub: sub, sup: sup)
        case .fraction(let top, let bottom, _): fraction(top, bottom)
        case .binomial(let top, let bottom): phrase(.binomial, text(of: top), text(of: bottom))
        case .root(let radicand, let index): root(radicand, index: index)
        case .fenced(let nodes, let open, let close):
            joined([symbol(open), text(of: nodes), symbol(close)])
        case .accent(let accent, let base): accented(text(of: base), Self.accents[accent])
        case .wide(let accent, let base): accented(text(of: base), Self.wideAccents[accent])
        case .stack(let base, let above, let below):
            labelled(text(of: base), above: above, below: below)
        case .arrow(let arrow, let above, let below):
            isChemical
                ? symbol(arrow) : labelled(symbol(arrow), above: above, below: below)
        case .table(let table): text(of: table)
        case .modulo(let number, let isInParentheses):
            joined([
                isInParentheses ? symbol("(") : "", symbol("mod"), text(of: number),
                isInParentheses ? symbol(")") : "",
            ])
        case .chemistry(let nodes): FormulaSpeech(words: words, isChemical: true).text(of: nodes)
        }
    }

    private func joined(_ parts: [String]) -> String {
        parts.filter { !$0.isEmpty }.joined(separator: " ")
    }

    /// Returns a phrase; an empty part leaves no space.
    func phrase(
        _ phrase: FormulaWords.Phrase, _ a: String, _ b: String = "", _ c: String = ""
    ) -> String {
        words.phrase(phrase, a, b, c).singleSpaced
    }

    private func symbol(_ text: String) -> String {
        words.symbol(text, isChemical: isChemical) ?? text
    }

    private func name(_ letters: String, _ alphabet: FormulaAlphabet) -> String {
        let scalars = letters.unicodeScalars
        if isChemical, scalars.allSatisfy(\.isASCII) { return letters }
        var name = symbol(letters)
        if scalars.count == 1, let letter = scalars.first?.properties, letter.isUppercase,
            words.symbol(letters) == nil
        {
            name = phrase(.capital, words.symbol(letter.lowercaseMapping) ?? letters)
        }
        return alphabet.isBold ? phrase(.bold, name) : name
    }

    private func charge(_ charge: String) -> String {
        joined([
            String(charge.dropLast()), words.symbol(String(charge.suffix(1))) ?? "",
        ])
    }

    private func fraction(_ top: FormulaNode, _ bottom: FormulaNode) -> String {
        let isSimple = top.isSimple && bottom.isSimple
        return phrase(isSimple ? .simpleFraction : .fraction, text(of: top), text(of: bottom))
    }

    private func root(_ radicand: FormulaNode, index: FormulaNode?) -> String {
        let (text, isSimple) = (text(of: radicand), radicand.isSimple)
        guard let index else { return phrase(isSimple ? .simpleSquareRoot : .squareRoot, text) }
        if case .number("3", _) = index {
            return phrase(isSimple ? .simpleCubeRoot : .cubeRoot, text)
        }
        return phrase(isSimple ? .simpleRoot : .root, self.text(of: index), text)
    }

    private func labelled(
        _ base: String, above: FormulaNode?, below: FormulaNode?
    ) -> String {
        let text = above.map { phrase(.above, base, self.text(of: $0)) } ?? base
        return below.map { phrase(.below, text, self.text(of: $0)) } ?? text
    }

    private func accented(_ text: String, _ phrase: FormulaWords.Phrase?) -> String {
        phrase.map { self.phrase($0, text) } ?? text
    }

    private static let accents: [String: FormulaWords.Phrase] = [
        "→": .vector, "^": .hat, "¯": .bar, "˙": .dot, "¨": .doubleDot, "~": .tilde,
        "ˇ": .check, "˘": .breve, "´": .acute, "`": .grave, "˚": .ring,
    ]

    /// The wide accents that are spoken.
    private static let wideAccents: [String: FormulaWords.Phrase] = ["‾": .bar, "_": .underlined]

    private func text(of table: FormulaTable) -> String {
        let rows = table.rows.map { $0.map { text(of: $0) } }
        switch table.kind {
        case .aligned, .gathered, .substack: return words.joined(rows.map(joined), by: .rows)
        case .cases:
            let cases = rows.map { words.joined($0, by: .cells) }
            return phrase(.cases, String(rows.count), words.joined(cases, by: .rows))
        case .matrix, .smallMatrix, .array:
            let lines = rows.enumerated().map { index, cells in
                phrase(.row, String(index + 1), words.joined(cells, by: .cells))
            }
            return phrase(
                .matrix, String(rows.count), String(table.columnCount),
                words.joined(lines, by: .rows))
        }
    }
}
