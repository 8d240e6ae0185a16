/// Chemical formulas and reactions, in the notation of the package mhchem: elements with counts and charges, nuclides,
/// brackets, bonds, states, hydrates and arrows.
extension FormulaParser {
    /// Parses the argument of `\ce`.
    mutating func chemistry(_ command: Command) throws(FormulaMistake) -> FormulaNode {
        skipSpaces()
        let start = position
        guard next == "{" else { throw mistake(.argument, at: command.offset, command.name) }
        return try deeper(from: start) { parser throws(FormulaMistake) in
            parser.position += 1
            let nodes = try parser.chemicalParts(until: "}")
            guard parser.read("}") else { throw parser.mistake(.brace, at: start, "{") }
            return .chemistry(nodes)
        }
    }

    private mutating func chemicalParts(
        until end: Unicode.Scalar
    ) throws(FormulaMistake) -> [FormulaNode] {
        var nodes: [FormulaNode] = []
        // True where a number is a coefficient, not a count.
        var beginsTerm = true
        while let scalar = next, scalar != end {
            if scalar == " " {
                position += 1
                beginsTerm = true
            } else if scalar.isASCIIDigit, beginsTerm {
                nodes += [coefficient(), .space(0.1667)]
                beginsTerm = false
            } else if let arrow = try chemicalArrow() {
                nodes.append(arrow)
                beginsTerm = true
            } else if let sign = chemicalSign(isBond: !beginsTerm && !nodes.isEmpty) {
                nodes.append(sign)
                beginsTerm = sign == .plus || sign == .hydrateDot
            } else {
                nodes.append(try chemicalUnit())
                beginsTerm = false
            }
            try countNode()
        }
        return nodes
    }

    private mutating func coefficient() -> FormulaNode {
        let number = readWhile { $0.isASCIIDigit || $0 == "." }
        guard next == "/", scalar(after: 1)?.isASCIIDigit == true else {
            return .number(number, .upright)
        }
        position += 1
        let divisor = readWhile(\.isASCIIDigit)
        return .fraction(.number(number, .upright), .number(divisor, .upright), .inherited)
    }

    /// Reads a plus between terms, a bond, or the dot of a hydrate.
    private mutating func chemicalSign(isBond: Bool) -> FormulaNode? {
        let sign: FormulaNode
        switch next {
        case "+": sign = .plus
        case ".", "*", "·": sign = .hydrateDot
        case "-" where isBond: sign = .sign(FormulaSign("−", .binary))
        case "=" where isBond: sign = .sign(FormulaSign("=", .binary))
        case "#" where isBond: sign = .sign(FormulaSign("≡", .binary))
        default: return nil
        }
        position += 1
        return sign
    }

    private mutating func chemicalArrow() throws(FormulaMistake) -> FormulaNode? {
        for (source, arrow) in [("<=>", "⇌"), ("<->", "↔"), ("->", "→"), ("<-", "←")]
        where starts(with: source) {
            position += source.unicodeScalars.count
            guard let above = try arrowLabel() else {
                return .sign(FormulaSign(arrow, .relation))
            }
            return .arrow(arrow, above: above, below: try arrowLabel())
        }
        return nil
    }

    private func starts(with text: String) -> Bool {
        scalars[position...].starts(with: text.unicodeScalars)
    }

    /// Parses the label of an arrow: chemistry, or from a small letter on words (`heat`) or a formula (`k_1`).
    private mutating func arrowLabel() throws(FormulaMistake) -> FormulaNode? {
        let start = position
        guard read("[") else { return nil }
        return try deeper(from: start) { parser throws(FormulaMistake) in
            if let words = parser.readWordsOfLabel() { return .text(words, .plain) }
            let isFormula = parser.next.map { ("a"..."z").contains($0) } ?? false
            let nodes =
                isFormula
                ? try parser.nested(Surroundings(isInBrackets: true))
                : try parser.chemicalParts(until: "]")
            guard parser.read("]") else { throw parser.mistake(.bracket, at: start, "[") }
            return FormulaNode(nodes)
        }
    }

    private mutating func readWordsOfLabel() -> String? {
        let words = scalars[position...].prefix { $0 != "]" }
        guard let first = words.first, ("a"..."z").contains(first),
            position + words.count < scalars.count,
            words.allSatisfy({ $0.properties.isAlphabetic || " .,-".unicodeScalars.contains($0) })
        else { return nil }
        position += words.count + 1
        return String(String.UnicodeScalarView(words))
    }

    /// Parses an element, a bracket, a state or a command, with its count and charge.
    private mutating func chemicalUnit() throws(FormulaMistake) -> FormulaNode {
        if let state = ["(aq)", "(s)", "(l)", "(g)"].first(where: starts) {
            position += state.unicodeScalars.count
            return .text(state, .plain)
        }
        let base = try chemicalBase()
        var (sub, sup): (FormulaNode?, FormulaNode?)
        let count = readWhile(\.isASCIIDigit)
        if !count.isEmpty { sub = .number(count, .upright) }
        while true {
            let start = position
            if sub == nil, read("_") {
                sub = try chemicalSubscript(from: start)
            } else if sup == nil, read("^") {
                sup = try chemicalSuperscript(from: start)
            } else if sup == nil, base != .row([]), let sign = readTrailingCharge() {
                sup = .charge(sign)
            } else {
                break
            }
        }
        return sub == nil && sup == nil ? base : .scripts(base, sub: sub, sup: sup, .beside)
    }

    private mutating func chemicalBase() throws(FormulaMistake) -> FormulaNode {
        guard let scalar = next else { throw mistake(.chem, at: position) }
        switch scalar {
        case "^", "_": return .row([])
        case "\\": return try atom(after: nil)
        case "(", "[", ")", "]":
            position += 1
            return .sign(
                FormulaSign(String(scalar), "([".unicodeScalars.contains(scalar) ? .open : .close))
        case "A"..."Z":
            position += 1
            let hasSecond = next.map { ("a"..."z").contains($0) } ?? false
            let second = hasSecond ? next.map(String.init) ?? "" : ""
            if hasSecond { position += 1 }
            return .identifier(String(scalar) + second, .upright)
        // Neutron, proton, electron.
        case "n", "p", "e":
            position += 1
            return .identifier(String(scalar), .upright)
        default: throw mistake(.chem, at: position, String(scalar))
        }
    }

    /// Parses what follows `_`: a count, the number of a nuclide, or a group.
    private mutating func chemicalSubscript(from start: Int) throws(FormulaMistake) -> FormulaNode {
        let count = readWhile(\.isASCIIDigit)
        return count.isEmpty ? try argument(of: "_", at: start) : .number(count, .upright)
    }

    /// Parses what follows `^`: a charge, the number of a nuclide, or a group.
    private mutating func chemicalSuperscript(from start: Int) throws(FormulaMistake) -> FormulaNode
    {
        let inner = position
        let hasBraces = read("{")
        let count = readWhile(\.isASCIIDigit)
        if let sign = readSign(), !hasBraces || read("}") { return .charge(count + sign) }
        position = inner
        guard !hasBraces, !count.isEmpty else { return try argument(of: "^", at: start) }
        position += count.unicodeScalars.count
        return .number(count, .upright)
    }

    /// Reads the sign of a charge without `^`, which a part with a bond or another term does not have.
    private mutating func readTrailingCharge() -> String? {
        let isEnd =
            switch scalar(after: 1) {
            case nil, " ", "}", ")", "]", "(", ".": true
            default: false
            }
        return isEnd ? readSign() : nil
    }

    private mutating func readSign() -> String? {
        if read("+") { return "+" }
        return read("-") || read("−") ? "−" : nil
    }
}

extension FormulaNode {
    fileprivate static var plus: Self { .sign(FormulaSign("+", .binary)) }
    fileprivate static var hydrateDot: Self { .sign(FormulaSign("⋅", .binary)) }
}
