extension FormulaParser {
    /// Parses a command with its arguments.
    mutating func command() throws(FormulaMistake) -> FormulaNode {
        let start = position
        let name = try readCommand()
        let found = "\\" + name
        switch TeXCommand.all[name] {
        case .node(let node): return styled(node)
        case .accent(let accent): return .accent(accent, try argument(of: found, at: start))
        case .wide(let accent): return .wide(accent, try argument(of: found, at: start))
        case .alphabet(let alphabet):
            let outer = self.alphabet
            self.alphabet = alphabet
            defer { self.alphabet = outer }
            return try argument(of: found, at: start)
        case .text(let style): return .text(try text(of: found, at: start), style)
        case .structure(let structure):
            return try parse(structure, Command(name: found, offset: start))
        case nil: throw mistake(.unknown, at: start, found)
        }
    }

    /// A command with its backslash, and its place.
    struct Command {
        let name: String
        let offset: Int
    }

    private mutating func parse(
        _ structure: TeXStructure, _ command: Command
    ) throws(FormulaMistake) -> FormulaNode {
        switch structure {
        case .fraction(let style):
            let (top, bottom) = try pair(of: command)
            return .fraction(top, bottom, style)
        case .binomial:
            let (top, bottom) = try pair(of: command)
            return .binomial(top, bottom)
        case .stackAbove:
            let (above, base) = try pair(of: command)
            return .stack(base, above: above, below: nil)
        case .stackBelow:
            let (below, base) = try pair(of: command)
            return .stack(base, above: nil, below: below)
        case .root:
            let index = try bracketed()
            return .root(try argument(of: command), index: index)
        case .arrow(let arrow):
            let below = try bracketed()
            return .arrow(arrow, above: try argument(of: command), below: below)
        case .modulo(let isInParentheses):
            return .modulo(try argument(of: command), isInParentheses: isInParentheses)
        case .binaryModulo: return .sign(FormulaSign("mod", .binary))
        case .style(let isDisplayed): return try styled(isDisplayed: isDisplayed, command)
        case .operatorName: return try operatorName(command)
        case .not: return try negated(command)
        case .left: return try fenced(from: command.offset)
        case .size(let height, let role): return try sized(height, role)
        case .middle: return try middle(command)
        case .begin: return try environment(from: command.offset)
        case .substack: return try substack(command)
        case .chemistry: return try chemistry(command)
        case .limits: throw mistake(.argument, at: command.offset, command.name)
        case .right, .end: throw strayEnd()
        }
    }

    mutating func argument(of command: Command) throws(FormulaMistake) -> FormulaNode {
        try argument(of: command.name, at: command.offset)
    }

    private mutating func pair(
        of command: Command
    ) throws(FormulaMistake) -> (FormulaNode, FormulaNode) {
        let first = try argument(of: command)
        return (first, try argument(of: command))
    }

    /// Parses the rest of the list, which a command such as `\displaystyle` changes.
    private mutating func styled(
        isDisplayed: Bool, _ command: Command
    ) throws(FormulaMistake) -> FormulaNode {
        try deeper(from: command.offset) { parser throws(FormulaMistake) in
            .styled(try parser.list(), isDisplayed: isDisplayed)
        }
    }

    /// Parses the optional argument in brackets, if there is one.
    private mutating func bracketed() throws(FormulaMistake) -> FormulaNode? {
        skipSpaces()
        let start = position
        guard next == "[" else { return nil }
        return try deeper(from: start) { parser throws(FormulaMistake) in
            parser.position += 1
            let nodes = try parser.nested(Surroundings(isInBrackets: true))
            guard parser.read("]") else { throw parser.mistake(.bracket, at: start, "[") }
            return FormulaNode(nodes)
        }
    }

    private mutating func operatorName(_ command: Command) throws(FormulaMistake) -> FormulaNode {
        let hasLimits = read("*")
        return .function(
            try text(of: command.name, at: command.offset), hasLimits: hasLimits)
    }

    /// Parses the relation after `\not`, and returns the character for its opposite.
    private mutating func negated(_ command: Command) throws(FormulaMistake) -> FormulaNode {
        skipSpaces()
        guard let scalar = next, !isEnd(scalar), scalar != "{",
            case .sign(let sign) = try argument(of: command),
            let text = TeXTables.negated[sign.text]
        else { throw mistake(.argument, at: command.offset, command.name) }
        return .sign(FormulaSign(text, sign.role))
    }
}
