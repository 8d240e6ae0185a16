import ContentModel
import Testing

@testable import Importing

/// Types of Moodle that become questions of ours, and those that are refused.
@Suite struct MoodleTypeTests {
    private func read(_ questions: String...) throws -> ImportResult {
        try imported("<quiz>\(questions.joined(separator: "\n"))</quiz>", .moodleXML)
    }

    private func question(_ type: String, _ text: String, _ rest: String = "") -> String {
        "<question type=\"\(type)\"><questiontext format=\"html\"><text><![CDATA[\(text)]]></text></questiontext>\(rest)</question>"
    }

    @Test func oneGapOfChoicesIsAChoice() throws {
        let result = try read(
            question(
                "cloze",
                "<p>The metal is {1:MULTICHOICE:Neon#A gas\\~~=Iron \\} &lt;Fe&gt;~%50%Carbon}.</p>"
            ))
        let read = try #require(result.questions.first)
        #expect(read.stem == "The metal is _____." && read.correct == [1])
        #expect(read.options.map(\.text) == ["Neon", "Iron } <Fe>", "Carbon"])
        #expect(read.options[0].feedback == "A gas~")
        #expect(result.notes.contains { $0.message.contains("50") })
    }

    @Test(arguments: [
        ("How many? {1:NM:=26:0.5~%50%27:1}", "26:0.5"), ("How many? {:NUMERICAL:%100%-4}", "-4"),
        ("How many? {1:SA:=26~=26.0}", "26"),
    ])
    func oneGapOfANumberIsANumber(text: String, notation: String) throws {
        let result = try read(question("cloze", text))
        #expect(result.questions.first?.correctNumber?.notation == notation, "\(result.skipped)")
    }

    @Test(arguments: [
        "{1:MC:=Iron~Neon} and {1:MC:=Neon~Iron}", "No gap", "{1:SA:=iron}", "{1:MC:=a~=b~c}",
        "{1:NM:=1~=2}", "{1:MC:a~b}",
    ])
    func otherGapsAreRefused(text: String) throws {
        let result = try read(question("multianswer", text))
        #expect(result.foundCount == 1 && result.skipped.count == 1)
    }

    private let rows = """
        <subquestion><text>Fe</text><answer><text>Iron</text></answer></subquestion>
        <subquestion><text>Ne</text><answer><text>Neon</text></answer></subquestion>
        <subquestion><text></text><answer><text>Zinc</text></answer></subquestion>
        """

    @Test func eachRowOfAMatchingIsAQuestion() throws {
        let result = try read(question("matching", "Name it.", rows), question("essay", "Why?"))
        #expect(result.foundCount == 2 && result.importedCount == 1 && result.questions.count == 2)
        #expect(result.questions.map(\.stem) == ["Name it.\nFe", "Name it.\nNe"])
        #expect(result.questions.map(\.correct) == [[0], [1]])
        #expect(result.questions.allSatisfy { $0.options.map(\.text) == ["Iron", "Neon", "Zinc"] })
        #expect(result.notes.contains { $0.message.contains("became 2 questions") })
    }

    @Test func aMatchingIsImportedWholeOrNotAtAll() throws {
        let long = String(repeating: "x", count: 20_000)
        let spoilt = rows.replacing("<text>Ne</text>", with: "<text>\(long)</text>")
        let result = try read(question("matching", "Name it.", spoilt))
        #expect(result.questions.isEmpty && result.skipped.count == 1 && result.foundCount == 1)
    }

    @Test func aMatchingThatIsThereIsSkippedOnce() throws {
        let bytes = Array("<quiz>\(question("matching", "Name it.", rows))</quiz>".utf8)
        let first = try imported(bytes, .moodleXML)
        var importer = QuestionImporter(present: first.questions)
        let again = try importer.read(bytes, file: "bank", format: .moodleXML)
        #expect(again.questions.isEmpty && again.skipped.count == 1)
        var half = QuestionImporter(present: Array(first.questions.prefix(1)))
        let rest = try half.read(bytes, file: "bank", format: .moodleXML)
        #expect(rest.questions.count == 1 && rest.skipped.isEmpty && rest.importedCount == 1)
    }

    @Test func aShortAnswerOfOneNumberIsANumber() throws {
        let number =
            "<answer fraction=\"100\"><text>26</text></answer><answer fraction=\"100\"><text>26.0</text></answer>"
        let words =
            "<answer fraction=\"100\"><text>iron</text></answer><answer fraction=\"100\"><text>Fe</text></answer>"
        let result = try read(
            question("shortanswer", "How many?", number), question("shortanswer", "Name?", words))
        #expect(result.questions.first?.correctNumber?.notation == "26")
        #expect(result.skipped.first?.reason.contains("\"iron\", \"Fe\"") == true)
    }

    @Test(arguments: ["calculated", "gapselect", "ddwtos", "essay", "description"])
    func typesWithoutOursAreRefusedByName(type: String) throws {
        let result = try read(question(type, "Why?"))
        #expect(result.skipped.first?.reason.contains("\"\(type)\"") == true)
    }
}
