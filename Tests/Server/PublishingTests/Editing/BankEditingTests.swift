import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

/// Questions are added to a file and changed in it, and nothing else of it changes.
@Suite struct BankEditingTests {
    private let folder: TemporaryFolder
    private let editor: ContentEditor

    private static let question: JSONValue = [
        "id": "new", "type": "single-choice", "difficulty": 1, "stem": "Which one: a or b?",
        "options": [["id": "a", "text": "This"], ["id": "b", "text": ""]], "correct": [0],
    ]

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(
            "title: Demo\nversion: \"1.0.0\"\n", to: "content/exams/int/demo/exam.yaml")
        editor = try ContentEditor(folder: folder.path + "/content")
    }

    private func append(to text: String, _ name: String = "questions.yaml") throws -> String {
        try folder.write(text, to: "content/exams/int/demo/\(name)")
        let change = try editor.appending(Self.question, to: "int/demo")
        try editor.save(change)
        return try folder.text("content/" + change.file)
    }

    private static let added = """
        - id: new
          type: single-choice
          stem: "Which one: a or b?"
          options:
            - { id: a, text: This }
            - { id: b, text: "" }
          correct: [0]
          difficulty: 1
        """

    @Test func aQuestionIsAddedBehindTheLastOne() throws {
        let one = "- id: one # kept\n  stem: A\n"
        #expect(try append(to: one + "# The end.\n") == one + Self.added + "\n# The end.\n")
    }

    @Test func theFileMayEndWithoutALineBreak() throws {
        #expect(try append(to: "- id: one") == "- id: one\n" + Self.added)
    }

    @Test func emptyLinesBetweenQuestionsAreKept() throws {
        let two = "- id: one\n\n- id: two\n  explanation: |\n    Text\n"
        #expect(try append(to: two) == two + "\n" + Self.added + "\n")
    }

    @Test func aListInAMapKeepsItsIndentation() throws {
        let text = "questions:\n  - id: one\n"
        let indented = Self.added.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        #expect(try append(to: text) == text + indented + "\n")
    }

    @Test func aListInBracketsStaysOne() throws {
        let text = try append(to: "[{ id: one }] # short\n")
        #expect(text.hasPrefix("[{ id: one }, { id: new,"))
        #expect(text.hasSuffix("}] # short\n"))
    }

    @Test func JSONStaysJSON() throws {
        let text = try append(to: "[\n  {\"id\": \"one\"}\n]\n", "questions.json")
        #expect(text.hasPrefix("[\n  {\"id\": \"one\"},\n  {"))
        #expect(text.hasSuffix("}\n]\n"))
    }

    @Test func anEmptyListGetsItsFirst() throws {
        let text = try append(to: "questions: []\n")
        #expect(text.contains("new"))
    }

    @Test func aBankWithoutAFileOfQuestionsIsSaid() throws {
        #expect(throws: PublishingError.self) {
            try editor.appending(Self.question, to: "int/demo")
        }
        #expect(throws: PublishingError.self) {
            try editor.appending(Self.question, to: "../demo")
        }
    }

    @Test func severalQuestionsChangeInTheirFiles() throws {
        try folder.write(
            "- id: one # kept\n  difficulty: 1\n- id: two\n  difficulty: 1\n",
            to: "content/exams/int/demo/questions-1.yaml")
        try folder.write(
            "- id: three\n  difficulty: 1\n- id: one\n  difficulty: 1\n",
            to: "content/exams/int/demo/questions-2.yaml")

        let changes = try editor.changes(in: "int/demo") { id, value in
            guard case .object(var members) = value, id != "two" else { return nil }
            members["difficulty"] = 5
            return .object(members)
        }

        let texts = changes.map { String(decoding: $0.bytes, as: UTF8.self) }
        #expect(
            texts == [
                "- id: one # kept\n  difficulty: 5\n- id: two\n  difficulty: 1\n",
                "- id: three\n  difficulty: 5\n- id: one\n  difficulty: 1\n",
            ])
    }

    @Test func aReadingHasTheProblemsOfAPublish() throws {
        try folder.write(
            """
            - { id: one, type: single-choice, difficulty: 1, stem: A?, options: [{ id: a, text: x }], correct: [0] }
            - { id: two, type: single-choice, difficulty: 1, stem: B?, image: b.png, options: [{ id: a, text: x }, { id: b, text: y }], correct: [0] }
            """, to: "content/exams/int/demo/questions.yaml")
        let banks = try BankFolder(editor.folder)

        let content = try banks.read(#require(banks.banks.first))

        #expect(
            content.questions.map { $0.problems.map(\.rule) } == [[.optionCount], [.missingMedia]])
        let published = try ContentChecker.check(folder: editor.folder)
        #expect(Set(content.questions.flatMap(\.problems)) == Set(published))
    }

    @Test(arguments: [
        ("one", "# two\n- id: two\n\n# three\n- id: three # last\n"),
        ("two", "- id: one # first\n  stem: A\n\n# three\n- id: three # last\n"),
        ("three", "- id: one # first\n  stem: A\n\n# two\n- id: two\n\n"),
    ])
    func aQuestionIsRemovedAndNothingElse(id: String, left: String) throws {
        let text =
            "- id: one # first\n  stem: A\n\n# two\n- id: two\n\n# three\n- id: three # last\n"
        try folder.write(text, to: "content/exams/int/demo/questions.yaml")
        let change = try editor.removing(id, from: "int/demo")
        try editor.save(change)
        #expect(
            try folder.text("content/exams/int/demo/questions.yaml").filter { $0 != "\n" }
                == left.filter { $0 != "\n" })
    }

    @Test(arguments: ["[{id: one}, {id: two}]\n", "questions: [{id: one}, {id: two}]\n"])
    func aQuestionAmongOthersOnALineIsRemoved(text: String) throws {
        try folder.write(text, to: "content/exams/int/demo/questions.yaml")
        try editor.save(try editor.removing("one", from: "int/demo"))
        let after = try folder.text("content/exams/int/demo/questions.yaml")
        #expect(!after.contains("one") && after.contains("two"))
        #expect(throws: PublishingError.self) { _ = try editor.removing("one", from: "int/demo") }
    }
}
