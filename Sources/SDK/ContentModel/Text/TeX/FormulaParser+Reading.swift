extension FormulaParser {
    /// The next scalar, without reading it.
    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    /// Returns the scalar after some others, without reading it.
    func scalar(after count: Int) -> Unicode.Scalar? {
        position + count < scalars.count ? scalars[position + count] : nil
    }

    /// Reads a scalar if it is next.
    mutating func read(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        position += 1
        return true
    }

    /// Reads scalars as long as they satisfy a condition.
    mutating func readWhile(_ isIncluded: (Unicode.Scalar) -> Bool) -> String {
        let start = position
        while let scalar = next, isIncluded(scalar) { position += 1 }
        return String(String.UnicodeScalarView(scalars[start..<position]))
    }

    /// Skips white space, which has no meaning between atoms.
    mutating func skipSpaces() {
        while let scalar = next, scalar.properties.isWhitespace { position += 1 }
    }

    /// The name of the command that is next, without its backslash: letters, or one other character.
    var nextCommand: String? {
        guard next == "\\", let first = scalar(after: 1) else { return nil }
        guard first.isASCIILetter else { return String(first) }
        let letters = scalars[(position + 1)...].prefix { $0.isASCIILetter }
        return String(String.UnicodeScalarView(letters))
    }

    /// Reads the command that is next.
    mutating func readCommand() throws(FormulaMistake) -> String {
        guard let name = nextCommand else { throw mistake(.dangling, at: position, "\\") }
        position += 1 + name.unicodeScalars.count
        return name
    }

    /// Reads a structure if its command is next.
    mutating func read(structure name: String) -> Bool {
        guard nextCommand == name else { return false }
        position += 1 + name.unicodeScalars.count
        return true
    }

    /// True if a scalar ends a list of atoms.
    func isEnd(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "}", "&": true
        case "]": surroundings.isInBrackets
        case "\\": ["\\", "right", "end"].contains(nextCommand)
        default: false
        }
    }

    /// Returns the mistake of an end that nothing began.
    func strayEnd() -> FormulaMistake {
        switch next {
        case "&": mistake(.ampersand, at: position, "&")
        case "\\" where nextCommand == "\\": mistake(.linebreak, at: position, "\\\\")
        case "\\" where nextCommand == "right": mistake(.right, at: position, "\\right")
        case "\\": mistake(.begin, at: position, "\\end")
        default: mistake(.brace, at: position, "}")
        }
    }

    /// Returns the mistake of a part without its end: that part's own, or that of a cell's end within it.
    func unclosed(_ mistake: FormulaMistake) -> FormulaMistake {
        next == "&" || nextCommand == "\\" ? strayEnd() : mistake
    }

    /// Returns a mistake at an offset.
    func mistake(
        _ kind: FormulaMistake.Kind, at offset: Int, _ found: String = ""
    ) -> FormulaMistake {
        FormulaMistake(kind: kind, offset: offset, found: found)
    }
}

extension Unicode.Scalar {
    /// True for A to Z and a to z.
    var isASCIILetter: Bool { isASCII && properties.isAlphabetic }

    /// True for 0 to 9.
    var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
