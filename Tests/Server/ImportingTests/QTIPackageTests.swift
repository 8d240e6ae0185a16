import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Packages and cartridges in the shapes of other programs.
@Suite struct QTIPackageTests {
    private func package(_ files: [String: String], name: String = "bank.zip") throws
        -> ImportResult
    {
        let folder = try TemporaryFolder()
        for (path, text) in files { try folder.write(text, to: "in/" + path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-m", "zipfile", "-c", folder.path + "/bank.zip", folder.path + "/in/.",
        ]
        try process.run()
        process.waitUntilExit()
        return try imported(folder.read("bank.zip"), nil, file: name)
    }

    private func item(
        _ body: String, head: String = "", after: String = "", attributes: String = ""
    ) -> String {
        """
        <assessmentItem identifier="i" adaptive="false" timeDependent="false" \(attributes)>
        <responseDeclaration identifier="R" cardinality="single" baseType="identifier">
          <correctResponse><value>A</value></correctResponse></responseDeclaration>\(head)
        <itemBody>\(body)<choiceInteraction responseIdentifier="R" shuffle="true" maxChoices="1">
          <prompt>Which?</prompt>
          <simpleChoice identifier="A">One</simpleChoice><simpleChoice identifier="B">Two</simpleChoice>
        </choiceInteraction></itemBody>\(after)</assessmentItem>
        """
    }

    @Test func everyEntryIsReadShownOrNamed() throws {
        let result = try package([
            "a.xml": item("<p><img src=\"used.png\"/></p>"), "used.png": "png", "readme.txt": "x",
            "wiki/page.html": "<p>y</p>", "other.xml": "<other/>",
        ])
        #expect(result.questions.count == 1)
        #expect(
            result.notes.contains {
                $0.message
                    == "2 files of the package stand in no imported question: readme.txt, wiki/page.html"
            })
        #expect(result.notes.contains { $0.place == "other.xml" })
    }

    @Test func anItemInTwoPlacesIsImportedOnce() throws {
        let manifest = """
            <manifest><resources><resource type="imsqti_item_xmlv2p2" href="gone.xml"/>\
            <resource type="imsqti_item_xmlv2p2" href="a.xml"/></resources></manifest>
            """
        let result = try package([
            "imsmanifest.xml": manifest, "a.xml": item(""), "copy/a.xml": item(""),
        ])
        #expect(result.foundCount == 3 && result.questions.count == 1 && result.skipped.count == 2)
        #expect(result.skipped.contains { $0.place == "gone.xml" })
        #expect(result.skipped.contains { $0.reason.contains("there already") })
    }

    @Test func aStimulusComesBeforeTheStem() throws {
        let reference =
            "<qti-assessment-stimulus-ref identifier=\"s\" href=\"../texts/cat.xml\"/>"
        let stimulus = """
            <qti-assessment-stimulus identifier="s" title="Cat"><qti-stimulus-body>
            <p>The cat sat.</p><p><img src="cat.png" alt=""/></p></qti-stimulus-body></qti-assessment-stimulus>
            """
        let result = try package([
            "items/one.xml": item("", head: reference), "texts/cat.xml": stimulus,
            "texts/cat.png": "png",
        ])
        #expect(result.questions.map(\.stem) == ["The cat sat.\n\nWhich?"])
        #expect(result.questions.map(\.image) == ["texts/cat.png"])
        #expect(result.notes.isEmpty)
        let alone = try imported(item("", head: reference), .qti)
        #expect(
            alone.skipped.map(\.reason) == [
                "its text \"../texts/cat.xml\" is not in the file; import the whole package"
            ])
    }

    @Test func picturesInObjectsAreShown() throws {
        let result = try package([
            "items/one.xml": item(
                "<p>See <object data=\"../media/a%20b.png\" type=\"image/png\">a plan</object></p>"),
            "media/a b.png": "png",
        ])
        #expect(result.questions.map(\.image) == ["media/a b.png"])
        #expect(result.media["media/a b.png"] == Array("png".utf8))
    }

    @Test func aPictureInItsReferenceIsKept() throws {
        let png = Data("png".utf8).base64EncodedString()
        let result = try imported(
            item("<p>See <img src=\"data:image/png;base64,\(png)\"/></p>"), .qti)
        let name = try #require(result.questions.first?.image)
        #expect(name.hasPrefix("image-") && name.hasSuffix(".png"))
        #expect(result.media[name] == Array("png".utf8))
        let drawn = try imported(item("<p>See <svg><text>Zz</text></svg></p>"), .qti)
        #expect(drawn.questions.map(\.stem) == ["See\nWhich?"])
        #expect(drawn.notes.map(\.message) == ["\"a drawing in <svg>\" is not kept"])
    }

    @Test func feedbackInTheBodyIsNoStem() throws {
        let body = """
            <p>Read: <feedbackInline outcomeIdentifier="F" identifier="x" showHide="show">It was A.</feedbackInline></p>
            """
        let after = """
            <modalFeedback outcomeIdentifier="F" identifier="right" showHide="show">Good.</modalFeedback>
            <modalFeedback outcomeIdentifier="F" identifier="wrong" showHide="show">Try again.</modalFeedback>
            """
        let question = try #require(try imported(item(body), .qti).questions.first)
        #expect(question.stem == "Read:\nWhich?" && question.explanation == "It was A.")
        let both = try imported(item("", after: after), .qti)
        #expect(both.questions.map(\.explanation) == ["Good."])
        #expect(both.notes.map(\.message) == ["the feedback \"Try again.\" is not kept"])
    }

    @Test func whatChangesForEachLearnerIsRefusedByName() throws {
        let template =
            "<templateDeclaration identifier=\"T\" cardinality=\"single\" baseType=\"integer\"/>"
        let result = try package([
            "a.xml": item("", head: template),
            "b.xml": item("").replacing("adaptive=\"false\"", with: "adaptive=\"true\""),
        ])
        #expect(
            result.skipped.map(\.reason) == [
                "its template makes new values for each learner, which is not supported",
                "adaptive items, which go on after an answer, are not supported",
            ])
    }

    @Test func instructionsAreAPartAndRubricsOfScorersAreNot() throws {
        let body = """
            <rubricBlock view="candidate"><p>Read the text.</p></rubricBlock>
            <rubricBlock view="scorer"><p>One mark.</p></rubricBlock>
            """
        #expect(try imported(item(body), .qti).questions.map(\.stem) == ["Read the text.\nWhich?"])
    }

    @Test func theBestOfAMappingIsTheKey() throws {
        let mapped = item("").replacing(
            "<correctResponse><value>A</value></correctResponse>",
            with:
                "<mapping><mapEntry mapKey=\"A\" mappedValue=\"0.5\"/><mapEntry mapKey=\"B\" mappedValue=\"1\"/></mapping>"
        )
        #expect(try imported(mapped, .qti).questions.map(\.correct) == [[1]])
    }

    // MARK: Cartridges

    private func canvas(
        _ kind: String, _ presentation: String, _ processing: String, _ rest: String = ""
    ) -> String {
        """
        <questestinterop><assessment ident="q" title="Quiz"><section ident="root_section">
        <item ident="g1" title="Question"><itemmetadata><qtimetadata>
        <qtimetadatafield><fieldlabel>question_type</fieldlabel><fieldentry>\(kind)</fieldentry></qtimetadatafield>
        <qtimetadatafield><fieldlabel>original_answer_ids</fieldlabel><fieldentry>1,2</fieldentry></qtimetadatafield>
        </qtimetadata></itemmetadata>
        <presentation><material><mattext texttype="text/html">&lt;p&gt;What? \
        &lt;img src="$IMS-CC-FILEBASE$/Uploaded%20Media/sign.png?canvas_=1"&gt;&lt;/p&gt;</mattext></material>\(presentation)</presentation>
        <resprocessing><outcomes><decvar maxvalue="100" minvalue="0" varname="SCORE" vartype="Decimal"/></outcomes>
        \(processing)</resprocessing>\(rest)</item></section></assessment></questestinterop>
        """
    }

    @Test func aCartridgeOfCanvas() throws {
        let choice = """
            <response_lid ident="response1" rcardinality="Single"><render_choice>
            <response_label ident="1"><material><mattext texttype="text/plain">Stop</mattext></material></response_label>
            <response_label ident="2"><material><mattext texttype="text/html">&lt;b&gt;Go&lt;/b&gt;</mattext></material></response_label>
            </render_choice></response_lid>
            """
        let processing = """
            <respcondition continue="Yes"><conditionvar><varequal respident="response1">2</varequal></conditionvar>
            <displayfeedback feedbacktype="Response" linkrefid="2_fb"/></respcondition>
            <respcondition continue="No"><conditionvar><varequal respident="response1">1</varequal></conditionvar>
            <setvar action="Set" varname="SCORE">100</setvar></respcondition>
            """
        let feedback = """
            <itemfeedback ident="2_fb"><flow_mat><material><mattext>No.</mattext></material></flow_mat></itemfeedback>
            <itemfeedback ident="correct_fb"><flow_mat><material><mattext>Well done.</mattext></material></flow_mat></itemfeedback>
            <itemfeedback ident="general_incorrect_fb"><flow_mat><material><mattext>Look again.</mattext></material></flow_mat></itemfeedback>
            """
        let modules = "<modules><module><items><item identifier=\"m\"/></items></module></modules>"
        let result = try package(
            [
                "imsmanifest.xml":
                    "<manifest><organizations><organization><item/></organization></organizations></manifest>",
                "course_settings/module_meta.xml": modules,
                "g/assessment_qti.xml": canvas(
                    "multiple_choice_question", choice, processing, feedback),
                "web_resources/Uploaded Media/sign.png": "png",
                "non_cc_assessments/essay.xml.qti": canvas(
                    "essay_question", "<response_str ident=\"r\"/>", ""),
                "non_cc_assessments/number.xml.qti": canvas(
                    "numerical_question", "<response_str ident=\"r\"><render_fib/></response_str>",
                    """
                    <respcondition><conditionvar><or><varequal respident="r">4</varequal><and>
                    <vargte respident="r">3.5</vargte><varlte respident="r">4.5</varlte></and></or></conditionvar>
                    <setvar action="Set" varname="SCORE">100</setvar></respcondition>
                    """),
            ], name: "course.imscc")
        let question = try #require(result.questions.first { $0.type == .singleChoice })
        #expect(question.stem == "What?" && question.correct == [0])
        #expect(question.image == "web_resources/Uploaded Media/sign.png")
        #expect(
            question.options.map(\.text) == ["Stop", "Go"] && question.options[1].feedback == "No.")
        #expect(question.explanation == "Well done.")
        #expect(result.notes.contains { $0.message == "the feedback \"Look again.\" is not kept" })
        let number = result.questions.first { $0.type == .numericEntry }
        #expect(
            number?.correctNumber
                == NumericKey(
                    .range(from: DecimalNumber("3.5") ?? 0, to: DecimalNumber("4.5") ?? 0)))
        #expect(
            result.skipped.map(\.reason) == [
                "<response_str> that takes no number is not supported (essay_question)"
            ])
    }

    @Test func aPoolOfBlackboard() throws {
        let pool = """
            <questestinterop><assessment title="Pool"><section>
            <item maxattempts="0"><itemmetadata><bbmd_asi_object_id>_1_1</bbmd_asi_object_id>
            <bbmd_questiontype>Multiple Choice</bbmd_questiontype></itemmetadata>
            <presentation><flow class="Block"><flow class="QUESTION_BLOCK"><flow class="FORMATTED_TEXT_BLOCK"><material>
            <mat_extension><mat_formattedtext type="HTML">&lt;p&gt;Which is &amp;lt; 3?&lt;/p&gt;</mat_formattedtext></mat_extension>
            </material></flow></flow><flow class="RESPONSE_BLOCK"><response_lid ident="response" rcardinality="Single" rtiming="No">
            <render_choice shuffle="Yes" minnumber="0" maxnumber="0">
            <flow_label class="Block"><response_label ident="aa" shuffle="Yes"><flow_mat class="FORMATTED_TEXT_BLOCK"><material>
            <mat_extension><mat_formattedtext type="HTML">Two</mat_formattedtext></mat_extension></material></flow_mat></response_label></flow_label>
            <flow_label class="Block"><response_label ident="bb" shuffle="Yes"><flow_mat class="FORMATTED_TEXT_BLOCK"><material>
            <mat_extension><mat_formattedtext type="HTML">Four</mat_formattedtext></mat_extension></material></flow_mat></response_label></flow_label>
            </render_choice></response_lid></flow></flow></presentation>
            <resprocessing scoremodel="SumOfScores"><outcomes><decvar varname="SCORE" vartype="Decimal" defaultval="0.0" minvalue="0.0" maxvalue="1.0"/></outcomes>
            <respcondition title="correct"><conditionvar><varequal respident="response" case="No">aa</varequal></conditionvar>
            <setvar variablename="SCORE" action="Set">SCORE.max</setvar><displayfeedback linkrefid="correct" feedbacktype="Response"/></respcondition>
            <respcondition title="incorrect"><conditionvar><other/></conditionvar><setvar variablename="SCORE" action="Set">0.0</setvar>
            <displayfeedback linkrefid="incorrect" feedbacktype="Response"/></respcondition>
            <respcondition><conditionvar><varequal respident="bb" case="No"/></conditionvar></respcondition></resprocessing>
            <itemfeedback ident="correct" view="All"><flow_mat class="Block"><flow_mat class="FORMATTED_TEXT_BLOCK"><material>
            <mat_extension><mat_formattedtext type="HTML">Yes.</mat_formattedtext></mat_extension></material></flow_mat></flow_mat></itemfeedback>
            </item></section></assessment></questestinterop>
            """
        let result = try package(["res00001.dat": pool, "imsmanifest.xml": "<manifest/>"])
        let question = try #require(result.questions.first)
        #expect(
            question.stem == "Which is < 3?" && question.options.map(\.text) == ["Two", "Four"])
        #expect(question.correctOptionIDs == ["aa"] && question.shufflesOptions)
        #expect(question.explanation == "Yes.")
    }

    private func keyed(_ correct: [String], mapping: String = "", processing: String = "") -> String
    {
        """
        <assessmentItem identifier="i" adaptive="false" timeDependent="false">
        <responseDeclaration identifier="R" cardinality="multiple" baseType="identifier">
          <correctResponse>\(correct.map { "<value>\($0)</value>" }.joined())</correctResponse>\(mapping)</responseDeclaration>
        <itemBody><p>Which? <object data="x.png" type="image/png">instead</object></p>
        <choiceInteraction responseIdentifier="R" maxChoices="0">
          <simpleChoice identifier="A">One</simpleChoice><simpleChoice identifier="B">Two</simpleChoice>
        </choiceInteraction></itemBody>\(processing)</assessmentItem>
        """
    }

    @Test func aKeyThatNamesNoOptionIsRefused() throws {
        for key in [["A", "Z"], ["Z"]] {
            let result = try imported(keyed(key), .qti)
            #expect(result.skipped.map(\.reason) == ["its key \"Z\" names no option"])
        }
    }

    @Test func aMappingThatDecidesMustAgreeWithTheKey() throws {
        let mapping = """
            <mapping defaultValue="0"><mapEntry mapKey="A" mappedValue="1"/><mapEntry mapKey="B" mappedValue="0"/></mapping>
            """
        let processing =
            "<responseProcessing template=\"http://www.imsglobal.org/question/qti_v2p1/rptemplates/map_response\"/>"
        let result = try imported(keyed(["B"], mapping: mapping, processing: processing), .qti)
        #expect(result.questions.isEmpty && result.skipped.count == 1)
    }

    @Test func aPackageSaysWhatItsManifestNamesAndItLacks() throws {
        let manifest = """
            <manifest><resources><resource identifier="a" type="imsqti_item_xmlv2p1" href="one.xml"><file href="one.xml"/><file href="lost.css"/></resource>
            <resource identifier="b" type="imsqti_item_xmlv2p1" href="gone.xml"><file href="gone.xml"/></resource></resources></manifest>
            """
        let result = try package([
            "imsmanifest.xml": manifest, "one.xml": keyed(["A"]), "x.png": "png",
        ])
        #expect(result.questions.map(\.stem) == ["Which?"])
        #expect(result.questions.first?.image == "x.png")
        #expect(result.skipped.map(\.place) == ["gone.xml"])
        #expect(result.notes.map(\.place).contains("lost.css"))
    }
}
