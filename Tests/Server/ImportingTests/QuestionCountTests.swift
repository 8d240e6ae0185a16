import ContentModel
import Importing
import Testing

/// The count of a file is made by other means than its questions, so that a lost one is seen.
@Suite struct QuestionCountTests {
    @Test(arguments: [
        ("One? {=a ~b}\nTwo? {=a ~b}\n", ImportFormat.gift),
        ("::1::One? {=a\n::2::Two? {=a ~b}\n\n::3::Three? {=a ~b}\n", .gift),
        (
            "Q? A) x B) y\nAnswer: A\nR? A) x B) y\nAnswer: B\n\nS? A) x B) y\nAnswer: B\n",
            .markdown
        ),
        (
            """
            <quiz><question type="essay"><questiontext><text>One?</text></questiontext></question>
            <group><question type="essay"><questiontext><text>Two?</text></questiontext></question></group></quiz>
            """, .moodleXML
        ),
        (
            """
            <bank><assessmentItem identifier="a" title="a"/></bank>
            """, .qti
        ),
    ])
    func aQuestionThatItsReaderLosesFailsTheFile(text: String, format: ImportFormat) {
        let error = #expect(throws: ImportError.self) { try imported(text, format) }
        #expect(error?.file == "bank" && error?.reason.isEmpty == false)
    }

    @Test func theFailureSaysBothNumbersAndWhatToDo() {
        let error = #expect(throws: ImportError.self) {
            try imported("One? {=a ~b}\nTwo? {=a ~b}\n\nThree? {=a ~b}\n", .gift)
        }
        #expect(error?.description.contains("has 3 beginnings of questions, but 2") == true)
        #expect(error?.description.contains("blank lines") == true)
    }

    @Test(arguments: [
        ("What is \\{ and \\}? {=a ~b}\n\n// {not one}\n\n$CATEGORY: a{b}\n\nDescription\n", 2),
        ("::t::One? {\n=a\n~b\n}\n\n::u::Two? {=a ~b#f}\n", 2),
        ("Shade {=one ~two} of grey.\n\nEssay {}\n", 2),
        ("Two {=a ~b} gaps {=c ~d}.\n\nNext {=a ~b}\n", 2),
        ("Braces {=\\\\frac{a}{b} ~c}\n\nNext {=a ~b}\n", 2),
    ])
    func aWholeGIFTFileAddsUp(text: String, count: Int) throws {
        #expect(try imported(text, .gift).foundCount == count)
    }

    @Test(arguments: [
        ("One?\nA. x\nB. y\nANSWER: A\n\nOpen?\nA. x\nB. y\n\nTwo?\nA. x\nB. y\nANSWER: B\n", 3),
        ("One?\nA. x\nANSWER: A\nTwo?\nANSWER: B\n", 2),
        ("A. Smith wrote what?\nA. x\nB. y\nC. z\nANSWER: C\n", 1),
    ])
    func aWholeAikenFileAddsUp(text: String, count: Int) throws {
        #expect(try imported(text, .aiken).foundCount == count)
    }

    @Test func aWholeMarkdownFileAddsUp() throws {
        let text = """
            # Notes
            Some text. Answer: A

            ## One?
            - [ ] x
            - [x] y

            Answer: B

            ## Two?
            A) x
            B) y

            Answer: B
            ```
            A) a
            B) b
            Answer: A
            ```
            """
        #expect(try imported(text, .markdown).foundCount == 2)
    }

    @Test func rowsLinesAndElementsAreCountedWhetherTheyAreReadOrNot() throws {
        let table = try imported("stem,A,B,correct\nOne?,x,y,A\n,,,\nTwo?,x,y\nx,y,z,A,B,C\n", .csv)
        #expect(table.foundCount == 3 && table.questions.count == 1)
        let lines = try imported("{\"question\":\"q\"}\n\nnot JSON\n", .jsonLines)
        #expect(lines.foundCount == 2)
        let list = try imported("[{\"question\":\"q\"}, 1, null]", .json)
        #expect(list.foundCount == 3 && list.skipped.count == 3)
    }
}
