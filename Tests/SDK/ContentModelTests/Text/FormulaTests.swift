import Foundation
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
            #expect(Array(text.utf8) == Array(vector.plain.utf8), "\(vector.tex): \(text)")
        }
    }

    @Test func spokenTextsAreThoseOfTheVectors() {
        for vector in vectors.formulas {
            let text = formula(vector.tex).spokenText()
            #expect(Array(text.utf8) == Array(vector.spoken.utf8), "\(vector.tex): \(text)")
        }
    }

    @Test func mistakesAreThoseOfTheVectors() throws {
        #expect(vectors.mistakes.count == 21)
        for vector in vectors.mistakes {
            let mistake = try #require(formula(vector.tex).mistake, "\(vector.tex)")
            #expect(mistake.kind.rawValue == vector.kind, "\(vector.tex)")
            #expect(mistake.offset == vector.at, "\(vector.tex)")
        }
    }

    @Test func refusedFormulaIsItsSource() {
        let refused = formula(#"\fracc{1}{2}"#)
        #expect(refused.plainText == #"\fracc{1}{2}"#)
        #expect(refused.spokenText() == #"\fracc{1}{2}"#)
    }

    @Test(arguments: [
        (#"|-5|+|x|"#, "|−5| + |x|"), (#"\sin\frac{\pi}{2}"#, "sin (π/2)"),
        (#"k\binom{n}{k}"#, "k C(n, k)"), (#"f'^2"#, "f′²"), (#"x≤3·π"#, "x ≤ 3 ⋅ π"),
        (#"a\mod n"#, "a mod n"), (#"\left\{x\,\middle|\,x>0\right\}"#, "{x | x > 0}"),
        (#"\begin{cases}1&x\\[2pt]2&y\\\end{cases}"#, "{ 1, x; 2, y"),
        (#"\mathrm{NaCl_2}"#, "NaCl₂"), (#"10\,000"#, "10 000"), (#"\sqrt[4]{x}"#, "∜x"),
    ])
    func plainTextIsReadable(tex: String, text: String) {
        #expect(formula(tex).plainText == text)
    }

    @Test(arguments: [
        (#"\ce{Cl2 + 2e- -> 2Cl-}"#, "Cl₂ + 2 e⁻ → 2 Cl⁻"), (#"\ce{CH2=CH2}"#, "CH₂ = CH₂"),
        (#"\ce{[Fe(CN)6]^{3-}}"#, "[Fe(CN)₆]³⁻"), (#"\ce{^{0}_{-1}e}"#, "₋₁⁰e"),
        (#"\ce{C_6H_12O6}"#, "C₆H₁₂O₆"), (#"\ce{NH4+}"#, "NH₄⁺"),
        (#"\ce{A <=>[k_1][k_2] B}"#, "A ⇌[k₁][k₂] B"), (#"\ce{A ->[heat] B}"#, "A →[heat] B"),
        (#"\ce{A ->[H2O] B}"#, "A →[H₂O] B"), (#"\ce{1/2 O2 <- O}"#, "1/2 O₂ ← O"),
    ])
    func chemistryIsRead(tex: String, text: String) {
        #expect(formula(tex).plainText == text)
    }
}
