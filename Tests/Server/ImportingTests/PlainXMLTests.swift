import ContentModel
import Foundation
import Importing
import Testing

/// XML documents with marks on which Foundation's parser ends the process.
@Suite struct PlainXMLTests {
    private func read(_ prolog: String) throws -> ImportResult {
        let quiz = """
            <quiz><question type="multichoice"><name><text>One</text></name>
            <questiontext format="html"><text><![CDATA[<p>What is <!DOCTYPE> and <!ENTITY>?</p>]]></text></questiontext>
            <answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>
            </question></quiz>
            """
        var importer = QuestionImporter()
        return try importer.read(Array((prolog + quiz).utf8), file: "bank.xml", format: .moodleXML)
    }

    @Test(arguments: [
        "", "<?xml version=\"1.0\"?>\n<!DOCTYPE quiz SYSTEM \"a>b.dtd\">\n",
        "<!DOCTYPE quiz [\n<!ELEMENT quiz (question*)>\n<!ATTLIST quiz a CDATA \"]>\">\n<!-- ]> -->\n]>\n",
        "<?xml version=\"1.0\"?>\n<?xml-stylesheet href=\"a.css\"?>\n",
        "<?page?>\n", "<!-- <![CDATA[ --><?page?><!-- <? --><?a b?><?c?>",
        "<!-- <!DOCTYPE x [ --><!DOCTYPE quiz PUBLIC \"-//X//Y\" 'z.dtd' [ <?pi ]> ?> ] >",
    ])
    func whatIsNoContentIsPassedOver(prolog: String) throws {
        #expect(try read(prolog).questions.count == 1)
    }

    @Test func theLineOfAMistakeIsThatOfTheFile() {
        #expect {
            try read(
                "<?xml version=\"1.0\"?>\n<!DOCTYPE quiz [\n<!-- \n -->\n]>\n<?a\nb?><x a=\"<\"/>")
        } throws: { error in
            (error as? ImportError)?.reason.contains("at line 7") == true
        }
    }

    @Test func anInstructionIsPassedOverAndCodeKept() throws {
        let quiz = """
            <quiz><?page?><question type="multichoice"><name><text>One</text></name>
            <questiontext format="plain_text"><text>What does <![CDATA[<?php &amp; ?>]]><?break?> do?</text></questiontext>
            <answer fraction="100"><text>a</text></answer><answer fraction="0"><text>b</text></answer>
            </question></quiz><?end?>
            """
        var importer = QuestionImporter()
        let result = try importer.read(Array(quiz.utf8), file: "bank.xml", format: .moodleXML)
        #expect(result.questions.map(\.stem) == ["What does <?php &amp; ?> do?"])
    }

    @Test(arguments: [
        "<!--> <a --><!DOCTYPE quiz [<!ELEMENT quiz ANY><!ENTITY e \"boom\">]>",
        "<!DOCTYPE quiz [<!ENTITY a \"b\">]>",
        "<!DOCTYPE quiz [<!ENTITY % a SYSTEM \"file:///etc/passwd\"> %a;]>",
        "<!DOCTYPE quiz><!DOCTYPE quiz [<!ENTITY a \"b\">]>", "<!DOCTYPE quiz [", "<!DOCTYPE",
        "<!DOCTYPE quiz [<!ELEMENT", "<!DOCTYPE quiz \"", "<!--",
        "<!DOCTYPE quiz><!DOCTYPE quiz [<!NOTATION n SYSTEM \"x\">]>",
        "<!DOCTYPE quiz><!DOCTYPE quiz [<!ATTLIST question z NMTOKENS #IMPLIED>]>",
        "<!EOCTYPE quiz><!DOCTYPE quiz [<!NOTATION n SYSTEM \"x\">]>",
        "<?xml version=\"1.0\"?><?xml version=\"1.0\" encoding=\"UTF-7\"?><!EOCTYPE quiz><!DOCTYPE quiz [<!NOTATION n SYSTEM \"x\">]>",
        "<?xml", "<quiz><!-- x --\u{1E}</quiz><?page?>", "<a b=\"<?page?>\"/>",
        "<a b='<!-- c -->'/>",
        "<![CDATA[ x", "<quiz/><!DOCTYPE quiz [<!NOTATION n SYSTEM \"x\">]>",
        "<?xml version=\"1.0\"?><?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE quiz [+ADw-+ACE-NOTATION n SYSTEM +ACI-x+ACI-+AD4-]+AD4-",
        "<?xml version=\"1.0\"?>\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-7\"?>+ADwAIQ-DOCTYPE quiz [+ADw-+ACE-NOTATION n SYSTEM +ACI-x+ACI-+AD4-]+AD4-",
        "<!DOCTYPE quiz><!DOCTYPE quiz><?xml version=\"1.0\" encoding=\"UTF-7\"?>",
    ])
    func whatDeclaresEntitiesOrNeverEndsIsRefused(prolog: String) {
        #expect(throws: ImportError.self) { try read(prolog) }
    }
}
