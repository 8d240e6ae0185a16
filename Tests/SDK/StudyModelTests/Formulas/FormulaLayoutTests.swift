import Testing
import Underway

@testable import StudyModel

/// The places of a formula's parts, with letters that are all half an em wide.
@Suite struct FormulaLayoutTests {
    private func box(_ tex: String, isDisplayed: Bool = true) throws -> FormulaBox {
        try #require(
            FormulaLayout.box(of: Formula(tex: tex, isDisplayed: isDisplayed)) { text, _ in
                Double(text.count) / 2
            })
    }

    private func run(_ text: String, _ box: FormulaBox) throws -> FormulaBox.Run {
        try #require(box.runs.first { $0.text == text })
    }

    @Test func aFractionHasItsPartsAboveAndBelowARuleAsWideAsThem() throws {
        let box = try box(#"\frac{abc}{d}"#)
        let rule = try #require(box.strokes.first)
        let top = try run("a", box)
        let bottom = try run("d", box)
        let axis = rule.points[0].y
        #expect(rule.points.map(\.y) == [axis, axis] && axis == -FormulaLayout.axis)
        #expect(top.place.y + FormulaLayout.letters.descent < axis)
        #expect(bottom.place.y - FormulaLayout.letters.ascent > axis)
        #expect(rule.points[1].x - rule.points[0].x > 1.5)
        #expect(bottom.place.x + bottom.width / 2 == box.width / 2)
        #expect(top.size == 1)
        #expect(try self.box(#"\frac{a}{b}"#, isDisplayed: false).runs[0].size < 1)
    }

    @Test func aRootCoversWhatItIsTakenOf() throws {
        let box = try box(#"\sqrt[3]{x+1}"#)
        let line = try #require(box.strokes.first)
        let (first, last) = (try run("x", box), try run("1", box))
        let top = try #require(line.points.last)
        #expect(top.y < first.place.y - FormulaLayout.letters.ascent)
        #expect(line.points[3].x <= first.place.x && top.x >= last.place.x + last.width)
        let index = try run("3", box)
        #expect(
            index.size < FormulaLayout.scriptSize && index.place.x + index.width <= first.place.x)
    }

    @Test func scriptsAreSmallRaisedAndLowered() throws {
        let box = try box("x_1^2")
        let (sup, sub) = (try run("2", box), try run("1", box))
        #expect(sup.place.y == -0.36 && sub.place.y == 0.22)
        #expect(sup.size == FormulaLayout.scriptSize && sub.place.x == sup.place.x)
        let power = try self.box(#"\left(\frac{a}{b}\right)^2"#)
        #expect(try run("2", power).place.y < -0.6, "a power of a fraction stands at its top")
    }

    @Test func limitsStandAboveAndBelowASumOnALineOfItsOwnAlone() throws {
        let displayed = try box(#"\sum_{i=1}^{n} i"#)
        let sum = try run("∑", displayed)
        let limit = try run("n", displayed)
        #expect(abs(limit.place.x + limit.width / 2 - sum.place.x - sum.width / 2) < 0.001)
        let inline = try self.box(#"\sum_{i=1}^{n} i"#, isDisplayed: false)
        #expect(try run("n", inline).place.x >= (try run("∑", inline)).width)
    }

    @Test(arguments: ["(", "[", #"\{"#, "|", #"\|"#, #"\langle"#, #"\lfloor"#, #"\lceil"#])
    func aDelimiterIsAsHighAsItsContent(open: String) throws {
        let inner = try box(#"\frac{a}{b}"#)
        let fenced = try box(#"\left"# + open + #"\frac{a}{b}\right."#)
        let heights = fenced.strokes[0].points.map(\.y)
        let (least, most) = (try #require(heights.min()), try #require(heights.max()))
        #expect(most - least >= inner.height - 0.2)
        #expect(fenced.width > inner.width)
    }

    @Test func aSmallBracketIsALetter() throws {
        #expect(try box(#"\left(x\right)"#).strokes.isEmpty)
    }

    @Test func theRowsOfAMatrixStandBelowEachOtherAroundTheAxis() throws {
        let box = try box(#"\begin{pmatrix}a&b\\c&d\end{pmatrix}"#)
        let (a, b, c) = (try run("a", box), try run("b", box), try run("c", box))
        #expect(a.place.y == b.place.y && a.place.x == c.place.x && c.place.y > a.place.y)
        #expect(abs((box.ascent - box.descent) / 2 - FormulaLayout.axis) < 0.001)
    }

    @Test func aLineOfLettersIsTextAndAnythingElseIsNot() throws {
        let line = try #require(try box("E=mc^2", isDisplayed: false).pieces)
        #expect(line.map(\.text) == ["E", "\u{2004}=", "\u{2004}m", "c", "2"])
        #expect(line.map(\.raise) == [0, 0, 0, 0, 0.36])
        #expect(line[0].face == .italic && line[1].face == .upright)
        for tex in [#"\frac{a}{b}"#, #"\sqrt{x}"#, "x_1^2", #"\vec{a}"#] {
            #expect(try box(tex, isDisplayed: false).pieces == nil, "\(tex)")
        }
    }

    @Test func aFormulaWithAMistakeHasNoBox() {
        #expect(
            FormulaLayout.box(of: Formula(tex: #"\fracc{a}{b}"#, isDisplayed: false)) { _, _ in 0 }
                == nil)
    }

    /// No part may lie outside of what is drawn: it would be cut.
    @Test(arguments: [
        #"\frac{-b\pm\sqrt{b^2-4ac}}{2a}"#, #"\int_0^\infty e^{-x^2}\,dx"#,
        #"\begin{cases}x&x>0\\-x&x\le 0\end{cases}"#, #"\ce{SO4^2- + 2H+ -> H2SO4}"#,
        #"\overbrace{a+b}^{n}"#, #"\underbrace{a+b}_{n}"#, #"\widehat{ABC}+\vec{v}+\tilde{x}"#,
        #"\binom{n}{k}"#, #"\xrightarrow{\text{heat}}"#, #"a\equiv b\pmod{n}"#,
        #"\begin{aligned}a&=b\\&=c\end{aligned}"#, #"x^{y^{z^{w}}}"#,
        #"\lim_{x\to 0}\frac{\sin x}{x}"#,
    ])
    func everyPartIsInsideTheBox(tex: String) throws {
        for isDisplayed in [true, false] {
            let box = try box(tex, isDisplayed: isDisplayed)
            for run in box.runs {
                #expect(run.place.x >= -0.001 && run.place.x + run.width <= box.width + 0.001)
                #expect(run.place.y - 0.5 * run.size >= -box.ascent - 0.001)
                #expect(run.place.y <= box.descent + 0.001)
            }
            for point in box.strokes.flatMap(\.points) {
                #expect(point.x >= -0.001 && point.x <= box.width + 0.001)
                #expect(point.y >= -box.ascent - 0.001 && point.y <= box.descent + 0.001)
            }
        }
    }
}
