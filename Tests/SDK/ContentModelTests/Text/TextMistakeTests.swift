import ContentModel
import TestSupport
import Testing

@Suite struct TextMistakeTests {
    private func kinds(_ source: String, _ form: TextForm = .markdown) -> [TextMistake.Kind] {
        TextMistake.find(in: source, form: form).map(\.kind)
    }

    @Test(arguments: [
        ("Solve $x + \\fracc{1}{2}$.", TextMistake.Kind.formula, 11),
        ("ä $$\n\\fracc12$$", .formula, 5),
        ("| a |\n|---|\n| $\\a$ |", .formula, 15), ("It costs $5.", .dollar, 9),
        ("$x and more", .dollar, 0),
        ("Let \\(x\\) be", .dialect, 4), ("\\[x^2\\]", .dialect, 0),
        ("[latex]x[/latex]", .dialect, 0),
        ("a <b>c</b>", .html, 2), ("a<br>b<br>c", .html, 1), ("caf&eacute;", .html, 3),
        ("&#60;", .html, 0),
        ("| a | b |\n|---|\n| c |", .table, 10), ("| a |\n|---|\n| b | c |", .table, 18),
        ("[a](JavaScript:b)", .link, 4), ("![](a.png)", .image, 2), ("![a](../b.png)", .image, 5),
        ("a*b", .emphasis, 1), ("geh*t* nach", .emphasis, 3),
    ])
    func mistakeIsFoundAtItsPlace(source: String, kind: TextMistake.Kind, offset: Int) {
        let mistakes = TextMistake.find(in: source, form: .markdown)
        #expect(mistakes.map(\.kind) == [kind])
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
        ("Let \\(x\\) be", [TextMistake.Kind.dialect]),
        ("**a** $x^2$ $y_1$", [.dialect, .dialect]),
        ("<b>c</b>", [.html]), ("`**a** <b>c</b>` costs $5 or $6, 2 ** 3 ** 4 and a*b", []),
        ("a ` **b** ` c", []), ("a ` **b**", [.dialect]),
    ])
    func plainTextHasItsOwn(source: String, expected: [TextMistake.Kind]) {
        #expect(kinds(source, .plain) == expected)
    }

    @Test func optionHasNoListAndNoTable() {
        let find = { TextMistake.find(in: $0, form: .markdown, isOption: true).map(\.kind) }
        #expect(find("- a\n- b") == [.optionBlock])
        #expect(find("| a |\n|---|") == [.optionBlock])
        #expect(find("a\n\n```\nb\n```") == [])
    }

    @Test func messageNamesTheRemedy() {
        let messages = TextMistake.find(in: "$\\fracc12$ $5", form: .markdown).map(\.message)
        #expect(messages.first == "The app does not know `\\fracc`. Did you mean `\\frac`?")
        #expect(messages.last?.contains("`\\$`") == true)
    }

    @Test func canonicalSourceHasNoDollarAndNoTable() {
        for example in RichTextVectors.all.cases {
            let kinds = kinds(RichText(example.source, form: .markdown).source)
            #expect(!kinds.contains(.dollar) && !kinds.contains(.table), "\(example.name)")
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
