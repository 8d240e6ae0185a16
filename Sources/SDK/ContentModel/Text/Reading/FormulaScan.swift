/// The rules by which a dollar opens a formula.
enum FormulaScan {
    /// Returns the end of the formula that one dollar or two at a place open, or `nil`.
    ///
    /// The next dollar without a backslash closes it, so that a text of many dollars takes linear time.
    static func end(in bytes: [UInt8], from start: Int, marks: Int) -> Int? {
        guard let close = dollar(in: bytes, from: start + marks) else { return nil }
        let content = bytes[start + marks..<close]
        if marks == 2 {
            let isClosed = close + 1 < bytes.count && bytes[close + 1] == UInt8(ascii: "$")
            return isClosed && tex(of: content) != nil ? close + 2 : nil
        }
        guard let first = content.first, let last = content.last, !isSpace(first), !isSpace(last),
            close + 1 == bytes.count || !bytes[close + 1].isDigit, !isAmount(content)
        else { return nil }
        return close + 1
    }

    /// Returns the source of a formula between its dollars: line ends are spaces, and no space is at an end.
    ///
    /// - Returns: `nil` for nothing but spaces, or with a lone backslash at the end.
    static func tex(of content: ArraySlice<UInt8>) -> String? {
        let tex = content.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 }[...].trimmed
        let backslashes = tex.reversed().prefix { $0 == UInt8(ascii: "\\") }.count
        return tex.isEmpty || backslashes % 2 == 1 ? nil : String(decoding: tex, as: UTF8.self)
    }

    /// Returns a formula as a span; its source as code if no dollars can be around it.
    static func span(of formula: Formula) -> TextSpan {
        let marks = formula.isDisplayed ? 2 : 1
        for tex in [formula.tex, "{}" + formula.tex] {
            let source = SourceLines.bytes(
                of: MarkdownWriter.text(of: [
                    .formula(Formula(tex: tex, isDisplayed: formula.isDisplayed))
                ]))
            guard end(in: source, from: 0, marks: marks) == source.count,
                let read = Self.tex(of: source.dropFirst(marks).dropLast(marks))
            else { continue }
            return .formula(Formula(tex: read, isDisplayed: formula.isDisplayed))
        }
        return .code(formula.tex)
    }

    /// Returns true for an amount of money that starts a sentence, like "6, or" of "$6, or $7": a digit first, later
    /// white space and two letters outside braces, and no backslash before them.
    static func isAmount(_ content: some Collection<UInt8>) -> Bool {
        guard content.first?.isDigit == true else { return false }
        var (braces, letters, isAfterSpace) = (0, 0, false)
        for byte in content {
            switch byte {
            case UInt8(ascii: "\\"): return false
            case UInt8(ascii: "{"): braces += 1
            case UInt8(ascii: "}"): braces -= 1
            default: break
            }
            letters = byte.isLetter && (isAfterSpace || letters > 0) ? letters + 1 : 0
            isAfterSpace = isSpace(byte) && braces == 0
            if letters == 2 { return true }
        }
        return false
    }

    /// Returns true for white space of ASCII.
    static func isSpace(_ byte: UInt8) -> Bool { byte.isBlank || (0x0A...0x0D).contains(byte) }

    private static func dollar(in bytes: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < bytes.count, bytes[place] != UInt8(ascii: "$") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        return place < bytes.count ? place : nil
    }
}
