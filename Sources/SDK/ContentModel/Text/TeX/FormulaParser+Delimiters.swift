extension FormulaParser {
    /// Parses the atoms between `\left` and `\right`.
    mutating func fenced(from start: Int) throws(FormulaMistake) -> FormulaNode {
        try deeper(from: start) { parser throws(FormulaMistake) in
            let open = try parser.delimiter()
            let nodes = try parser.nested(Surroundings(isInFences: true))
            guard parser.read(structure: "right") else {
                throw parser.unclosed(parser.mistake(.left, at: start, "\\left"))
            }
            return .fenced(nodes, open: open, close: try parser.delimiter())
        }
    }

    /// Parses the delimiter after `\middle`.
    mutating func middle(_ command: Command) throws(FormulaMistake) -> FormulaNode {
        guard surroundings.isInFences else {
            throw mistake(.right, at: command.offset, command.name)
        }
        return .sign(FormulaSign(try delimiter(), .middle))
    }

    /// Parses the delimiter after `\big` and its like.
    mutating func sized(_ height: Double, _ role: FormulaRole?) throws(FormulaMistake)
        -> FormulaNode
    {
        let text = try delimiter()
        return .sized(text, height: height, role ?? FormulaSymbol.delimiterRole(text))
    }

    /// Reads a delimiter; the invisible one is empty.
    private mutating func delimiter() throws(FormulaMistake) -> String {
        skipSpaces()
        let start = position
        guard let scalar = next else { throw mistake(.fence, at: start) }
        let name = nextCommand.map { "\\" + $0 } ?? String(scalar)
        if name != ".", TeXTables.delimiters[name] == nil {
            throw mistake(.fence, at: start, name)
        }
        position += name.unicodeScalars.count
        return name == "." ? "" : TeXTables.delimiters[name] ?? ""
    }
}
