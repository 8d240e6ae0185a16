import ContentModel
import Foundation
import Importing
import Testing

@Suite struct AnkiTests {
    private func fixture(_ name: String) throws -> [UInt8] {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "Fixtures/" + name)
        return try [UInt8](Data(contentsOf: url))
    }

    @Test(arguments: ["legacy.apkg", "transitional.apkg", "modern.apkg"])
    func bothFormatsOfCollectionsComeIn(name: String) throws {
        let result = try imported(fixture(name), nil, file: name)
        #expect(result.format == .anki)
        #expect(result.skipped.isEmpty, "\(result.skipped)")
        #expect(result.questions.count == 8)
        let dog = try #require(result.questions.first { $0.stem == "der Hund" })
        #expect(dog.options[dog.correct[0]].text == "the dog" && dog.options.count == 4)
        #expect(dog.tags == ["animal"])
        let sheep = try #require(result.questions.first { $0.stem.contains("Schaf") })
        #expect(sheep.stem == "das Schaf & die Ziege")
        let colour = try #require(result.questions.first { $0.stem == "Which colour?" })
        #expect(colour.image == "red.png" && result.media["red.png"]?.count == 69)
        let gaps = result.questions.filter { $0.stem.contains("is the capital of") }
        #expect(
            Set(gaps.map(\.stem)) == [
                "[…] is the capital of Switzerland.", "Bern is the capital of [country].",
            ])
        #expect(result.notes.count { $0.message.contains("backs of other notes") } == 8)
        let again = try imported(fixture(name), nil, file: name)
        #expect(again.questions == result.questions)
    }

    @Test func theHistoryOfReviewsIsKept() throws {
        let result = try imported(fixture("modern.apkg"), nil, file: "modern.apkg")
        #expect(result.reviews.map(\.rating) == [3, 1, 4])
        let ids = Set(result.questions.map(\.id))
        #expect(result.reviews.allSatisfy { ids.contains($0.questionID) && $0.seconds > 1.7e9 })
    }

    @Test func aDeckOfCrowdAnki() throws {
        let deck = """
            {"__type__": "Deck", "crowdanki_uuid": "d", "name": "Deck", "media_files": [],
             "note_models": [{"crowdanki_uuid": "m", "name": "Basic", "type": 0,
               "flds": [{"name": "Front"}, {"name": "Back"}]}],
             "notes": [
              {"guid": "g1", "note_model_uuid": "m", "fields": ["uno", "one"], "tags": ["n"]},
              {"guid": "g2", "note_model_uuid": "m", "fields": ["dos", "two"], "tags": []}],
             "children": [{"notes": [
              {"guid": "g3", "note_model_uuid": "m", "fields": ["tres", "three"], "tags": []},
              {"guid": "g4", "note_model_uuid": "m", "fields": ["nada", ""], "tags": []}]}]}
            """
        let result = try imported(Array(deck.utf8), nil, file: "deck.json")
        #expect(result.format == .crowdAnki)
        #expect(result.questions.map(\.stem) == ["uno", "dos", "tres"])
        #expect(
            result.questions[0].options.count == 3 && result.questions[0].options[0].text == "one")
        #expect(result.skipped.map(\.reason) == ["the back has no text"])
    }

    @Test func aNoteWithItsOwnOptionsKeepsThem() throws {
        let deck = """
            {"__type__": "Deck", "note_models": [{"crowdanki_uuid": "m", "name": "Quiz",
              "flds": [{"name": "Question"}, {"name": "Q_1"}, {"name": "Q_2"}, {"name": "Q_3"},
              {"name": "Answers"}]}],
             "notes": [{"guid": "g", "note_model_uuid": "m", "tags": [],
               "fields": ["Which?", "yes", "no", "also", "1 0 1"]}]}
            """
        let result = try imported(Array(deck.utf8), nil, file: "deck.json")
        #expect(result.questions.map(\.correct) == [[0, 2]])
    }
}
