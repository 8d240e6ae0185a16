import Foundation
import PageRendering
import Testing

@testable import StudyWeb

@Suite struct ChartTextTests {
    /// Texts that authors and attackers write.
    static let hostile = [
        "</text></svg><script>alert(1)</script>", "\" onload=\"alert(1)", "' onload='alert(1)",
        "A & B < C > D", "&lt;b&gt;", "<!--", "]]>", "\u{0}\u{8}\u{1B}[31m", "\u{202E}abc\u{2066}",
        "`${x}`", "{{x}}{{{y}}}", "a\u{301}\u{200D}👩‍🚀", "",
    ]

    @Test func markupIsEscaped() {
        #expect(
            HTMLText.escaped("<a href=\"x\">Tom & 'Jerry'</a>")
                == "&lt;a href=&quot;x&quot;&gt;Tom &amp; &#39;Jerry&#39;&lt;/a&gt;")
        #expect(HTMLText.escaped("&amp;") == "&amp;amp;")
    }

    @Test func forbiddenCharactersAreReplaced() {
        #expect(HTMLText.escaped("a\u{0}b\u{1B}c\u{85}") == "a\u{FFFD}b\u{FFFD}c\u{FFFD}")
        #expect(HTMLText.escaped("\u{202E}\u{2066}") == "\u{FFFD}\u{FFFD}")
        #expect(HTMLText.escaped("a\t\r\nb") == "a\t\r\nb")
        // A combining mark after a letter of markup does not hide it.
        #expect(HTMLText.escaped("<\u{338}script>") == "&lt;\u{338}script&gt;")
    }

    /// The words put isolates around values that run against a language's direction.
    @Test func isolatesInPairsStayAndOthersAreReplaced() {
        #expect(HTMLText.escaped("\u{2068}A1\u{2069} <") == "\u{2068}A1\u{2069} &lt;")
        #expect(
            HTMLText.escaped("\u{2067}a\u{2066}b\u{2069}\u{2069}")
                == "\u{2067}a\u{2066}b\u{2069}\u{2069}")
        #expect(
            HTMLText.escaped("\u{2069}a\u{2068}b\u{2066}c\u{2069}")
                == "\u{FFFD}a\u{FFFD}b\u{2066}c\u{2069}")
    }

    @Test func otherTextStays() {
        for text in ["Español", "日本語", "العربية", "👩‍🚀 a\u{301}", "\u{200F}٪"] {
            #expect(HTMLText.escaped(text) == text)
        }
    }

    @Test(arguments: hostile, [false, true])
    func hostileTitlesStayText(text: String, isRightToLeft: Bool) throws {
        for chart in ChartSamples.all(id: "x", isRightToLeft: isRightToLeft, name: text) {
            let drawing = try ChartElements(chart.svg)
            let table = try ChartElements(chart.table.html(caption: chart.finding))

            #expect(drawing.all.allSatisfy { ChartElements.known.contains($0.name) })
            #expect(table.all.allSatisfy { ChartElements.known.contains($0.name) })
            #expect(!drawing.all.contains { $0.attributes.keys.contains("onload") })
        }
    }

    @Test func idOfAChartIsEscaped() throws {
        let chart = ChartSamples.columns().chart(id: "\"><script>", isRightToLeft: false)

        #expect(try ChartElements(chart.svg).all.allSatisfy { $0.name != "script" })
    }
}
