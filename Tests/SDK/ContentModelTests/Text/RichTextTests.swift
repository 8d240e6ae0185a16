import ContentModel
import Testing

@Suite struct RichTextTests {
    private func blocks(_ source: String) -> [TextBlock] {
        RichText(source, form: .markdown).blocks
    }

    private func paragraph(_ text: String) -> TextBlock { .paragraph([.text(text)]) }

    @Test(arguments: [
        (String(repeating: "a", count: 16_385), TextLimit.bytes),
        (String(repeating: "`a`b", count: 1_001), .nodes),
        (
            "|" + String(repeating: " a |", count: 13) + "\n|" + String(repeating: "-|", count: 13),
            .columns
        ),
        ("| a |\n|---|" + String(repeating: "\n| b |", count: 61), .rows),
    ])
    func textAboveALimitIsPlain(source: String, limit: TextLimit) {
        #expect(RichText.exceededLimit(of: source) == limit)
        #expect(RichText(source, form: .markdown) == RichText(source, form: .plain))
    }

    @Test func textAtALimitIsRead() {
        let table = "| a |\n|---|" + String(repeating: "\n| b |", count: 60)
        #expect(RichText.exceededLimit(of: table) == nil)
        #expect(RichText.exceededLimit(of: String(repeating: "a", count: 16_384)) == nil)
    }

    @Test func listsAreThreeDeepAtMost() {
        let inner = "- d\n      - d"
        let source = "- a\n- a\n  - b\n  - b\n    - c\n    - c\n      " + inner
        #expect(RichText(source, form: .markdown).plainText.hasSuffix("• c\n      - d\n      - d"))
    }

    @Test func lineContinuesItsItemWithoutIndentation() {
        let items = [
            [TextBlock.paragraph([.text("a"), .lineBreak, .text("b")])], [paragraph("c")],
        ]
        #expect(blocks("- a\nb\n- c") == [.list(start: nil, items)])
    }

    @Test func blankLineEndsAnItemForUnindentedText() {
        let list = TextBlock.list(start: nil, [[paragraph("a")], [paragraph("b")]])
        #expect(blocks("- a\n\n- b\n\nc") == [list, paragraph("c")])
    }

    @Test func listsOfTwoMarkersAreTwo() {
        let list = TextBlock.list(start: nil, [[paragraph("a")], [paragraph("b")]])
        let text = RichText("- a\n- b\n+ a\n+ b", form: .markdown)
        #expect(text.blocks == [list, list])
        #expect(text.source == "- a\n- b\n\n+ a\n+ b")
    }

    @Test func codeKeepsTabsAndLosesTheIndentationOfItsFence() {
        #expect(blocks("```\n\ta\n```") == [.code(language: nil, "\ta")])
        #expect(blocks("  ```C++\n  a\n   b\n ```") == [.code(language: "c++", "a\n b")])
    }

    @Test func displayedFormulaMayHaveBlankLinesAndMarkers() {
        let formula = Formula(tex: "a  + b - c", isDisplayed: true)
        #expect(blocks("$$\na\n\n+ b\n- c\n$$") == [.paragraph([.formula(formula)])])
    }

    @Test(arguments: ["$6, or **$x$**", "$20 per hour or 8$ each"])
    func amountWithWordsIsText(source: String) {
        guard case .paragraph(let spans)? = blocks(source).first else { return }
        #expect(spans.first != .formula(Formula(tex: "6, or **", isDisplayed: false)))
        #expect(!spans.contains(.formula(Formula(tex: "20 per hour or 8", isDisplayed: false))))
    }

    @Test func digitBehindADollarIsNoFormula() {
        #expect(blocks("$x$5") == [paragraph("$x$5")])
        #expect(
            blocks("$2 \\text{cm}$") == [
                .paragraph([.formula(Formula(tex: "2 \\text{cm}", isDisplayed: false))])
            ])
    }

    @Test(arguments: [
        "[a](JavaScript:x)", "[](https://a.b)", "[ ](https://a.b)", "[a](https://a.b\u{A0}c)",
        "[a](https:)",
        "![](a.png)", "![a](/a.png)", "![a](.hidden)", "[a](https://a.b", "[a] (https://a.b)",
    ])
    func whatIsNoLinkIsText(source: String) {
        #expect(blocks(source) == [paragraph(source)])
    }

    @Test func emphasisOfEmphasisIsOne() {
        #expect(blocks("*a *b* c*") == [.paragraph([.emphasis([.text("a b c")])])])
        #expect(blocks("****a****") == [.paragraph([.strong([.text("a")])])])
    }

    @Test func imageNamesAreListedOnce() {
        let source =
            "![a](a.png) ![b](b.png)\n\n| ![c](c.png) |\n|---|\n\n- *![a](a.png)*\n- [![d](d.png)](https://a.b)"
        #expect(
            RichText(source, form: .markdown).imageNames == ["a.png", "b.png", "c.png", "d.png"])
    }

    @Test func importedEmphasisIsMadeWritable() {
        let spans: [TextSpan] = [
            .strong([.text("Note:")]), .text("text"), .emphasis([.text(" a ")]), .text("b"),
        ]
        let text = RichText(blocks: [.paragraph(spans)]).normalized
        #expect(text.source == "**Note**:text *a* b")
    }

    @Test func importedFormulaIsMadeWritable() {
        let spans: [TextSpan] = ["3 mm", "a $ b"].map {
            .formula(Formula(tex: $0, isDisplayed: false))
        }
        let text = RichText(blocks: [.paragraph(spans + [.text("5")])]).normalized
        #expect(text.source == "${}3 mm$`a $ b`5")
    }

    @Test func plainFormKeepsSpacesAndBlankLines() {
        let spans: [TextSpan] = [
            .text(" a"), .lineBreak, .lineBreak, .code("b"), .lineBreak, .code("c"), .text(" ` d"),
        ]
        #expect(RichText("\n a\r\n\n`b\nc` ` d\n", form: .plain).blocks == [.paragraph(spans)])
    }
}
