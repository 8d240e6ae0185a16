import Foundation
import PageRendering
import TestSupport
import Testing
import Underway

@Suite struct RichTextHTMLTests {
    struct Case: Decodable, Sendable, CustomTestStringConvertible {
        let name: String
        let source: String
        let html: String
        /// Missing for texts that no option may have.
        let optionHTML: String?

        var testDescription: String { name }
    }

    /// The vectors of texts, in which code has no colours, and the address of a picture is its name.
    static let cases: [Case] = {
        struct File: Decodable { let cases: [Case] }
        do {
            let url = fixture("Text/text.json")
            return try JSONDecoder().decode(File.self, from: Data(contentsOf: url)).cases
        } catch {
            fatalError("text.json: \(error)")
        }
    }()

    private let writer = RichTextHTML(
        codeName: "Code", tableName: "Table", colorsCode: false, imageAddress: { $0 })

    @Test(arguments: cases)
    func blocksAreThoseOfTheVectors(example: Case) {
        let html = writer.html(of: RichText(example.source, form: .markdown))
        #expect(Array(html.utf8) == Array(example.html.utf8))
    }

    @Test(arguments: cases.filter { $0.optionHTML != nil })
    func optionsAreThoseOfTheVectors(example: Case) {
        let html = writer.optionHTML(of: RichText(example.source, form: .markdown))
        #expect(Array(html.utf8) == Array((example.optionHTML ?? "").utf8))
    }
}

/// HTML of hostile texts: no element and no attribute but the writer's own.
@Suite struct RichTextHTMLSafetyTests {
    private static let parts = [
        "<script>", "</p>", "<img src=x onerror=y>", "\"", "'", "&", "\" onclick=\"z", "*", "**",
        "`", "$", "$$",
        "[", "](https://a.b/\"x'<y>)", "](javascript:x)", "](a.png)", "![", "]", "\n", "\n- ",
        "\n| a |\n|--:|\n| ",
        "\n```\"x\n", "\\", " ", "a", "\\text{<b>}", "\\href{javascript:x}{y}", "\u{202E}",
        "\u{600}", "\u{301}",
    ]

    /// The start tags and end tags that may stand in a page, and the attributes of each.
    private static let tag =
        #"</?(p|em|strong|br|ul|li|table|thead|tbody|tr|math|m[a-z]+|span class="p"|td( class="[lcr]")?"#
        + #"|th scope="col"( class="[lcr]")?|ol( start="[0-9]+")?|code( class="(block|tex)")?( dir="ltr")?"#
        + #"|pre class="code" tabindex="0" role="region" aria-label="Code" dir="ltr""#
        + #"|div class="table" tabindex="0" role="region" aria-label="Table"|math dir="ltr"( display="block")?"#
        + #"|pre|th|td|span|div|ol|code|span class="code-[a-z]+"|img src="a\.png" alt="[^"<>]*""#
        + #"|a|a href="https://[^"<>]*" target="_blank" rel="noopener noreferrer""#
        + #"|m[a-z]+( (mathvariant|stretchy|fence|form|lspace|rspace|width|accent|class|linethickness)"#
        + #"="[a-z0-9.]+")*/?)>"#

    @Test(arguments: 0..<10)
    func noTextAddsMarkup(block: UInt64) throws {
        let tag = try Regex(Self.tag).matchingSemantics(.unicodeScalar)
        let writer = RichTextHTML(codeName: "Code", tableName: "Table", imageAddress: { $0 })
        for seed in block * 200..<(block + 1) * 200 {
            var random = SeededGenerator(seed: seed)
            let source = (0..<Int.random(in: 1...30, using: &random))
                .map { _ in Self.parts.randomElement(using: &random) ?? "" }.joined()
            for form in TextForm.allCases {
                let text = RichText(source, form: form)
                for html in [writer.html(of: text), writer.optionHTML(of: text)] {
                    let rest = html.replacing(tag, with: "")
                    #expect(!rest.utf8.contains { "<>".utf8.contains($0) }, "seed \(seed): \(html)")
                }
            }
        }
    }

    @Test func pictureWithoutAFileIsItsText() {
        let writer = RichTextHTML(codeName: "Code", tableName: "Table", imageAddress: { _ in nil })
        let text = RichText("![A <map>](map.png)", form: .markdown)
        #expect(writer.html(of: text) == "<p>[A &lt;map&gt;]</p>")
    }

    @Test func codeHasColours() {
        let writer = RichTextHTML(codeName: "Code", tableName: "Table", imageAddress: { _ in nil })
        let text = RichText("```swift\nlet a = 1\n```", form: .markdown)
        #expect(writer.optionHTML(of: text).contains("<span class=\"code-keyword\">let</span>"))
    }

    @Test func optionShowsTheLinesOfAList() {
        let writer = RichTextHTML(codeName: "Code", tableName: "Table", imageAddress: { _ in nil })
        let text = RichText("- *a*\n- b", form: .markdown)
        let html = "<span class=\"p\">• a</span><span class=\"p\">• b</span>"
        #expect(writer.optionHTML(of: text) == html)
    }

    @Test func paragraphsOfAnItemAreApart() {
        let writer = RichTextHTML(codeName: "Code", tableName: "Table", imageAddress: { _ in nil })
        let text = RichText("- a\n\n  b\n- c", form: .markdown)
        #expect(writer.html(of: text) == "<ul><li><p>a</p><p>b</p></li><li>c</li></ul>")
    }
}
