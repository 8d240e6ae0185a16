import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Shapes in which people and programs write questions in Markdown.
@Suite struct MarkdownShapeTests {
    @Test(arguments: [
        "What is it? A) x B) y C) z Answer: B",
        "1. What is it? A) x B) y C) z **Answer: B**",
        "1. **What is it?** A. x B. y C. z *Answer:* B",
        "**What is it?** (A) x (B) y (C) z Correct answer: B",
        "What is it?\n- A: x\n- B: y\n- C: z\n\nAnswer: B",
        "What is it?\n\n- A: x\n- B: y\n- C: z\n\n**Answer: B**",
        "### What is it?\n* A. x\n* B. y\n* C. z\n\ncorrect: B",
        "What is it?\n- **A:** x\n- **B:** y\n- **C:** z\n\n**Correct:** B",
        "What is it?\n- a) x\n- b) y\n- c) z\n\nSolution: b",
        "1. What is it?\n   - A) x\n   - B) y\n   - C) z\n   - Answer: B",
        "Q1: What is it?\nA) x\nB) y\nC) z\nAns: B",
    ])
    func letteredOptionsAreFound(text: String) throws {
        let result = try imported(
            text + "\n\n" + text.replacing("it", with: "that") + "\n", .markdown)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(result.questions.count == 2)
        let question = try #require(result.questions.first)
        #expect(question.stem == "What is it?", "\(question.stem)")
        #expect(question.options.map(\.text) == ["x", "y", "z"])
        #expect(question.correct == [1])
    }

    @Test func picturesComeFromTheFolderOfTheFile() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("plan".utf8), to: "img/plan.png")
        let text = """
            ## Where? ![plan](img/plan.png)

            - [x] ![here](img/plan.png)
            - [ ] there

            ## Who? ![lost](lost.png)

            - [x] me
            - [ ] you

            """
        var importer = QuestionImporter()
        importer.pictures = PictureFolder(of: folder.path + "/bank.md")
        let result = try importer.read(Array(text.utf8), file: "bank.md")
        #expect(result.questions.map(\.stem) == ["Where?"])
        #expect(result.questions.map(\.image) == ["img/plan.png"])
        #expect(result.questions.first?.options.map(\.image) == ["img/plan.png", nil])
        #expect(result.media["img/plan.png"] == Array("plan".utf8))
        #expect(
            result.skipped.map(\.reason) == ["it shows \"lost.png\", which is not in the file"])
    }

    @Test func aListBelowAnExplanationTakesItsQuestionFromIt() throws {
        let text = """
            What is one?

            - [x] 1
            - [ ] 2

            It is the first.

            What is two?
            ```swift
            print(2)
            ```

            - [ ] 1
            - [x] 2

            > It is quoted.

            What is three?

            - [x] 3
            - [ ] 4
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["What is one?", "What is two?", "What is three?"])
        #expect(
            result.questions.map(\.explanation) == ["It is the first.", "It is quoted.", nil])
        #expect(result.questions.map { $0.code?.text } == [nil, "print(2)", nil])
    }

    @Test func rulesPartQuestionsAndAreNoText() throws {
        let text = """
            What is one?
            ------------
            - [x] 1
            - [ ] 2

            ---

            What is two?

            A) 1
            B) 2

            Answer: B

            ***

            What is three?
            A) 3
            B) 4
            Answer: A
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["What is one?", "What is two?", "What is three?"])
    }

    @Test func aQuestionWithoutItsAnswerDoesNotTakeTheNext() throws {
        let text = """
            1. What is one?
            A) 1
            B) 2

            2. What is two?
            A) 1
            B) 2

            3. What is three?
            A) 1
            B) 3
            Answer: B
            4. What is four?
            A) 4
            B) 5
            Answer: A
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["What is three?", "What is four?"])
        #expect(result.skipped.map(\.place) == ["line 1", "line 5"])
        #expect(result.skipped.allSatisfy { $0.reason.contains("Answer:") })
    }

    @Test func letteredOptionsBelowAListAreAQuestion() throws {
        let text = """
            What is one?
            - [x] 1
            - [ ] 2

            Because.

            What is two?
            A) 1
            B) 2
            Answer: B
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["What is one?", "What is two?"])
        #expect(result.questions.first?.explanation == "Because.")
    }

    @Test func anAnswerWithoutOptionsIsSaid() throws {
        let text = "## Which?\n1. foo\n2. bar\n\nAnswer: 2\n\n## Who?\n- [x] me\n- [ ] you\n"
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["Who?"])
        #expect(result.skipped.map(\.place) == ["line 1"])
    }

    @Test func aPictureOfAnExplanationIsNotShownWithTheQuestion() throws {
        let text = "## Which?\n- [x] a\n- [ ] b\n\nSee ![a](a.png)\n"
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.image) == [nil])
        #expect(result.notes.contains { $0.message.contains("a.png") })
    }

    @Test func boxesAreReadHoweverTheyAreTyped() throws {
        let text = """
            ## One
            - [x ] a
            - [] b
            - [ X ] c
            - [x](https://example.org)

            ## Two
            1. [ ] one
            2. [x] two
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.correct) == [[0, 2], [1]])
        #expect(result.questions.first?.options.map(\.text) == ["a", "b", "c"])
    }

    @Test func aListAndAnAnswerThatDisagreeAreRefused() throws {
        let text =
            "## One\n- [x] a\n- [ ] b\n\nAnswer: B\n\n## Two\n- [x] a\n- [ ] b\n\nAnswer: A\n"
        let result = try imported(text, .markdown)
        #expect(result.questions.map(\.stem) == ["Two"])
        #expect(result.skipped.map(\.place) == ["line 1"])
    }

    @Test func letteredLinesAboveAListAreItsQuestion() throws {
        let text = """
            ## Which statements are true?
            A. The first.
            B. The second.

            - [x] A
            - [ ] B

            ## And which?

            A) one
            B) two

            - [ ] only A
            - [x] both
            """
        let result = try imported(text, .markdown)
        #expect(result.questions.count == 2 && result.skipped.isEmpty)
        #expect(result.questions.last?.stem == "And which?\nA) one\nB) two")
    }

    @Test(arguments: [
        (
            "See [the map](https://a.org/m \"Map\") and [b](c).",
            "See the map (https://a.org/m) and b (c)."
        ),
        ("[a]: [b] [c](", "[a]: [b] [c]("), ("a[0](x) [](y) [z]( q)", "a0 (x) [](y) [z]( q)"),
        ("[[wiki]](d)", "[[wiki]](d)"), ("[one [two](e)", "[one two (e)"),
    ])
    func linksKeepTheirAddresses(stem: String, expected: String) throws {
        let result = try imported("## \(stem)\n- [x] a\n- [ ] b\n", .markdown)
        #expect(result.questions.map(\.stem) == [expected])
    }

    @Test(arguments: [
        "# \(String(repeating: " ", count: 20_000))x\u{2028}y",
        String(repeating: "![", count: 9_900) + "](", String(repeating: "[a](", count: 4_900),
    ])
    func aLongLineTakesLinearTime(line: String) throws {
        let clock = ContinuousClock()
        let time = clock.measure { _ = try? imported(line + "\n- [x] a\n- [ ] b\n", .markdown) }
        #expect(time < .seconds(30), "took \(time)")
    }
}
