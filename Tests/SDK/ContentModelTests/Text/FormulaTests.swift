import Foundation
import TestSupport
import Testing

@testable import ContentModel

/// Formulas against the published vectors, byte for byte.
@Suite struct FormulaTests {
    private let vectors: FormulaVectors

    init() throws { vectors = try FormulaVectors.read() }

    private func formula(_ tex: String) -> Formula { Formula(tex: tex, isDisplayed: false) }

    @Test func plainTextsAreThoseOfTheVectors() {
        #expect(vectors.formulas.count == 211)
        for vector in vectors.formulas {
            let text = formula(vector.tex).plainText
            #expect(
                Array(text.utf8) == Array(vector.plain.utf8),
                "\(vector.tex): \(text) \(vector.plain)")
        }
    }

    @Test func spokenTextsAreThoseOfTheVectors() {
        for vector in vectors.formulas {
            let text = formula(vector.tex).spokenText()
            #expect(
                Array(text.utf8) == Array(vector.spoken.utf8),
                "\(vector.tex): \(text)| \(vector.spoken)")
        }
    }

    @Test func mistakesAreThoseOfTheVectors() throws {
        #expect(vectors.mistakes.count == 21)
        for vector in vectors.mistakes {
            let mistake = try #require(formula(vector.tex).mistake, "\(vector.tex)")
            #expect(mistake.kind.rawValue == vector.kind, "\(vector.tex)")
            #expect(mistake.offset == vector.at, "\(vector.tex)")
            #expect(!mistake.message.isEmpty)
        }
    }
}
