import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

@Suite struct MoodleXMLTests {
    @Test func kindsOfQuestions() throws {
        let result = try imported(
            """
            <?xml version="1.0" encoding="ISO-8859-1"?>
            <quiz>
            <question type="category"><category><text>$course$/top/shapes</text></category></question>
            <question type="multichoice">
              <name><text>Red</text></name>
              <questiontext format="html">
                <text><![CDATA[<p>What colour is <img src="@@PLUGINFILE@@/red%20point.png"></p>]]></text>
                <file name="red point.png" path="/" encoding="base64">iVBORw0KGgo=</file>
              </questiontext>
              <generalfeedback format="html"><text>Look.</text></generalfeedback>
              <idnumber>colour-1</idnumber><single>true</single><shuffleanswers>0</shuffleanswers>
              <answer fraction="100"><text>red</text><feedback><text>yes</text></feedback></answer>
              <answer fraction="50"><text>reddish</text></answer>
              <answer fraction="0"><text>blue &amp; green</text></answer>
              <tags><tag><text>easy</text></tag></tags>
            </question>
            <question type="multichoice"><name><text>m</text></name>
              <questiontext><text>Which?</text></questiontext><single>false</single>
              <answer fraction="50"><text>a</text></answer><answer fraction="50"><text>b</text></answer>
              <answer fraction="-100"><text>c</text></answer></question>
            <question type="truefalse"><questiontext><text>True?</text></questiontext>
              <answer fraction="0"><text>true</text></answer><answer fraction="100"><text>false</text></answer></question>
            <question type="ordering"><questiontext><text>Order</text></questiontext>
              <answer fraction="1"><text>one</text></answer><answer fraction="2"><text>two</text></answer></question>
            <question type="essay"><questiontext><text>Write</text></questiontext></question>
            </quiz>
            """, .moodleXML)
        #expect(result.questions.count == 4 && result.foundCount == 5)
        let red = result.questions[0]
        #expect(red.id == "colour-1" && red.stem == "What colour is" && red.domain == "shapes")
        #expect(red.image == "red point.png" && result.media["red point.png"]?.count == 8)
        #expect(
            red.options.map(\.text) == ["red", "reddish", "blue & green"] && red.correct == [0])
        #expect(
            red.options[0].feedback == "yes" && !red.shufflesOptions && red.explanation == "Look.")
        #expect(
            result.questions.map(\.type) == [.singleChoice, .multiChoice, .singleChoice, .ordering])
        #expect(result.questions[1].correct == [0, 1] && result.questions[2].correct == [1])
        #expect(
            result.skipped.map(\.reason) == ["questions of the type \"essay\" are not supported"])
    }

    @Test func dangerousXMLIsRefused() {
        let bomb = """
            <!DOCTYPE quiz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>
            <quiz><question type="essay">&b;</question></quiz>
            """
        #expect(throws: ImportError.self) { try imported(bomb, .moodleXML) }
        let outside = """
            <!DOCTYPE quiz [<!ENTITY e SYSTEM "file:///etc/hostname">]>
            <quiz><question type="multichoice"><questiontext><text>&e;x</text></questiontext>
            <answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question></quiz>
            """
        let stems = (try? imported(outside, .moodleXML))?.questions.map(\.stem) ?? ["x"]
        #expect(stems == ["x"])
        let deep = String(repeating: "<a>", count: 5_000)
        #expect(throws: ImportError.self) { try imported(deep, .moodleXML) }
        #expect(throws: ImportError.self) { try imported("<quiz><question>", .moodleXML) }
        #expect(throws: ImportError.self) { try imported("<other/>", .moodleXML) }
    }

    @Test func whatMoodleHasAndWeDoNotIsNoted() throws {
        let result = try imported(
            """
            <quiz><question type="category"><category><text>$course$/top/Chapter 1: Loops</text></category></question>
            <question type="multichoice"><questiontext><text>Which?</text></questiontext><single>false</single>
              <answer fraction="100"><text>a</text></answer><answer fraction="10"><text>b</text></answer>
              <answer fraction="0"><text>c</text></answer>
              <correctfeedback><text>Your answer is correct.</text></correctfeedback>
              <incorrectfeedback><text>Read page 3.</text></incorrectfeedback>
              <hint format="html"><text>Think.</text></hint></question></quiz>
            """, .moodleXML)
        #expect(result.questions.first?.tags == ["Chapter 1: Loops"])
        #expect(
            result.notes.map(\.message) == [
                "the category \"Chapter 1: Loops\" is kept as a tag",
                "the feedback \"Read page 3.\" is not kept", "the hint \"Think.\" is not kept",
                "the part of 10.0 % for \"b\" is not kept",
            ])
    }
}

@Suite struct QTITests {
    @Test func anItemOfVersionTwo() throws {
        let result = try imported(
            """
            <assessmentItem xmlns="http://www.imsglobal.org/xsd/imsqti_v2p1" identifier="choice-1"
              title="Unattended" adaptive="false" timeDependent="false">
              <responseDeclaration identifier="R" cardinality="single" baseType="identifier">
                <correctResponse><value>ChoiceA</value></correctResponse></responseDeclaration>
              <itemBody><p>Look at the text:</p>
                <choiceInteraction responseIdentifier="R" shuffle="true" maxChoices="1">
                  <prompt>What does it say?</prompt>
                  <simpleChoice identifier="ChoiceA">Stay with<br/>your luggage.
                    <feedbackInline outcomeIdentifier="F" identifier="ChoiceA" showHide="show">Well done</feedbackInline></simpleChoice>
                  <simpleChoice identifier="ChoiceB" fixed="true">Leave it.</simpleChoice>
                </choiceInteraction></itemBody>
              <modalFeedback outcomeIdentifier="F" identifier="general" showHide="show">It is a sign.</modalFeedback>
            </assessmentItem>
            """, .qti)
        let item = try #require(result.questions.first)
        #expect(item.id == "choice-1" && item.stem == "Look at the text:\nWhat does it say?")
        #expect(
            item.options.map(\.id) == ["ChoiceA", "ChoiceB"] && item.correctOptionIDs == ["ChoiceA"]
        )
        #expect(
            item.options[0].text == "Stay with\nyour luggage."
                && item.options[0].feedback == "Well done")
        #expect(
            item.options[1].isPinned && item.shufflesOptions && item.explanation == "It is a sign.")
    }

    @Test func itemsOfVersionOne() throws {
        let result = try imported(
            """
            <questestinterop><assessment><section>
            <item ident="i1" title="Q"><presentation>
              <material><mattext texttype="text/html">&lt;p&gt;One &amp;amp; one?&lt;/p&gt;</mattext></material>
              <response_lid ident="r" rcardinality="Single"><render_choice>
                <response_label ident="x1"><material><mattext>two</mattext></material></response_label>
                <response_label ident="x2"><material><mattext>three</mattext></material></response_label>
              </render_choice></response_lid></presentation>
              <resprocessing><respcondition><conditionvar><varequal respident="r">x1</varequal></conditionvar>
                <setvar action="Set" varname="SCORE">100</setvar></respcondition></resprocessing>
              <itemfeedback ident="general_fb"><flow_mat><material><mattext>Because.</mattext></material></flow_mat></itemfeedback></item>
            <item ident="i2"><presentation><material><mattext>Which?</mattext></material>
              <response_lid ident="r" rcardinality="Multiple"><render_choice>
                <response_label ident="a"><material><mattext>A</mattext></material></response_label>
                <response_label ident="b"><material><mattext>B</mattext></material></response_label>
                <response_label ident="c"><material><mattext>C</mattext></material></response_label>
              </render_choice></response_lid></presentation>
              <resprocessing><respcondition><conditionvar><and><varequal respident="r">a</varequal>
                <not><varequal respident="r">b</varequal></not><varequal respident="r">c</varequal></and></conditionvar>
                <setvar>100</setvar></respcondition></resprocessing></item>
            <item ident="i3"><presentation><material><mattext>Write</mattext></material>
              <response_str ident="r"/></presentation></item>
            </section></assessment></questestinterop>
            """, .qti)
        #expect(result.questions.map(\.id) == ["i1", "i2"] && result.foundCount == 3)
        #expect(
            result.questions[0].stem == "One & one?"
                && result.questions[0].explanation == "Because.")
        #expect(result.questions[1].type == .multiChoice && result.questions[1].correct == [0, 2])
    }

    @Test func otherInteractionsAreNamed() throws {
        let result = try imported(
            """
            <qti-assessment-item identifier="x"><qti-item-body><qti-slider-interaction
            response-identifier="R"/></qti-item-body></qti-assessment-item>
            """, .qti)
        #expect(result.skipped.map(\.reason) == ["<qti-slider-interaction> is not supported"])
        #expect(throws: ImportError.self) { try imported("<html/>", .qti) }
    }
}

@Suite struct ArchiveTests {
    private func zip(_ python: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import zipfile\nz=zipfile.ZipFile('\(folder.path)/a.zip','w',zipfile.ZIP_DEFLATED)\n\(python)\nz.close()",
        ]
        try process.run()
        process.waitUntilExit()
        return try folder.read("a.zip")
    }

    private let item = """
        <assessmentItem identifier=\\"x\\"><responseDeclaration identifier=\\"R\\" cardinality=\\"single\\"><correctResponse><value>a</value></correctResponse></responseDeclaration><itemBody><p>Q?</p><choiceInteraction responseIdentifier=\\"R\\"><simpleChoice identifier=\\"a\\">A</simpleChoice><simpleChoice identifier=\\"b\\">B</simpleChoice></choiceInteraction></itemBody></assessmentItem>
        """

    @Test func entriesThatLeaveTheirFolderAreLeftOutAndNamed() throws {
        let bytes = try zip(
            """
            z.writestr('items/x.xml', "\(item)")
            z.writestr('../evil.xml', 'x')
            z.writestr('/etc/evil.xml', 'x')
            i=zipfile.ZipInfo('link.png'); i.create_system=3; i.external_attr=(0o120777<<16); z.writestr(i,'/etc/passwd')
            """)
        let result = try imported(bytes, .qti)
        #expect(result.questions.map(\.id) == ["x"])
        #expect(result.notes.map(\.place) == ["../evil.xml", "/etc/evil.xml", "link.png"])
    }

    /// Canvas names documents `.xml.qti`, Blackboard `.dat`; what is no QTI is named.
    @Test func documentsOfCartridgesAreFoundByTheirNames() throws {
        let bytes = try zip(
            """
            z.writestr('non_cc_assessments/a.xml.qti', \"\(item)\")
            z.writestr('res00001.DAT', '<x/>')
            z.writestr('web/page.XML', '<html/>')
            """)
        let result = try imported(bytes, nil, file: "course.imscc")
        #expect(result.questions.count == 1)
        #expect(
            result.notes.map(\.message).filter { $0.hasSuffix("is no QTI and was not read") }.count
                == 2)
    }

    /// Each question of Moodle has its own files, also where they have one name.
    @Test func filesOfOneNameStayApart() throws {
        func question(_ name: String, _ data: String) -> String {
            """
            <question type="multichoice"><questiontext format="html"><text><![CDATA[<p>\(name)?\
            <img src="@@PLUGINFILE@@/image.png"></p>]]></text>\
            <file name="image.png" encoding="base64">\(data)</file></questiontext>
            <answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer></question>
            """
        }
        let result = try imported(
            "<quiz>\(question("One", "QUFB"))\(question("Two", "QkJC"))\(question("Three", "QUFB"))\(question("Four", "!"))</quiz>",
            .moodleXML)
        let images = result.questions.prefix(3).map { $0.image.flatMap { result.media[$0] } }
        #expect(images == [Array("AAA".utf8), Array("BBB".utf8), Array("AAA".utf8)])
        #expect(
            result.notes.contains { $0.message.contains("\"image.png\" cannot be read") }
                || result.skipped.count == 1)
    }

    @Test func bombsAreLeftOut() throws {
        let bytes = try zip(
            "z.writestr('items/x.xml', \"\(item)\")\nz.writestr('bomb.png', b'0'*50000000)")
        let result = try imported(bytes, .qti)
        #expect(result.questions.count == 1)
        #expect(result.notes.map(\.message) == ["left out: it swells more than 250 times"])
    }

    @Test func damagedArchivesAreRefusedOrTheirEntriesNamed() throws {
        var bytes = try zip("z.writestr('items/x.xml', \"\(item)\")")
        #expect(throws: ImportError.self) { try imported(Array(bytes.prefix(40)), .qti) }
        bytes[60] ^= 0xFF
        let result = try? imported(bytes, .qti)
        #expect(result?.questions.isEmpty ?? true)
    }
}
