import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

@Suite struct FlashcardMediaTests {
    /// A deck with notes of two fields and one further, and a cloze.
    private func deck(_ notes: [[String]], cloze: [[String]] = []) -> String {
        let list = (notes.map { ($0, "m") } + cloze.map { ($0, "c") }).enumerated().map {
            index, note in
            let fields = note.0.map { "\"\($0.replacing("\"", with: "\\\""))\"" }
            return "{\"guid\": \"g\(index)\", \"note_model_uuid\": \"\(note.1)\", \"tags\": [],"
                + " \"fields\": [\(fields.joined(separator: ","))]}"
        }
        return """
            {"__type__": "Deck", "media_files": ["map.png"], "note_models": [
              {"crowdanki_uuid": "m", "name": "Basic", "type": 0,
               "flds": [{"name": "Front"}, {"name": "Back"}, {"name": "Extra"}]},
              {"crowdanki_uuid": "c", "name": "Cloze", "type": 1,
               "flds": [{"name": "Text"}, {"name": "Back Extra"}]}],
             "notes": [\(list.joined(separator: ","))]}
            """
    }

    private func read(_ deck: String, in folder: TemporaryFolder) throws -> ImportResult {
        var importer = QuestionImporter()
        importer.pictures = PictureFolder(of: folder.path + "/deck.json")
        let result = try importer.read(
            Array(deck.utf8), file: "deck.json", format: .crowdAnki)
        #expect(result.foundCount == result.questions.count + result.skipped.count)
        return result
    }

    @Test func picturesComeFromTheFolderOfTheDeck() throws {
        let folder = try TemporaryFolder()
        try folder.write(Array("map".utf8), to: "media/map.png")
        try folder.write(Array("red".utf8), to: "media/my red.png")
        try folder.write(Array("far".utf8), to: "secret.txt")
        let result = try read(
            deck([
                ["Which country?<img src=\"map.png\">", "Spain", ""],
                ["Which colour? <img src=my%20red.png>", "red", ""],
                ["Where? <img src=\"../secret.txt\"><img src=\"lost.png\">", "here", ""],
            ]), in: folder)
        #expect(result.questions.map(\.image) == ["map.png", "my red.png", nil])
        #expect(result.media["map.png"] == Array("map".utf8))
        #expect(result.media["my red.png"] == Array("red".utf8))
        let notes = result.notes.map(\.message)
        #expect(notes.contains("the image \"lost.png\" was not found"))
        #expect(notes.contains("the image \"../secret.txt\" was not found"))
    }

    @Test func noPictureIsLostWithoutANote() throws {
        let folder = try TemporaryFolder()
        for name in ["a", "b", "c", "d", "e", "f"] {
            try folder.write(Array(name.utf8), to: "media/\(name).png")
        }
        let result = try read(
            deck(
                [
                    [
                        "One?<img src=\"a.png\"><img src=\"b.png\">", "x<img src=\"c.png\">",
                        "see<img src=\"d.png\">[sound:s.mp3]",
                    ],
                    ["Two?", "<img src=\"e.png\">", ""], ["Three?", "y", ""],
                ],
                cloze: [
                    ["It is {{c1::red<img src=\"f.png\">}}.", "More"], ["It {{c1::goes}}.", ""],
                ]), in: folder)
        let notes = result.notes.map(\.message).filter { !$0.hasPrefix("its wrong") }
        #expect(
            notes == [
                "the image \"b.png\" is not kept", "the image \"d.png\" is not kept",
                "\"s.mp3\" is not kept", "the image \"c.png\" is not kept",
                "the image \"f.png\" is not kept",
            ])
        #expect(
            result.skipped.map(\.reason) == ["the back has no text, only the image \"e.png\""])
        #expect(result.questions[0].image == "a.png" && result.questions[0].explanation == "see")
        #expect(result.questions.first { $0.stem.contains("[…]") }?.explanation == "More")
    }
}
