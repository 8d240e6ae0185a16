import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

@Suite struct ContentEditorTests {
    private let folder: TemporaryFolder
    private let editor: ContentEditor

    private static let questions = """
        # Questions by hand.
        - id: one # the first
          type: single-choice
          difficulty: 1
          stem: Which is it? # plain
          options: [{ id: a, text: it's a }, { id: b, text: "b, #2" }] # both short
          correct: [0]
          # about the next line
          explanation: |
            Two lines,

            and a third.

        # Between the questions.
        - id: two
          type: ordering
          difficulty: 2
          stem: "In which
            order?"
          options:
            - id: a
              text: long
                text # of two lines
            # the other
            - id: b
              text: 'b''s'
          correct: [1, 0]
        # The end.

        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(
            "title: Demo\nversion: \"1.0.0\"\n", to: "content/exams/int/demo/exam.yaml")
        try folder.write(Self.questions, to: Self.file)
        editor = try ContentEditor(folder: folder.path + "/content/")
    }

    private static let file = "content/exams/int/demo/questions.yaml"

    private func question(_ id: String) throws -> ContentPart {
        try editor.read(.question(id: id, bank: "int/demo"))
    }

    private func changed(
        _ part: ContentPart, _ edit: (inout [String: JSONValue]) -> Void
    ) throws -> ContentChange {
        guard case .object(var members)? = part.value else {
            Issue.record("no map")
            return part.replaced(byFile: [])
        }
        edit(&members)
        return try part.replaced(by: .object(members))
    }

    private func text(_ change: ContentChange) -> String {
        String(decoding: change.bytes, as: UTF8.self)
    }

    @Test(arguments: ["one", "two"])
    func aQuestionReplacedByItselfChangesNoByte(id: String) throws {
        let part = try question(id)
        #expect(part.file == "exams/int/demo/questions.yaml")
        let value = try #require(part.value)
        #expect(try part.replaced(by: value).bytes == Array(Self.questions.utf8))
    }

    @Test func aChangedStemLeavesEveryCommentInPlace() throws {
        let change = try changed(question("one")) { $0["stem"] = "What: is it?" }
        #expect(
            text(change)
                == Self.questions.replacing(
                    "stem: Which is it? #", with: "stem: \"What: is it?\" #"))
        #expect(try editor.check(change).isEmpty)
    }

    @Test func aByteOrderMarkStays() throws {
        let mark = "\u{FEFF}"
        let source = "[{id: one, stem: Which?}] # one line"
        try folder.write(mark + source, to: Self.file)
        let change = try changed(question("one")) { $0["stem"] = "What?" }
        #expect(change.bytes == Array((mark + source.replacing("Which?", with: "What?")).utf8))
    }

    @Test func partsDeepInAQuestionChangeAlone() throws {
        let change = try changed(question("two")) {
            $0["options"] = [["id": "a", "text": "long"], ["id": "b", "text": "c"]]
            $0["stem"] = "Which\norder?\n"
        }
        let wanted = Self.questions.replacing("text: long\n        text #", with: "text: long #")
            .replacing("text: 'b''s'", with: "text: c")
            .replacing("\"In which\n    order?\"", with: "|\n    Which\n    order?")
        #expect(text(change) == wanted)
    }

    @Test func membersComeAndGo() throws {
        let change = try changed(question("one")) {
            $0["explanation"] = nil
            $0["tags"] = ["x", "y"]
            $0["domain"] = "d"
        }
        let wanted = Self.questions
            .replacing(
                "  explanation: |\n    Two lines,\n\n    and a third.\n", with: ""
            )
            .replacing("correct: [0]\n", with: "correct: [0]\n  domain: d\n  tags: [x, y]\n")
        #expect(text(change) == wanted)
    }

    @Test func savingReplacesTheFileAndRefusesAChangedOne() throws {
        let part = try question("one")
        let change = try changed(part) { $0["difficulty"] = 3 }
        try editor.save(change)
        #expect(try folder.read(Self.file) == change.bytes)
        #expect(try question("one").value == part.value?.replacing("difficulty", 3))
        let late = #expect(throws: PublishingError.self) { try editor.save(change) }
        #expect(late?.code == .drift)
        #expect(late?.message.contains("changed since it was read") == true)
    }

    @Test func checkingNamesWhatTheChangeWouldBreak() throws {
        let change = try changed(question("two")) { $0["correct"] = [1] }
        let problems = try editor.check(change)
        #expect(problems.contains { $0.rule.severity == .error })
        #expect(problems.allSatisfy { $0.file == "exams/int/demo/questions.yaml" })
        #expect(try folder.read(Self.file) == Array(Self.questions.utf8))
    }

    @Test func aValueThatAnAliasSharesIsLeftToPeople() throws {
        let shared = """
            - { id: one, type: single-choice, difficulty: 1, stem: &s Both?,
                options: &o [{ id: a, text: x }, { id: b, text: y }], correct: [0] }
            - { id: two, type: single-choice, difficulty: 1, stem: *s, options: *o, correct: [1] }

            """
        try folder.write(shared, to: Self.file)
        let failure = #expect(throws: PublishingError.self) {
            try changed(question("one")) { $0["stem"] = "Other?" }
        }
        #expect(failure?.code == .invalidRequest)
        // The alias itself gives way to a value of its own, when nothing else has to change.
        let change = try changed(question("two")) { $0["correct"] = [0] }
        #expect(text(change) == shared.replacing("correct: [1]", with: "correct: [0]"))
    }

    @Test func announcementsAndAssetsAreParts() throws {
        try folder.write(
            "# Hello\nidentifier: 7\ntype: information\ntexts:\n  en: { title: A, content: B }\n",
            to: "content/announcements/7.yaml")
        try folder.write("{\n  \"a\": 1, \"b\": [true]\n}\n", to: "content/assets/f.json")
        try folder.write("bytes", to: "content/assets/deep/x.png")
        let announcement = try changed(editor.read(.announcement(7))) {
            $0["texts"] = ["en": ["title": "A", "content": "C"]]
        }
        #expect(text(announcement).hasPrefix("# Hello\n"))
        #expect(text(announcement).hasSuffix("{ title: A, content: C }\n"))
        let asset = try changed(editor.read(.asset("f.json"))) { $0["c"] = "new" }
        #expect(text(asset) == "{\n  \"a\": 1, \"b\": [true], \"c\": \"new\"\n}\n")
        let image = try editor.read(.asset("deep/x.png"))
        #expect(image.value == nil)
        try editor.save(image.replaced(byFile: [1, 2]))
        #expect(try folder.read("content/assets/deep/x.png") == [1, 2])
        #expect(throws: PublishingError.self) { try image.replaced(by: [:]) }
    }

    @Test func whatIsNotThereIsSaid() throws {
        for name in [
            ContentPartName.question(id: "three", bank: "int/demo"),
            .question(id: "one", bank: "../demo"), .announcement(1), .asset("../underway.yaml"),
        ] {
            let failure = #expect(throws: PublishingError.self) { try editor.read(name) }
            #expect(failure?.code == .noSuchContent)
        }
        let bank = #expect(throws: PublishingError.self) {
            try editor.read(.question(id: "one", bank: "int/nothing"))
        }
        #expect(bank?.message.hasSuffix("has no exam int/nothing. It has int/demo.") == true)
        let none = #expect(throws: PublishingError.self) { try ContentEditor(folder: folder.path) }
        #expect(none?.message.contains("`underway init \(folder.path)`") == true)
    }
}

extension JSONValue {
    /// The map with one member replaced.
    fileprivate func replacing(_ name: String, _ value: JSONValue) -> JSONValue? {
        guard case .object(var members) = self else { return nil }
        members[name] = value
        return .object(members)
    }
}
