import ContentModel
import Importing
import Testing

/// Formulas and raised text of other programs' markup.
@Suite struct FormulaImportTests {
    private func stem(_ html: String) throws -> String? {
        let xml = """
            <quiz><question type="truefalse"><questiontext format="html"><text><![CDATA[\(html)]]></text></questiontext>
            <answer fraction="100"><text>true</text></answer><answer fraction="0"><text>false</text></answer>
            </question></quiz>
            """
        return try imported(xml, .moodleXML).questions.first?.stem
    }

    @Test(arguments: [
        ("10<sup>3</sup> m", "10³ m"), ("H<sub>2</sub>O", "H₂O"), ("the 1<sup>st</sup>", "the 1ˢᵗ"),
        ("x<sup>a+Q</sup>", "x^(a+Q)"), ("x<sub>Ω</sub>", "x_Ω"),
        ("2<sup>2<sup>2</sup></sup>", "2^(2²)"), ("a<sup></sup>b", "ab"),
        ("Is a <sup>1</sup>", "Is a ¹"), ("x<sup>2", "x²"),
    ])
    func raisedAndLoweredTextStaysApart(html: String, text: String) throws {
        #expect(try stem("<p>\(html)</p>") == text)
    }

    @Test(arguments: [
        (#"\(a<b, c>d\)"#, #"\(a<b, c>d\)"#), (#"$$x^2$$ is"#, #"\(x^2\) is"#),
        (#"\[ \frac{1}{2} \]"#, #"\(\frac{1}{2}\)"#), (#"\(a &lt; b\)"#, #"\(a < b\)"#),
        (#"\(a<br>+ b\)"#, #"\(a + b\)"#), ("It costs $5 or $6", "It costs $5 or $6"),
        (#"Open \( and <b>bold</b>"#, #"Open \( and bold"#), ("$$$$", "$$$$"),
        (#"<script type="math/tex">x<y</script>"#, #"\(x<y\)"#),
        ("<style>p { color: red }</style>Text", "Text"),
    ])
    func formulasInTeXKeepTheirSigns(html: String, text: String) throws {
        #expect(try stem("<p>\(html)</p>") == text)
    }

    @Test(arguments: [
        (
            "<math><mfrac><mn>1</mn><msqrt><mi>x</mi></msqrt></mfrac></math>",
            #"\(\frac{1}{\sqrt{x}}\)"#
        ),
        (
            "<math><msup><mrow><mo>(</mo><mi>a</mi><mo>)</mo></mrow><mn>2</mn></msup></math>",
            #"\({(a)}^{2}\)"#
        ),
        (
            "<math><semantics><mi>x</mi><annotation encoding=\"application/x-tex\">x_1</annotation></semantics></math>",
            #"\(x_1\)"#
        ),
        ("<m:math><m:mi>y</m:mi></m:math>", #"\(y\)"#), ("<math><mi>x</math>", "x"),
    ])
    func formulasInMathMLBecomeTeX(html: String, text: String) throws {
        #expect(try stem("<p>\(html)</p>") == text)
    }

    @Test func aCardKeepsItsFormulas() throws {
        let deck = """
            {"__type__": "Deck", "crowdanki_uuid": "x", "name": "d", "media_files": [], "children": [],
             "note_models": [{"crowdanki_uuid": "m", "flds": [{"name": "Front", "ord": 0}, {"name": "Back", "ord": 1}],
               "tmpls": [{"name": "t", "ord": 0, "qfmt": "{{Front}}", "afmt": "{{Back}}"}], "type": 0}],
             "notes": [
              {"guid": "1", "note_model_uuid": "m", "fields": ["[$]\\\\frac{1}{2}[/$] of [latex]$x$[/latex]?", "one"], "tags": []},
              {"guid": "2", "note_model_uuid": "m", "fields": ["<anki-mathjax>a&lt;b</anki-mathjax>?", "two"], "tags": []},
              {"guid": "3", "note_model_uuid": "m", "fields": ["Three?", "three"], "tags": []}]}
            """
        let stems = try imported(deck, .crowdAnki).questions.map(\.stem)
        #expect(stems == [#"\(\frac{1}{2}\) of \(x\)?"#, #"\(a<b\)?"#, "Three?"])
    }

    @Test func aLongTextOfMarksTakesLinearTime() throws {
        let marks = String(repeating: #"\( $$ [$] [latex] "#, count: 20_000)
        let clock = ContinuousClock()
        var stemCount = 0
        let time = try clock.measure { stemCount = try stem(marks)?.count ?? 0 }
        #expect(time < .seconds(30), "took \(time), \(stemCount) characters")
    }

    @Test func deepNestingTakesLinearTime() throws {
        let deep = String(repeating: "<sup>2", count: 50_000)
        let clock = ContinuousClock()
        var stemCount = 0
        let time = try clock.measure { stemCount = try stem(deep)?.count ?? 0 }
        #expect(time < .seconds(30), "took \(time), \(stemCount) characters")
    }

    @Test(arguments: [
        (
            #"<img class="equation_image" src="/equation_images/x" data-equation-content="\frac{1}{2}">"#,
            #"\(\frac{1}{2}\)"#
        ),
        (
            "<table><tr><td>a</td><td>b</td></tr><tr><td>1</td><td>2</td></tr></table>",
            "a | b\n1 | 2"
        ),
        (#"See <a href="https://example.org/x">here</a>."#, "See here (https://example.org/x)."),
        (#"<a href="https://example.org">https://example.org</a>"#, "https://example.org"),
        (#"<a href="/top">up</a>"#, "up"),
        (
            "<p>Is List<String> or Map<Int, Bool> <B>right</B>?</p>",
            "Is List<String> or Map<Int, Bool> right?"
        ),
    ])
    func elementsKeepWhatTheyMean(html: String, text: String) throws {
        #expect(try stem(html) == text)
    }
}
