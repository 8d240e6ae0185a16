extension FormulaParser {
    /// Parses an environment, of which `\begin` was read.
    mutating func environment(from start: Int) throws(FormulaMistake) -> FormulaNode {
        try deeper(from: start) { parser throws(FormulaMistake) in
            let name = try parser.environmentName(of: "\\begin", at: start)
            let kind = try parser.kind(ofEnvironment: name.text, at: name.offset)
            let rows = try parser.rows()
            let unclosed = parser.mistake(.begin, at: start, "\\begin{\(name.text)}")
            guard parser.nextCommand == "end" else {
                throw parser.position < parser.scalars.count ? parser.strayEnd() : unclosed
            }
            let end = parser.position
            _ = try parser.readCommand()
            guard try parser.environmentName(of: "\\end", at: end).text == name.text else {
                throw unclosed
            }
            return .table(FormulaTable(kind: kind, rows: rows))
        }
    }

    /// Parses the lines of `\substack`.
    mutating func substack(_ command: Command) throws(FormulaMistake) -> FormulaNode {
        skipSpaces()
        let start = position
        guard next == "{" else { throw mistake(.argument, at: command.offset, command.name) }
        return try deeper(from: start) { parser throws(FormulaMistake) in
            parser.position += 1
            let rows = try parser.rows()
            guard parser.read("}") else {
                throw parser.unclosed(parser.mistake(.brace, at: start, "{"))
            }
            return .table(FormulaTable(kind: .substack, rows: rows))
        }
    }

    /// Parses rows of cells up to the end of their environment; an empty last row does not count.
    private mutating func rows() throws(FormulaMistake) -> [[FormulaNode]] {
        var rows: [[FormulaNode]] = [[]]
        while true {
            try countCell()
            rows[rows.count - 1].append(FormulaNode(try nested()))
            if read("&") { continue }
            guard read(structure: "\\") else { break }
            skipLineSpace()
            rows.append([])
        }
        if rows.count > 1, rows.last == [.row([])] { rows.removeLast() }
        return rows
    }

    /// Skips the space after `\\`, as in `\\[2pt]`, which the faces choose themselves.
    private mutating func skipLineSpace() {
        guard next == "[" else { return }
        let start = position
        position += 1
        _ = read("-")
        let length = readWhile { $0.isASCIIDigit || $0 == "." }
        let unit = readWhile(\.isASCIILetter)
        let isLength = !length.isEmpty && ["pt", "em", "ex", "mm", "cm"].contains(unit)
        if !isLength || !read("]") { position = start }
    }

    private mutating func environmentName(
        of command: String, at offset: Int
    ) throws(FormulaMistake) -> (text: String, offset: Int) {
        guard read("{") else { throw mistake(.argument, at: offset, command) }
        let start = position
        let name = readWhile { $0.isASCIILetter || $0 == "*" }
        guard read("}") else { throw mistake(.environment, at: start, name) }
        return (name, start)
    }

    private mutating func kind(
        ofEnvironment name: String, at offset: Int
    ) throws(FormulaMistake) -> FormulaTable.Kind {
        if name == "array" { return .array(try columns()) }
        guard let kind = TeXTables.environments[name] else {
            throw mistake(.environment, at: offset, name)
        }
        return kind
    }

    /// Parses the columns of an array; their lines are not drawn.
    private mutating func columns() throws(FormulaMistake) -> [FormulaTable.Alignment] {
        guard read("{") else { throw mistake(.columns, at: position, "") }
        var columns: [FormulaTable.Alignment] = []
        while let scalar = next, scalar != "}" {
            if let alignment = FormulaTable.Alignment(rawValue: String(scalar)) {
                columns.append(alignment)
            } else if scalar != "|", scalar != " " {
                throw mistake(.columns, at: position, String(scalar))
            }
            position += 1
        }
        guard read("}") else { throw mistake(.columns, at: position, "") }
        return columns
    }
}
