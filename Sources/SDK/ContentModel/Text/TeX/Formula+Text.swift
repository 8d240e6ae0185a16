extension Formula {
    /// The formula in plain text, as in `x² + 1 = 0`; the source if it has a mistake.
    ///
    /// For titles, search, toasts and terminals. An author who reads the source there sees the mistake.
    public var plainText: String {
        (try? parsed()).map(FormulaPlainText.text) ?? tex
    }

    /// Returns the formula as it is read aloud, as in "x squared plus 1 equals 0"; the source if it has a mistake.
    ///
    /// The words are those of the reader's language.
    public func spokenText(_ words: FormulaWords = .english) -> String {
        (try? parsed()).map { FormulaSpeech(words: words).text(of: $0) } ?? tex
    }

    /// The mistake for which the formula is refused; `nil` for a good one.
    package var mistake: FormulaMistake? {
        do throws(FormulaMistake) {
            _ = try parsed()
            return nil
        } catch {
            return error
        }
    }

    /// Returns the parts of the formula.
    ///
    /// O(n) in the size of the source.
    ///
    /// - Throws: The first mistake. Show the source as code then.
    package func parsed() throws(FormulaMistake) -> [FormulaNode] {
        try FormulaParser.parse(tex)
    }
}
