import Testing

@testable import ContentModel

/// The words of spoken formulas as values.
@Suite struct FormulaWordsTests {
    private func spoken(_ tex: String, _ words: FormulaWords) -> String {
        Formula(tex: tex, isDisplayed: false).spokenText(words)
    }

    @Test func englishHasEveryPhraseWithItsParts() {
        for phrase in FormulaWords.Phrase.allCases {
            #expect(FormulaWords.english.phrases[phrase] != nil, "\(phrase)")
        }
    }

    @Test func phraseHasTheOrderOfItsLanguage() {
        let words = FormulaWords(phrases: [.simpleFraction: "{b}分の{a}"])
        #expect(spoken(#"\frac12"#, words) == "2分の1")
    }

    @Test func missingWordsAreEnglish() {
        let words = FormulaWords(phrases: [:], symbols: ["+": "und"])
        #expect(spoken("a^2+b=c", words) == "a squared und b equals c")
    }

    @Test func braceOfAPartIsNoPlaceholder() {
        #expect(spoken(#"\text{\{b\}}_2"#, .english) == "{b} sub 2")
    }

    @Test func minusOfANuclideIsNoBond() {
        #expect(spoken(#"\ce{^{0}_{-1}e}"#, .english) == "0 minus 1 e")
    }
}
