import ContentModel
import Importing
import Testing

/// Whether texts of GIFT are HTML: by their marks, else by all of the file at once.
@Suite struct GIFTFormTests {
    @Test func aBankAboutHTMLComesInExact() throws {
        let result = try imported(
            """
            What does the `<br>` tag do?{=A line break ~<b> is better#Not <i>}

            Which tag is bold?{=<b> ~<i> ~&lt;b&gt;}

            [moodle]What is <br> for?{=Breaks ~<p>####See <hr>}
            """, .gift)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(
            result.questions.map(\.stem) == [
                "What does the `<br>` tag do?", "Which tag is bold?", "What is <br> for?",
            ])
        #expect(result.questions[0].options.map(\.text) == ["A line break", "<b> is better"])
        #expect(result.questions[0].options[1].feedback == "Not <i>")
        #expect(result.questions[1].options.map(\.text) == ["<b>", "<i>", "&lt;b&gt;"])
        #expect(result.questions[2].explanation == "See <hr>")
    }

    @Test func aBankInHTMLIsRead() throws {
        let result = try imported(
            """
            <p>What is <b>10<sup>3</sup></b>?</p>{=<p>1000</p> ~<p>30</p>}

            [moodle]<p>Which &lt;tag&gt;?</p>{=<p>x &amp; y</p> ~z}
            """, .gift)
        #expect(result.questions.map(\.stem) == ["What is 10³?", "Which <tag>?"])
        #expect(result.questions.map { $0.options[0].text } == ["1000", "x & y"])
    }

    @Test func theMarkOfAQuestionIsThatOfItsAnswers() throws {
        let result = try imported(
            """
            [html]<p>One?</p>{=&lt;b&gt; ~[plain]<i>}

            [plain]<p>Two?</p>{=<b>x</b> ~[html]<i>y</i>}

            [markdown]**Three** `<p>`?{=<b>x</b> ~<i>y</i>}
            """, .gift)
        #expect(result.questions.map(\.stem) == ["One?", "<p>Two?</p>", "**Three** `<p>`?"])
        #expect(
            result.questions.map { $0.options.map(\.text) } == [
                ["<b>", "<i>"], ["<b>x</b>", "y"], ["<b>x</b>", "<i>y</i>"],
            ])
    }

    @Test(arguments: [(SourceTextForm.plain, "<p>a</p>"), (.html, "a")])
    func theSettingDecidesTextsWithoutAMark(form: SourceTextForm, stem: String) throws {
        var importer = QuestionImporter(settings: ImportSettings(textForm: form))
        let text = "<p>a</p>{=x ~y}\n\n[html]<p>b</p>{=x ~z}\n"
        let result = try importer.read(Array(text.utf8), file: "bank", format: .gift)
        #expect(result.questions.map(\.stem) == [stem, "b"])
    }

    @Test func noPictureIsLostWithoutANote() throws {
        let result = try imported(
            """
            [html]Look <img src\\="@@PLUGINFILE@@/lost.png">{=x ~y}

            [html]Fine{=x ~y#<img src\\="f.png">no####<img src\\="e.png">because}
            """, .gift)
        #expect(
            result.skipped.map(\.reason) == ["it shows \"lost.png\", which is not in the file"])
        #expect(
            Set(result.notes.map(\.message)) == [
                "the image \"f.png\" is not kept", "the image \"e.png\" is not kept",
            ])
    }

    @Test func manyTagsAndAnswersTakeLinearTime() throws {
        let tags = String(repeating: "[tag:t]", count: 20_000)
        let answers = String(repeating: "~b#c", count: 20_000)
        let time = try ContinuousClock().measure {
            let result = try imported("// \(tags)\nQ{=a\(answers)}\n", .gift)
            #expect(result.foundCount == 1)
        }
        #expect(time < .seconds(20), "\(time)")
    }

    @Test func aMarkBeforeACombiningCharacterIsAMark() throws {
        let text = "Which?{\u{301}=a ~b}\n\nNext?{=\u{301}x ~y}\n"
        let result = try imported(text, .gift)
        #expect(result.foundCount == 2 && result.questions.count == 2)
        #expect(result.questions[1].options[0].text == "\u{301}x")
    }
}
