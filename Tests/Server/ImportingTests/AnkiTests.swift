import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

@Suite struct AnkiTests {
    private func fixture(_ name: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: TestSupport.fixture("Importing/" + name)))
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

    /// Writes a package with a collection that statements make.
    private func package(_ statements: String) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-c",
            "sys = __import__('sys'); d = __import__('sqlite3').connect(sys.argv[1]); d.executescript(sys.argv[2]);"
                + " d.commit(); d.close();"
                + " __import__('zipfile').ZipFile(sys.argv[3], 'w').write(sys.argv[1], 'collection.anki2')",
            folder.path + "/c", statements, folder.path + "/deck.apkg",
        ]
        try process.run()
        process.waitUntilExit()
        return try folder.read("deck.apkg")
    }

    @Test(arguments: [
        "CREATE VIEW notes AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x AS id, 'g' AS guid, 1 AS mid, '' AS tags, 'f' AS flds FROM c;",
        "CREATE TABLE notes (id INTEGER, guid TEXT, mid INTEGER, tags TEXT, flds TEXT AS (printf('%.*c', 100000000, 'x'))); INSERT INTO notes (id) VALUES (1);",
        "CREATE VIRTUAL TABLE notes USING fts5(id, guid, mid, tags, flds);",
    ])
    func aCollectionOfOtherThingsThanTablesIsRefused(statements: String) throws {
        let bytes = try package("CREATE TABLE col (models TEXT);" + statements)
        #expect {
            try imported(bytes, .anki)
        } throws: { error in
            (error as? ImportError)?.reason.contains("than a table") == true
        }
    }

    @Test func aFieldThatATemplateShowsOftenCostsLittle() throws {
        let field = String(repeating: "word ", count: 60_000)
        let front = String(repeating: "{{F}} ", count: 2_000)
        let deck = """
            {"notes":[{"guid":"g","fields":["\(field)","b"],"note_model_uuid":"m"},
            {"guid":"h","fields":["a","c"],"note_model_uuid":"m"},
            {"guid":"i","fields":["d","e"],"note_model_uuid":"m"}],
            "note_models":[{"crowdanki_uuid":"m","type":0,"flds":[{"name":"F"},{"name":"B"}],
            "tmpls":[{"name":"C","qfmt":"Is \(front)?","afmt":"{{B}}"}]}]}
            """
        let result = try imported(deck, .crowdAnki)
        #expect(result.skipped.map(\.reason).contains { $0.contains("16384 are allowed") })
        #expect(result.skipped.count == 1 && result.foundCount == 3)
    }

    @Test func aNoteWithoutANumberIsRead() throws {
        let statements = """
            CREATE TABLE col (models TEXT);
            INSERT INTO col VALUES ('{"1":{"name":"m","type":0,"flds":[{"name":"F"},{"name":"B"}],"tmpls":[]}}');
            CREATE TABLE cards (id INTEGER, nid INTEGER, ord INTEGER);
            CREATE TABLE revlog (id INTEGER, cid INTEGER, ease INTEGER, time INTEGER);
            CREATE TABLE notes (id INTEGER, guid TEXT, mid INTEGER, tags TEXT, flds TEXT);
            INSERT INTO notes VALUES (NULL, 'a', 1, '', 'Italy' || char(31) || 'Rome');
            INSERT INTO notes VALUES (2, 'b', 1, '', 'France' || char(31) || 'Paris');
            """
        let result = try imported(try package(statements), .anki)
        #expect(result.foundCount == 2 && result.questions.count + result.skipped.count == 2)
    }
}
