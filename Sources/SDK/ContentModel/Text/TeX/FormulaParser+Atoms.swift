extension FormulaParser {
    /// Parses one atom without its scripts.
    ///
    /// By the role of the atom before it, a minus is an operation or a sign.
    mutating func atom(after previous: FormulaRole?) throws(FormulaMistake) -> FormulaNode {
        let start = position
        guard let scalar = next else { throw mistake(.argument, at: start) }
        var node: FormulaNode
        switch scalar {
        case "{": node = try group()
        case "\\": node = try command()
        case "%": throw mistake(.comment, at: start, "%")
        case _ where startsNumber: node = number()
        default: node = try symbol(scalar)
        }
        if case .sign(var sign) = node, sign.canBePrefix, previous?.isBeforePrefix != false {
            sign.role = .prefix
            node = .sign(sign)
        }
        try countNode()
        return node
    }

    /// Parses the group that begins here.
    mutating func group() throws(FormulaMistake) -> FormulaNode {
        let start = position
        return try deeper(from: start) { parser throws(FormulaMistake) in
            parser.position += 1
            let nodes = try parser.nested()
            guard parser.read("}") else {
                throw parser.unclosed(parser.mistake(.brace, at: start, "{"))
            }
            return FormulaNode(nodes)
        }
    }

    /// Parses an argument: a group, or one atom.
    mutating func argument(of command: String, at offset: Int) throws(FormulaMistake) -> FormulaNode
    {
        skipSpaces()
        guard let scalar = next, !isEnd(scalar), !"^_'".unicodeScalars.contains(scalar) else {
            throw mistake(.argument, at: offset, command)
        }
        if scalar == "{" { return try group() }
        if scalar.isASCIIDigit {
            position += 1
            try countNode()
            return .number(String(scalar), alphabet ?? .upright)
        }
        return try deeper(from: position) { parser throws(FormulaMistake) in
            try parser.atom(after: nil)
        }
    }

    private var startsNumber: Bool {
        next?.isASCIIDigit == true || (next == "." && scalar(after: 1)?.isASCIIDigit == true)
    }

    /// Reads digits with a point between them, or a comma in braces, which TeX sets without a space.
    private mutating func number() -> FormulaNode {
        var text = ""
        while true {
            text += readWhile(\.isASCIIDigit)
            if next == ".", scalar(after: 1)?.isASCIIDigit == true {
                text += "."
                position += 1
            } else if next == "{", scalar(after: 1) == ",", scalar(after: 2) == "}",
                scalar(after: 3)?.isASCIIDigit == true
            {
                text += ","
                position += 3
            } else {
                return .number(text, alphabet ?? .upright)
            }
        }
    }

    private mutating func symbol(_ scalar: Unicode.Scalar) throws(FormulaMistake) -> FormulaNode {
        if let node = FormulaSymbol.characters[scalar] {
            position += 1
            return styled(node)
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .otherLetter, .titlecaseLetter, .modifierLetter:
            return .identifier(letters(), alphabet ?? .italic)
        case .currencySymbol where scalar != "$":
            position += 1
            return .identifier(String(scalar), .upright)
        default: throw mistake(.unknown, at: position, String(scalar))
        }
    }

    /// Reads a letter with its combining marks, or the letters of a name as in `\mathrm{kg}`; one with a script remains.
    private mutating func letters() -> String {
        var text = letter()
        guard alphabet?.joinsLetters == true else { return text }
        while let scalar = next, scalar.properties.isAlphabetic {
            let start = position
            let letter = letter()
            if let script = next, "^_'".unicodeScalars.contains(script) {
                position = start
                return text
            }
            text += letter
        }
        return text
    }

    private mutating func letter() -> String {
        let first = next.map(String.init) ?? ""
        position += 1
        return first + readWhile { $0.properties.generalCategory == .nonspacingMark }
    }

    /// Returns a letter in the alphabet of its surroundings.
    func styled(_ node: FormulaNode) -> FormulaNode {
        guard let alphabet, case .identifier(let text, let own) = node else { return node }
        if alphabet == .upright, own == .italic { return node }
        return .identifier(text, alphabet == .upright ? .upright : alphabet)
    }
}
