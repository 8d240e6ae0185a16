import Testing
import Underway

@testable import StudyModel

/// Formulas on lines of their own within a paragraph, and texts that are read aloud.
@Suite struct ParagraphPartTests {
    private func parts(_ source: String) -> [ParagraphPart] {
        RichText(source, form: .markdown).blocks.flatMap { block -> [ParagraphPart] in
            guard case .paragraph(let spans) = block else { return [] }
            return ParagraphPart.parts(of: spans)
        }
    }

    @Test func aDisplayedFormulaPartsTheTextAroundIt() {
        let formula = Formula(tex: "x^2", isDisplayed: true)
        #expect(
            parts("So\n$$x^2$$\nholds.") == [
                .text([.text("So")]), .formula(formula), .text([.text("holds.")]),
            ])
        #expect(parts("$$x^2$$") == [.formula(formula)])
    }

    @Test func aFormulaInALineStaysInIt() {
        #expect(parts("Solve $x^2=6$ now.").count == 1)
    }

    @Test func aTextIsSpokenWithItsFormulasInWords() {
        let text = RichText("Is **this** $\\frac{1}{2}$?\n\n- $x^2$\n- b", form: .markdown)
        let english = StudyText(language: "en")
        #expect(text.spokenText(english).contains("Is this 1 over 2?"))
        #expect(text.spokenText(english).contains("x squared"))
        #expect(!text.spokenText(english).contains("x²"))
    }
}
