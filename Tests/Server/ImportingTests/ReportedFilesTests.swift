import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// Files in the shape of those that people reported; `Tests/Fixtures/Importing/reported/README.md` says what is right.
@Suite struct ReportedFilesTests {
    private func read(_ name: String) throws -> ImportResult {
        let bytes = try [UInt8](Data(contentsOf: fixture("Importing/reported/\(name)")))
        return try imported(bytes, nil, file: name)
    }

    private func right(_ result: ImportResult) -> [[String]] {
        result.questions.map { question in question.correct.map { question.options[$0].text } }
    }

    private func texts(_ result: ImportResult) -> [String] {
        result.questions.flatMap { question in
            [question.stem, question.explanation ?? ""] + question.options.map(\.text)
        }
    }

    @Test func aSecondCounterMakesNoOptionRight() throws {
        #expect(right(try read("d2l-multiselect.xml")) == [["Oxygen", "Neon"]])
    }

    @Test func everyListOfAnObjectIsRead() throws {
        let result = try read("json-two-lists.json")
        #expect(right(result) == [["Iron"], ["True"], ["False"]])
        #expect(
            result.questions.map(\.tags) == [["MultipleChoice"], ["TrueOrFalse"], ["TrueOrFalse"]])
        #expect(result.notes.contains { $0.message.contains("$.TrueOrFalse (2)") })
    }

    @Test func foldedAnswersAreKeysAndNoText() throws {
        let result = try read("md-details.md")
        #expect(right(result) == [["Iron"], ["Neon"], ["Argon", "Neon"]])
        #expect(
            result.questions.map(\.stem) == [
                "Which of these is a metal?\nOne is right.",
                "Which is a gas at room temperature?", "Which two are gases? (Choose two.)",
            ])
        #expect(!texts(result).contains { $0.contains("<") || $0.contains("Practice test") })
    }

    @Test func noEntityStaysInATable() throws {
        let result = try read("opentdb-entities.json")
        #expect(result.questions.count == 3)
        #expect(!texts(result).contains { $0.contains(/&[A-Za-z]/) })
        #expect(result.questions[0].stem == "What does \"été\" mean – in English…?")
    }

    @Test func aCategoryDirectlyBelowABraceBeginsAnew() throws {
        let result = try read("gift-category.gift")
        #expect(right(result) == [["Iron"], ["Neon"]])
        #expect(result.questions.map(\.tags) == [["Part one"], ["Part two"]])
    }

    @Test func cardsAsTextAreCards() throws {
        let anki = try read("anki-notes.txt")
        #expect(right(anki) == [["Paris"], ["Rome"], ["Madrid"], ["Oslo"]])
        #expect(anki.questions.map(\.domain) == Array(repeating: "Geo", count: 4))
        #expect(anki.questions[0].tags == ["geo", "europe"])
        #expect(anki.questions[0].stem == "Capital of France?")
        let quizlet = try read("quizlet.txt")
        #expect(right(quizlet) == [["water"], ["table salt"], ["iron"], ["gold"]])
    }

    @Test func lettersBeforeOptionsGoAndTextsThatNameThemKeepTheOrder() throws {
        let result = try read("letters-in-options.json")
        #expect(right(result) == [["Iron"], ["Helium"]])
        #expect(result.questions.map(\.shufflesOptions) == [false, true])
        #expect(result.notes.contains { $0.message.contains("were removed") })
        #expect(result.notes.contains { $0.message.contains("stay in their order") })
    }
}
