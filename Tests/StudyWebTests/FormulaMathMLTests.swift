import Foundation
import PageRendering
import TestSupport
import Testing
import Underway

/// MathML of formulas against the published vectors, byte for byte.
@Suite struct FormulaMathMLTests {
    private struct Vectors: Decodable {
        struct Vector: Decodable {
            var tex: String
            var mathml: String
        }
        var formulas: [Vector]
    }

    private func element(_ tex: String, isDisplayed: Bool = false) -> String? {
        FormulaMathML.element(of: Formula(tex: tex, isDisplayed: isDisplayed))
    }

    @Test func elementsAreThoseOfTheVectors() throws {
        let file = fixture("../SDK/ContentModelTests/Vectors/text.json")
        let vectors = try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file))
        #expect(vectors.formulas.count == 211)
        for vector in vectors.formulas {
            let element = element(vector.tex) ?? ""
            #expect(
                Array(element.utf8) == Array(vector.mathml.utf8),
                "\(vector.tex)\n\(element)\n\(vector.mathml)")
        }
    }

    @Test func displayedFormulaIsABlock() {
        #expect(
            element("x", isDisplayed: true)
                == "<math dir=\"ltr\" display=\"block\"><mi>x</mi></math>")
    }

    @Test func mistakeHasNoElement() {
        #expect(element(#"\fracc{1}{2}"#) == nil)
    }
}
