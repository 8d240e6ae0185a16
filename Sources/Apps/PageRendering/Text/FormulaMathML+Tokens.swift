import ContentModel

/// The token elements: letters, numbers, signs, spaces and words.
extension FormulaMathML {
    static func escaped(_ text: String) -> String { HTMLText.escaped(text) }

    /// Returns a letter or name: MathML shows a single letter in italics, a name of several upright.
    static func identifier(_ letters: String, _ alphabet: FormulaAlphabet) -> String {
        let isUpright = alphabet != .italic && letters.count == 1
        let variant = isUpright ? " mathvariant=\"normal\"" : ""
        return "<mi\(variant)>\(escaped(alphabet.styled(letters)))</mi>"
    }

    static func sign(_ sign: FormulaSign) -> String {
        "<mo\(attributes(of: sign))>\(escaped(sign.text))</mo>"
    }

    private static func attributes(of sign: FormulaSign) -> String {
        switch sign.role {
        case .prefix: " form=\"prefix\""
        case .tight, .postfix: unspaced
        case .open, .close: " stretchy=\"false\""
        case .bar: " stretchy=\"false\"" + unspaced
        case .middle: " fence=\"true\" form=\"infix\" stretchy=\"true\""
        case .binary where sign.text == "mod": " lspace=\"0.22em\" rspace=\"0.22em\""
        case .relation where sign.isArrow: " stretchy=\"false\""
        default: ""
        }
    }

    private static let unspaced = " lspace=\"0\" rspace=\"0\""

    /// Returns a function with limits, which move beside it in a line unless they are fixed.
    static func limitFunction(_ name: String, movesLimits: Bool = true) -> String {
        "<mo movablelimits=\"\(movesLimits)\" lspace=\"0\" rspace=\"0.1667em\">\(escaped(name))</mo>"
    }

    /// Returns a delimiter of a fixed height in em.
    static func sized(_ delimiter: String, _ height: Double) -> String {
        let size = em(height)
        return """
            <mo stretchy="true" symmetric="true" minsize="\(size)" maxsize="\(size)"\(unspaced)>\
            \(escaped(delimiter))</mo>
            """
    }

    static func space(_ width: Double) -> String { "<mspace width=\"\(em(width))\"/>" }

    private static func em(_ length: Double) -> String {
        let isWhole = length == length.rounded()
        return (isWhole ? String(Int(length)) : String(length)) + "em"
    }

    /// Returns words with spaces that MathML does not drop at their ends.
    static func text(_ text: String, _ style: FormulaTextStyle) -> String {
        let variant = style == .plain ? "" : " class=\"\(style.rawValue)\""
        let words = text.unicodeScalars.map { $0.properties.isWhitespace ? "\u{A0}" : $0 }
        return "<mtext\(variant)>\(escaped(String(String.UnicodeScalarView(words))))</mtext>"
    }
}
