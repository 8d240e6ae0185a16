import ContentModel
import TestSupport
import Testing

@Suite struct TextMistakeTests {
    private func kinds(_ source: String, _ form: TextForm = .markdown) -> [Rule] {
        TextMistake.find(in: source, form: form).map(\.rule)
    }

    @Test(arguments: [
        ("Solve $x + \\fracc{1}{2}$.", Rule.formula, 11),
        ("ä $$\n\\fracc12$$", .formula, 5),
        ("| a |\n|---|\n| $\\a$ |", .formula, 15), ("It costs $5.", .textDollar, 9),
        ("$x and more", .textDollar, 0),
        ("Let \\(x\\) be", .textDialect, 4), ("\\[x^2\\]", .textDialect, 0),
        ("[latex]x[/latex]", .textDialect, 0),
        ("a <b>c</b>", .textHTML, 2), ("a<br>b<br>c", .textHTML, 1), ("caf&eacute;", .textHTML, 3),
        ("&#60;", .textHTML, 0),
        ("| a | b |\n|---|\n| c |", .textTable, 10), ("| a |\n|---|\n| b | c |", .textTable, 18),
        ("[a](JavaScript:b)", .textLink, 4), ("![](a.png)", .textImage, 2),
        ("![a](../b.png)", .textImage, 5),
        ("a*b", .textEmphasis, 1), ("geh*t* nach", .textEmphasis, 3),
    ])
    func mistakeIsFoundAtItsPlace(source: String, rule: Rule, offset: Int) {
        let mistakes = TextMistake.find(in: source, form: .markdown)
        #expect(mistakes.map(\.rule) == [rule])
        #expect(mistakes.map(\.offset) == [offset])
    }

    @Test(arguments: [
        "Solve $x^2=4$ and *that*, **not** `$5 <b></b> \\(x\\) &amp;`.", "\\$5 and \\*",
        "```\n<b></b> $5\n```",
        "- ```\n  $5 a*b\n  ```\n- c", "`` ` `` [a](https://b.c) ![d](e.png)", "a[i](j)",
        "2 * 3, 2*3",
        "| a |\n|--:|\n| - |\n| `\\|` |", "cost in $ or a $ b", "f(x) [1] \\[a b\\]",
        "if a < b && c > d;", "List<T> & Set<T>",
        "a\\*b", "| a | b", "AT&T; x",
    ])
    func goodTextHasNone(source: String) {
        #expect(kinds(source).isEmpty)
    }

    @Test(arguments: [
        ("Let \\(x\\) be", [Rule.textDialect]),
        ("**a** $x^2$ $y_1$", [.textDialect, .textDialect]),
        ("<b>c</b>", [.textHTML]), ("`**a** <b>c</b>` costs $5 or $6, 2 ** 3 ** 4 and a*b", []),
        ("a ` **b** ` c", []), ("a ` **b**", [.textDialect]),
    ])
    func plainTextHasItsOwn(source: String, expected: [Rule]) {
        #expect(kinds(source, .plain) == expected)
    }

    @Test func optionHasNoListAndNoTable() {
        let find = { TextMistake.find(in: $0, form: .markdown, isOption: true).map(\.rule) }
        #expect(find("- a\n- b") == [.optionBlock])
        #expect(find("| a |\n|---|") == [.optionBlock])
        #expect(find("a\n\n```\nb\n```") == [])
    }

    @Test func messageNamesWhatIsWrong() {
        let messages = TextMistake.find(in: "$\\fracc12$ $5", form: .markdown).map(\.message)
        #expect(messages.first == "The app does not know `\\fracc`. Did you mean `\\frac`?")
        #expect(messages.last == "the `$` opens no formula")
    }

    @Test func canonicalSourceHasNoDollarAndNoTable() {
        for example in RichTextVectors.all.cases {
            let kinds = kinds(RichText(example.source, form: .markdown).source)
            #expect(!kinds.contains(.textDollar) && !kinds.contains(.textTable), "\(example.name)")
        }
    }

    @Test(arguments: 0..<10)
    func anyTextCanBeChecked(block: UInt64) {
        for seed in block * 100..<(block + 1) * 100 {
            var random = SeededGenerator(seed: seed)
            let source = RandomMarks.text(of: 60, using: &random)
            for form in TextForm.allCases {
                let offsets = TextMistake.find(in: source, form: form, isOption: true).map(\.offset)
                #expect(offsets == offsets.sorted(), "seed \(seed)")
                #expect(offsets.allSatisfy { $0 <= source.unicodeScalars.count }, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        (["A) red", "B) blue"], true), (["a. red", "b. blue", "c. green"], true),
        (["(A) red", "(B) blue"], true),
        (["A: red", "B: blue"], true), (["B) red", "A) blue"], false),
        (["A red", "B blue"], false),
        (["A) red", "blue"], false), (["A"], false), (["A.", "B."], true), ([], false),
    ])
    func lettersOfOptionsAreFound(options: [String], expected: Bool) {
        #expect(OptionLetters.areNumbered(options) == expected)
    }
}
