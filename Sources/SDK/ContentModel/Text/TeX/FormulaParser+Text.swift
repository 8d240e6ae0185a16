extension FormulaParser {
    /// Reads the words in the braces after a command such as `\text`.
    mutating func text(of command: String, at offset: Int) throws(FormulaMistake) -> String {
        skipSpaces()
        let brace = position
        guard read("{") else { throw mistake(.argument, at: offset, command) }
        let start = position
        var (text, open) = (String.UnicodeScalarView(), 1)
        while let scalar = next {
            position += 1
            switch scalar {
            case "{": open += 1
            case "}":
                open -= 1
                if open == 0 { return String(text) }
            case "$": throw mistake(.text, at: start, "$")
            case "%": throw mistake(.comment, at: position - 1, "%")
            case "\\": text.append(try escapedScalar(inTextFrom: start))
            case "~": text.append(" ")
            default: text.append(scalar)
            }
        }
        throw mistake(.brace, at: brace, "{")
    }

    /// Reads the sign or space after a backslash in words.
    private mutating func escapedScalar(
        inTextFrom start: Int
    ) throws(FormulaMistake) -> Unicode.Scalar {
        guard let scalar = next else { throw mistake(.dangling, at: position - 1, "\\") }
        switch scalar {
        case "#", "$", "%", "&", "_", "{", "}":
            position += 1
            return scalar
        case " ", ",":
            position += 1
            return " "
        default:
            position -= 1
            throw mistake(.text, at: start, "\\" + (nextCommand ?? ""))
        }
    }
}
