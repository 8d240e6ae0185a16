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
}
