import ContentModel
import Foundation
import Testing

@testable import Importing

/// Questions whose options are items of lists: in Word, on web pages, in Markdown.
@Suite struct OutlineTests {
    private func keys(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    // MARK: Word

    @Test func aStarInEveryListIsTheKey() throws {
        var word = SampleDocument()
        word.add("Elements")
        word.add("Which is a metal?", level: 0)
        word.add("Oxygen", level: 1)
        word.add("*Iron", level: 1)
        word.add("Which are gases?", level: 0)
        word.add("Neon*", level: 1)
        word.add("Zinc", level: 1)
        word.add("* Argon", level: 1)
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(result.format == .docx && result.foundCount == 2)
        #expect(keys(result) == [["Iron"], ["Neon", "Argon"]])
        #expect(result.questions.map(\.stem) == ["Which is a metal?", "Which are gases?"])
        #expect(result.notes.contains { $0.message.contains("a star") })
    }

    @Test func aMarkThatOneListLacksIsNoKey() throws {
        var word = SampleDocument()
        word.add("Which is a metal?", level: 0)
        word.add("Oxygen", level: 1)
        word.add("Iron", level: 1, format: "<w:b/>")
        word.add("Which is a gas?", level: 0)
        word.add("Neon", level: 1)
        word.add("Zinc*", level: 1)
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(result.questions.isEmpty && result.skipped.count == 2)
        #expect(result.skipped.allSatisfy { $0.reason.contains("nothing shows") })
    }

    @Test(arguments: ["<w:b/>", "<w:highlight w:val=\"yellow\"/>", "<w:color w:val=\"FF0000\"/>"])
    func formatsOfWordAreMarks(format: String) throws {
        var word = SampleDocument()
        word.add("1. Which is a metal?")
        word.add("A) Oxygen")
        word.add("B) Iron", format: format)
        word.add("2. Which is a gas?")
        word.add("a. Neon", format: format)
        word.add("b. Zinc", format: "<w:b w:val=\"0\"/>")
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(keys(result) == [["Iron"], ["Neon"]])
        #expect(result.questions.first?.stem == "Which is a metal?")
    }

    @Test func marksAndAnswersMustAgree() throws {
        var word = SampleDocument()
        word.add("Which is a metal?", level: 0)
        word.add("*Oxygen", level: 1)
        word.add("Iron", level: 1)
        word.add("Answer: B")
        word.add("Which is a gas?", level: 0)
        word.add("*Neon", level: 1)
        word.add("Zinc", level: 1)
        word.add("Answer: A")
        word.add("It shines.")
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(keys(result) == [["Neon"]] && result.skipped.count == 1)
        #expect(result.skipped.first?.reason.contains("different options") == true)
        #expect(result.questions.first?.explanation == "It shines.")
    }

    @Test func whatWordAloneHasIsReadOrSaid() throws {
        var word = SampleDocument()
        word.addRaw(
            "<w:p><w:r><w:t>1. Is H</w:t></w:r><w:r><w:rPr><w:vertAlign w:val=\"subscript\"/></w:rPr><w:t>2</w:t></w:r><w:r><w:t>O wet?</w:t></w:r><w:del><w:r><w:delText>x</w:delText></w:r></w:del><w:ins><w:r><w:t> Say so.</w:t></w:r></w:ins></w:p>"
        )
        word.add("A) *Yes")
        word.add("A) Yes*")
        word.add("B) No")
        word.addRaw(
            "<w:p><w:r><w:t>2. Solve </w:t></w:r><m:oMath xmlns:m=\"m\"/><w:r><w:t>now?</w:t></w:r></w:p>"
        )
        word.add("A) one*")
        word.add("B) two")
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(result.skipped.contains { $0.reason.contains("formula") })
        #expect(
            result.notes.contains {
                $0.message.contains("1 deleted") && $0.message.contains("1 inserted")
            })
    }

    @Test func aTableOfQuestionsIsATable() throws {
        var word = SampleDocument()
        let row = { (cells: [String]) in
            "<w:tr>" + cells.map { "<w:tc><w:p><w:r><w:t>\($0)</w:t></w:r></w:p></w:tc>" }.joined()
                + "</w:tr>"
        }
        word.addRaw(
            "<w:tbl>" + row(["Question", "A", "B", "Answer"]) + row(["Which?", "x", "y", "B"])
                + "</w:tbl>")
        word.addRaw(
            "<w:tbl>" + row(["1. In a cell?"]) + row(["A) x*"]) + row(["B) y"]) + "</w:tbl>")
        let result = try imported(word.bytes(), nil, file: "bank.docx")
        #expect(Set(keys(result)) == [["y"], ["x"]])
    }

    @Test func aBrokenDocumentIsNamed() throws {
        var word = SampleDocument()
        word.addRaw("<w:p>")
        let bytes = try word.bytes()
        let error = #expect(throws: ImportError.self) {
            try imported(bytes, nil, file: "bank.docx")
        }
        #expect(error?.reason.contains("word/document.xml that is not well-formed") == true)
    }

    // MARK: Web pages

    @Test func aPageIsReadWithoutWhatIsAroundIt() throws {
        let result = try imported(
            Array(
                """
                <!DOCTYPE html><html><head><title>Answer: A</title></head><body><nav><ul><li>A. x</li><li>B. y</li></ul></nav>
                <h1>Elements</h1><div><p>Question 1: Which is a&nbsp;<b>metal</b>?</p>
                <ul><li>A. Oxygen</li><li class="option correct">B. Iron</li></ul><p><b>Correct Answer:</b> B</p><p>It rusts.</p></div>
                <p>2. Which is a gas?</p><div class="correct">A. Neon</div><div class="incorrect">B. Zinc</div>
                <script>document.write("<p>Answer: A</p>")</script><footer>Answer: B</footer></body></html>
                """.utf8), nil, file: "page")
        #expect(result.format == .html && result.foundCount == 2)
        #expect(keys(result) == [["Iron"], ["Neon"]])
        #expect(result.questions.map(\.stem) == ["Which is a metal?", "Which is a gas?"])
        #expect(result.questions.first?.explanation == "It rusts.")
    }

    // MARK: Markdown

    @Test func boxesNeedNoBullet() throws {
        let result = try imported(
            "#### Q1. Which?\n\n[ ] a\n[x] b\n\n#### Q2. Who?\n\n- [x] c\n- [ ] d\n", .markdown)
        #expect(
            keys(result) == [["b"], ["c"]] && result.questions.map(\.stem) == ["Which?", "Who?"])
    }

    @Test func numbersOfOptionsAreAnswers() throws {
        let result = try imported(
            """
            ## Question 1:
            Which is a metal?

            - It conducts.
            - It shines.

            1. Oxygen
            2. Iron

            <details><summary>Response:</summary>

            The correct answer is **2. Iron**

            It melts.
            </details>

            ## Question 2:
            Which is a gas?

            1. Neon
            2. Iron

            <details><summary>Answer</summary>
            1
            </details>

            """, .markdown)
        #expect(keys(result) == [["Iron"], ["Neon"]])
        #expect(result.questions[0].stem == "Which is a metal?\nIt conducts.\nIt shines.")
        #expect(result.questions[0].explanation == "It melts.")
    }

    @Test func boldOptionsAreKeysOnlyInAllLists() throws {
        let all =
            "1. Which is a metal?\n   - Oxygen\n   - **Iron**\n\n2. Which is a gas?\n   - **Neon**\n   - Zinc\n"
        #expect(try keys(imported(all, .markdown)) == [["Iron"], ["Neon"]])
        let one = try imported(all.replacing("**Neon**", with: "Neon"), .markdown)
        #expect(one.questions.isEmpty && one.foundCount == 2)
    }

    @Test func listsWithoutQuestionsAreNone() throws {
        let result = try imported("# Notes\n\nWe need:\n\n- milk\n- bread\n", .markdown)
        #expect(result.foundCount == 0)
    }

    // MARK: Counts

    @Test func aReaderThatLosesAListIsFound() throws {
        var word = SampleDocument()
        for number in 1...3 {
            word.add("\(number). Which?")
            word.add("A) a*")
            word.add("B) b")
        }
        let document = try ZipArchive(word.bytes(), file: "", allowsAnyName: true)
            .files["word/document.xml"]
        #expect(OutlineCount.word(document ?? []) == 3)
        #expect(
            OutlineCount.page("<p>Answer: A</p><b>Answer:</b> B<script>Answer: C</script>") == 2)
        #expect(OutlineCount.page("<li>A. x</li><li>B. y</li>") == 1)
        #expect(OutlineCount.markdown("1. a?\n   - b\n   - c\n\n2. d?\n   - e\n\nAnswer: x\n") == 2)
        #expect(OutlineCount.markdown("The correct answer is b\n```\nAnswer: c\n```\n") == 1)
    }
}
