/// The words of a language by which formulas are read aloud.
///
/// A phrase has the placeholders `{a}`, `{b}` and `{c}` for its parts, in the order that the language needs. A phrase or
/// symbol that is missing is English's; a symbol that English lacks too is spoken as its character.
///
/// ```swift
/// var words = FormulaWords.english
/// words.phrases[.simpleFraction] = "{a} divided by {b}"
/// let half = Formula(tex: #"\frac12"#, isDisplayed: false)
/// print(half.spokenText(words))  // 1 divided by 2
/// ```
public struct FormulaWords: Sendable, Hashable {
    /// A phrase with placeholders.
    public enum Phrase: String, Sendable, Hashable, CaseIterable {
        /// A fraction: numerator and denominator.
        case fraction
        /// A fraction of single letters or numbers.
        case simpleFraction
        /// A square root.
        case squareRoot
        /// A square root of one letter or number.
        case simpleSquareRoot
        /// A cube root.
        case cubeRoot
        /// A cube root of one letter or number.
        case simpleCubeRoot
        /// A root: its degree and what is under it.
        case root
        /// A root of one letter or number.
        case simpleRoot
        /// A square.
        case squared
        /// A third power.
        case cubed
        /// A power: base and exponent.
        case power
        /// A power whose exponent is one letter or number.
        case simplePower
        /// A base with a subscript.
        case `subscript`
        /// Degrees of an angle.
        case degrees
        /// A derivative.
        case prime
        /// A second derivative.
        case doublePrime
        /// A third derivative.
        case triplePrime
        /// A large operator: its name and both limits.
        case fromTo
        /// A large operator with a lower limit.
        case over
        /// A large operator with an upper limit.
        case upTo
        /// A limit: its name and what approaches what.
        case limit
        /// A part with another above it.
        case above
        /// A part with another below it.
        case below
        /// A binomial coefficient.
        case binomial
        /// A matrix: the numbers of its rows and columns, and its rows.
        case matrix
        /// A row of a matrix: its number and its cells.
        case row
        /// A definition by cases: their number and the cases.
        case cases
        /// Two cells of a row.
        case cells
        /// Two rows.
        case rows
        /// A capital letter.
        case capital
        /// A bold letter.
        case bold
        /// An arrow over a letter.
        case vector
        /// A hat over a letter.
        case hat
        /// A bar over a letter or a part.
        case bar
        /// A dot over a letter.
        case dot
        /// Two dots over a letter.
        case doubleDot
        /// A tilde over a letter.
        case tilde
        /// A check over a letter.
        case check
        /// A breve over a letter.
        case breve
        /// An acute accent over a letter.
        case acute
        /// A grave accent over a letter.
        case grave
        /// A ring over a letter.
        case ring
        /// A line under a part.
        case underlined
    }

    /// The phrases.
    public var phrases: [Phrase: String]
    /// The words of symbols and functions, by their characters: `+`, `sin`.
    public var symbols: [String: String]
    /// The words of symbols that mean another thing in chemistry, such as the bond `−`.
    public var chemicalSymbols: [String: String]

    /// Creates the words of a language; what is missing is English.
    public init(
        phrases: [Phrase: String], symbols: [String: String] = [:],
        chemicalSymbols: [String: String] = [:]
    ) {
        self.phrases = phrases
        self.symbols = symbols
        self.chemicalSymbols = chemicalSymbols
    }

    /// Returns a phrase with its placeholders replaced.
    func phrase(_ phrase: Phrase, _ a: String = "", _ b: String = "", _ c: String = "") -> String {
        let template = phrases[phrase] ?? Self.english.phrases[phrase] ?? "{a}"
        return Self.filled(template, ["a": a, "b": b, "c": c])
    }

    /// Returns texts joined by what a phrase for two of them has between its placeholders.
    func joined(_ texts: [String], by phrase: Phrase) -> String {
        texts.joined(separator: self.phrase(phrase))
    }

    /// Returns the word of a symbol, or `nil` for one that is spoken as its character.
    func symbol(_ text: String, isChemical: Bool = false) -> String? {
        if isChemical,
            let word = chemicalSymbols[text] ?? Self.english.chemicalSymbols[text]
        {
            return word
        }
        return symbols[text] ?? Self.english.symbols[text]
    }

    /// Replaces the placeholders in one pass, so that a part may have braces.
    private static func filled(_ template: String, _ parts: [String: String]) -> String {
        var result = ""
        var rest = template[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            result += rest[..<open]
            let name = String(rest[rest.index(after: open)..<close])
            result += parts[name] ?? String(rest[open...close])
            rest = rest[rest.index(after: close)...]
        }
        return result + rest
    }
}
