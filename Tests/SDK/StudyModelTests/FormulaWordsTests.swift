import Testing
import Underway

@testable import StudyModel

/// The words of spoken formulas in the languages of the study app.
@Suite struct FormulaWordsTests {
    private func spoken(_ tex: String, _ language: String) -> String {
        Formula(tex: tex, isDisplayed: false)
            .spokenText(StudyText(language: language).formulaWords)
    }

    @Test func englishTextsAreTheDefaultWords() {
        #expect(StudyText(language: "en").formulaWords == .english)
    }

    @Test(arguments: StudyText.languages.map(\.code))
    func aLanguageHasAllWordsOfEnglish(code: String) {
        let (words, english) = (StudyText(language: code).formulaWords, FormulaWords.english)
        #expect(Set(words.phrases.keys) == Set(english.phrases.keys))
        #expect(Set(words.symbols.keys) == Set(english.symbols.keys))
        #expect(Set(words.chemicalSymbols.keys) == Set(english.chemicalSymbols.keys))
    }

    @Test(arguments: [
        ("en", "x equals fraction minus b over 2 a end fraction"),
        ("de", "x gleich Bruch minus b durch 2 a Ende Bruch"),
        ("es", "x es igual a fracción menos b sobre 2 a fin de fracción"),
        ("ja", "x イコール 分数 2 a 分の マイナス b 分数終わり"),
        ("ar", "x يساوي كسر ناقص b على 2 a نهاية الكسر"),
    ])
    func fractionIsSpokenInTheOrderOfTheLanguage(code: String, text: String) {
        #expect(spoken(#"x=\frac{-b}{2a}"#, code) == text)
    }

    @Test func cellsAreSeparatedAsInTheLanguage() {
        let tex = #"\begin{pmatrix}1&2\\3&4\end{pmatrix}"#
        #expect(spoken(tex, "de") == "Matrix 2 mal 2, Zeile 1: 1, 2; Zeile 2: 3, 4, Ende Matrix")
        #expect(spoken(tex, "ja") == "2 行 2 列の行列、1 行目、1、2。2 行目、3、4、行列終わり")
    }

    @Test func releaseOverridesAWord() {
        let texts = Localization(strings: ["study.formula.sign.⋅": "multipliziert mit"])
        let words = StudyText(language: "de", overrides: texts).formulaWords
        #expect(words.symbols["⋅"] == "multipliziert mit")
    }

    @Test func screensHaveNoFormulaWords() {
        #expect(StudyText(language: "en").nested["formula"] == nil)
    }
}
