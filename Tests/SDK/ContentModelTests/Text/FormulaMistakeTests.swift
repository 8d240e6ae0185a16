import Testing

@testable import ContentModel

/// What authors read about a mistake, and its place.
@Suite struct FormulaMistakeTests {
    private func mistake(_ tex: String) throws -> FormulaMistake {
        try #require(Formula(tex: tex, isDisplayed: false).mistake, "\(tex)")
    }

    @Test(arguments: [
        (#"\fracc12"#, #"The app does not know `\fracc`. Did you mean `\frac`?"#),
        (#"\Alpha"#, #"The app does not know `\Alpha`. Did you mean `\alpha`?"#),
        (#"\href"#, #"The app does not know `\href`."#),
        (#"\def"#, #"The app does not know `\def`."#),
        (#"x²"#, "The app does not know `²`. Write `^2`."),
        (
            #"\begin{pmatrx}1\end{pmatrx}"#,
            "The app does not know the environment `pmatrx`. Did you mean `pmatrix`?"
        ),
        (#"x\limits_1"#, #"`\limits` needs an operator before it, such as `\sum`."#),
        (#"\frac{1}"#, #"`\frac` needs an argument after it, such as `{x}`."#),
    ])
    func messageNamesTheRemedy(tex: String, message: String) throws {
        #expect(try mistake(tex).message == message)
    }

    @Test func everyKindHasAMessage() {
        for kind in FormulaMistake.Kind.allCases {
            let message = FormulaMistake(kind: kind, offset: 0, found: "x").message
            #expect(message.hasSuffix(".") && message.count < 160, "\(kind)")
        }
    }

    @Test(arguments: [
        (#"x^"#, "argument", 1), (#"\not x"#, "argument", 0), (#"\ce{H2"#, "brace", 3),
        (#"\begin{matrix}1\end{pmatrix}"#, "begin", 0), (#"\end{matrix}"#, "begin", 0),
        (#"x\middle|y"#, "right", 1), (#"\text{50%}"#, "comment", 8), (#"x_1_2"#, "double", 3),
        (#"{a&b}"#, "ampersand", 2), (#"\left(a\\b\right)"#, "linebreak", 7),
        (#"\begin{matrix}{1\end{matrix}"#, "brace", 14), (#"𝑥\x"#, "unknown", 1),
        (#"\begin{array}{c}1\\\hline\end{array}"#, "unknown", 19), (#"\ce{->[A"#, "bracket", 6),
    ])
    func placeIsThatOfTheCause(tex: String, kind: String, offset: Int) throws {
        let mistake = try mistake(tex)
        #expect(mistake.kind.rawValue == kind)
        #expect(mistake.offset == offset)
    }
}
