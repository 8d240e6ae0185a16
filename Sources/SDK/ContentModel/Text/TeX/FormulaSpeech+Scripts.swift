extension FormulaSpeech {
    /// Returns the text of a part with scripts.
    func scripts(_ base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?) -> String {
        if isChemical { return chemicalScripts(base, sub: sub, sup: sup) }
        if base.hasLimits { return limits(base, sub: sub, sup: sup) }
        var text = text(of: base)
        if let sub { text = phrase(.subscript, text, self.text(of: sub)) }
        return sup.map { power(text, $0.parts) } ?? text
    }

    /// Returns the text of a base with the parts of its exponent, of which the first may be primes.
    private func power(_ base: String, _ exponent: [FormulaNode]) -> String {
        if case .sign(let sign) = exponent.first, let prime = Self.primes[sign.text] {
            let rest = Array(exponent.dropFirst())
            let primed = phrase(prime, base)
            return rest.isEmpty ? primed : power(primed, rest)
        }
        let node = FormulaNode(exponent)
        switch node {
        case .number("2", _): return phrase(.squared, base)
        case .number("3", _): return phrase(.cubed, base)
        case .sign(FormulaSign("∘", .binary)), .identifier("°", _):
            return phrase(.degrees, base)
        default:
            return phrase(node.isSimple ? .simplePower : .power, base, text(of: node))
        }
    }

    private static let primes: [String: FormulaWords.Phrase] = [
        "′": .prime, "″": .doublePrime, "‴": .triplePrime,
    ]

    private func limits(_ base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?) -> String {
        let name = text(of: base)
        switch (sub.map { text(of: $0) }, sup.map { text(of: $0) }) {
        case (let low?, let high?): return phrase(.fromTo, name, low, high)
        case (let low?, nil): return phrase(base.isLimit ? .limit : .over, name, low)
        case (nil, let high?): return phrase(.upTo, name, high)
        case (nil, nil): return name
        }
    }

    private func chemicalScripts(
        _ base: FormulaNode, sub: FormulaNode?, sup: FormulaNode?
    ) -> String {
        let (sub, sup) = (sub.map { text(of: $0) } ?? "", sup.map { text(of: $0) } ?? "")
        // A nuclide: its mass comes first.
        let parts = base == .row([]) ? [sup, sub] : [text(of: base), sub, sup]
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}

extension FormulaNode {
    /// True for functions of what approaches a value.
    fileprivate var isLimit: Bool {
        if case .function(let name, hasLimits: true) = self {
            TeXTables.limitFunctions.values.contains(name)
        } else {
            false
        }
    }
}
