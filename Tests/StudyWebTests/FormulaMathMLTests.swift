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
        let file = fixture("Text/text.json")
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

    @Test(arguments: [
        (#"\underline{x}"#, #"<mrow class="under"><mi>x</mi></mrow>"#),
        (#"\textbf{a b}"#, "<mtext class=\"b\">a\u{A0}b</mtext>"),
        (#"\quad"#, #"<mspace width="1em"/>"#),
        (#"\ce{A ->[x][y] B}"#, "<munderover>"),
        (#"\text{<i>\"&}"#, "<mtext>&lt;i&gt;&quot;&amp;</mtext>"),
        (#"\begin{gathered}x\end{gathered}"#, #"<mtable displaystyle="true"><mtr>"#),
    ])
    func structureHasItsElement(tex: String, part: String) {
        let element = element(tex.replacing(#"\""#, with: "\"")) ?? ""
        #expect(element.contains(part), "\(element)")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func randomFormulaHasOnlyElementsOfTheVectors(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let tex = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                Self.parts.randomElement(using: &random) ?? ""
            }.joined(separator: " ")
            guard let element = element(tex) else { continue }
            var open: [Substring] = []
            for tag in element.matches(of: /<(\/?)(\w+)((?: \w+="[^"<>]*")*)(\/?)>/) {
                let (_, end, name, _, empty) = tag.output
                #expect(Self.elements.contains(name), "seed \(seed): \(tex)")
                if !end.isEmpty {
                    #expect(open.popLast() == name, "seed \(seed): \(tex)")
                } else if empty.isEmpty {
                    open.append(name)
                }
            }
            #expect(open.isEmpty, "seed \(seed): \(tex)")
            let rest = element.replacing(/<\/?\w+(?: \w+="[^"<>]*")*\/?>/, with: "")
            #expect(!rest.contains { "<>\"'".contains($0) }, "seed \(seed): \(tex)")
        }
    }

    private static let elements: Set<Substring> = [
        "math", "mfrac", "mi", "mn", "mo", "mover", "mroot", "mrow", "mspace", "msqrt", "mstyle",
        "msub", "msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover",
    ]

    private static let parts = [
        "x", "12", "<", ">", "&amp;", "+", "-", "^2", "_1", "'", "(", ")", "|", "\\frac", "\\sqrt",
        "\\sqrt[3]", "{a+b}", "{<}", "\\sum", "\\lim", "\\sin", "\\text{<b>\"'&}", "\\vec",
        "\\overline",
        "\\underbrace", "\\left<x\\right>", "\\bigl<", "\\begin{cases}1&<\\\\2\\end{cases}",
        "\\mathbb{R}",
        "\\ce{2H2 + O2 ->[<] H2O^2-}", "\\ce{H2O(aq)}", "\\limits", "\\operatorname{<}", "\\pmod",
        "\\xrightarrow{<}", "\\binom", "\\displaystyle", "\\not=", "\\&", "\\overset", "\\tfrac12",
    ]
}
