public import Underway

extension StudyText {
    /// The prefix of keys for spoken formulas.
    static let formulaPrefix = "formula."

    /// The words by which formulas are read aloud: the texts `formula.fraction`, `formula.sign.+`,
    /// `formula.chemistry.=` and so on.
    ///
    /// Each call looks at all texts, so store the words of a screen.
    public var formulaWords: FormulaWords {
        var words = FormulaWords(phrases: [:])
        for (key, text) in texts(withPrefix: Self.formulaPrefix) {
            let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
            switch (parts.first, parts.last) {
            case ("sign", let sign?): words.symbols[sign] = text
            case ("chemistry", let sign?): words.chemicalSymbols[sign] = text
            default: FormulaWords.Phrase(rawValue: key).map { words.phrases[$0] = text }
            }
        }
        return words
    }
}
