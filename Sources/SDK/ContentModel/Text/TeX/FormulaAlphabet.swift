/// An alphabet of letters in formulas, by its name in TeX.
///
/// MathML Core has no attribute for alphabets other than the upright one, so that a styled letter is a character of its
/// own: Unicode Standard, section 22.2, Mathematical Alphanumeric Symbols.
package enum FormulaAlphabet: String, Sendable {
    case italic = "it"
    case upright = "rm"
    case bold = "bf"
    case boldItalic = "bi"
    case doubleStruck = "bb"
    case script = "cal"
    case fraktur = "frak"
    case sansSerif = "sf"
    case monospace = "tt"

    /// True if letters in a row are one name, as in `\mathrm{kg}`.
    var joinsLetters: Bool { [.upright, .sansSerif, .monospace].contains(self) }

    /// True if plain text shows the styled letter, which means another thing than the bare one.
    var isShownInPlainText: Bool { [.doubleStruck, .script, .fraktur].contains(self) }

    /// True for bold letters.
    var isBold: Bool { self == .bold || self == .boldItalic }

    /// Returns a text in the letters of the alphabet; a character that it lacks stays.
    package func styled(_ text: String) -> String {
        guard self != .italic, self != .upright else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map(styled)))
    }

    private func styled(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if let letter = exceptions[scalar] { return letter }
        for range in ranges where range.plain.contains(scalar.value) {
            let value = range.first + (scalar.value - range.plain.lowerBound)
            return Unicode.Scalar(value) ?? scalar
        }
        return scalar
    }

    /// The ranges of plain letters, each with the first styled one.
    private var ranges: [(plain: ClosedRange<UInt32>, first: UInt32)] {
        let (capitals, small, digits):
            (ClosedRange<UInt32>, ClosedRange<UInt32>, ClosedRange<UInt32>)
        (capitals, small, digits) = (0x41...0x5A, 0x61...0x7A, 0x30...0x39)
        let (greekCapitals, greek): (ClosedRange<UInt32>, ClosedRange<UInt32>)
        (greekCapitals, greek) = (0x391...0x3A9, 0x3B1...0x3C9)
        return switch self {
        case .italic, .upright: []
        case .bold:
            [
                (capitals, 0x1D400), (small, 0x1D41A), (digits, 0x1D7CE), (greekCapitals, 0x1D6A8),
                (greek, 0x1D6C2),
            ]
        case .boldItalic:
            [
                (capitals, 0x1D468), (small, 0x1D482), (digits, 0x1D7CE), (greekCapitals, 0x1D71C),
                (greek, 0x1D736),
            ]
        case .doubleStruck: [(capitals, 0x1D538), (small, 0x1D552), (digits, 0x1D7D8)]
        case .script: [(capitals, 0x1D49C), (small, 0x1D4B6)]
        case .fraktur: [(capitals, 0x1D504), (small, 0x1D51E)]
        case .sansSerif: [(capitals, 0x1D5A0), (small, 0x1D5BA), (digits, 0x1D7E2)]
        case .monospace: [(capitals, 0x1D670), (small, 0x1D68A), (digits, 0x1D7F6)]
        }
    }

    /// The letters that Unicode had before the alphabets, in the block Letterlike Symbols.
    private var exceptions: [Unicode.Scalar: Unicode.Scalar] {
        switch self {
        case .doubleStruck:
            ["C": "ℂ", "H": "ℍ", "N": "ℕ", "P": "ℙ", "Q": "ℚ", "R": "ℝ", "Z": "ℤ"]
        case .script:
            [
                "B": "ℬ", "E": "ℰ", "F": "ℱ", "H": "ℋ", "I": "ℐ", "L": "ℒ", "M": "ℳ", "R": "ℛ",
                "e": "ℯ", "g": "ℊ", "o": "ℴ",
            ]
        case .fraktur: ["C": "ℭ", "H": "ℌ", "I": "ℑ", "R": "ℜ", "Z": "ℨ"]
        default: [:]
        }
    }
}
