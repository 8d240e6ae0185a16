import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// What stands beside a question in a record: passages, pictures, references.
@Suite struct PassageAndPictureTests {
    private let rows = """
        passage,question,A,B,answer,refs
        "The cat sat on the mat.",Where did the cat sit?,On the mat,On the hat,A,Page 3
        ,What is 1 + 1?,1,2,B,

        """

    private func read(
        _ text: String, _ file: String, _ settings: ImportSettings = ImportSettings(),
        pictures: PictureFolder? = nil
    ) throws -> ImportResult {
        var importer = QuestionImporter(settings: settings)
        importer.pictures = pictures
        let result = try importer.read(Array(text.utf8), file: file)
        #expect(result.foundCount == result.questions.count + result.skipped.count)
        return result
    }

    @Test func fieldsOfWhichNothingIsReadAreNamedWithBothWays() throws {
        let notes = try read(rows, "bank.csv").notes.map(\.message)
        #expect(notes.contains("the field \"passage\" of 1 record is not read"))
        #expect(
            notes.contains {
                $0.contains("--map \"explanation=") && $0.contains("--join \"stem=")
            })
    }

    @Test func aPassageComesBeforeTheStemAndAReferenceAfterTheExplanation() throws {
        let settings = ImportSettings(joins: ["stem": ["passage"], "explanation": ["refs"]])
        let result = try read(rows, "bank.csv", settings)
        #expect(
            result.questions.map(\.stem) == [
                "The cat sat on the mat.\n\nWhere did the cat sit?", "What is 1 + 1?",
            ])
        #expect(result.questions.map(\.explanation) == ["Page 3", nil])
        #expect(!result.notes.contains { $0.message.contains("is not read") })
    }

    @Test func aPassageThatIsNoTextIsNoted() throws {
        let json = """
            [{"question": "Who?", "options": ["a", "b"], "answer": "a", "passage": {"x": 1}},
             {"question": "Where?", "options": ["a", "b"], "answer": "a", "passage": ["one", "two"]}]
            """
        let result = try read(
            json, "bank.json", ImportSettings(joins: ["stem": ["passage"]]))
        #expect(result.questions.map(\.stem) == ["Who?", "one\ntwo\n\nWhere?"])
        #expect(
            result.notes.contains {
                $0.message == "the field \"passage\" is no text and was not joined"
            })
    }

    private let pictures = """
        question,A,B,answer
        "<p>What is this? <img src=""./figures/sign%201.png""></p>",A sign,A cat,A
        "<p>Which is red? <img src=""x.png""><img src=""y.png""></p>","<img src=""x.png"">","<img src=""y.png"">",A
        "<p>Which is lost? <img src=""../secret.png""></p>",One,Two,A

        """

    @Test func picturesBesideTheFileComeAlong() throws {
        let folder = try TemporaryFolder()
        try folder.write("sign", to: "bank/figures/sign 1.png")
        try folder.write("x", to: "bank/x.png")
        try folder.write("y", to: "bank/y.png")
        try folder.write("secret", to: "secret.png")
        let result = try read(
            pictures, "bank.csv", pictures: PictureFolder(of: folder.path + "/bank/bank.csv"))
        #expect(result.questions.map(\.image) == ["figures/sign 1.png", "x.png"])
        #expect(result.questions.last?.options.map(\.image) == ["x.png", "y.png"])
        #expect(result.media["figures/sign 1.png"] == Array("sign".utf8))
        #expect(
            result.skipped.map(\.reason) == ["it shows \"../secret.png\", which is not in the file"]
        )
        #expect(
            result.notes.map(\.message) == [
                "the texts with tags were read as HTML; --text plain keeps them as they are",
                "the image \"y.png\" is not kept; a question shows one",
            ])
    }

    @Test func namesThatNoRecordHasAreSaid() throws {
        let settings = ImportSettings(
            mapping: ["explanation": "refz"], joins: ["stem": ["passagee", "passage"]])
        let notes = try read(rows, "bank.csv", settings).notes.map(\.message)
        #expect(notes.filter { $0.hasPrefix("there is no field") }.count == 2)
    }

    @Test func aLinkOutOfTheFolderLeadsToNothing() throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "secret.png")
        try folder.write("", to: "bank/empty")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/bank/x.png", withDestinationPath: "../secret.png")
        let text = "question,A,B,answer,image\nWho?,a,b,A,x.png\n"
        let result = try read(
            text, "bank.csv", pictures: PictureFolder(of: folder.path + "/bank/bank.csv"))
        #expect(result.questions.isEmpty && result.media.isEmpty)
    }

    @Test func aMissingFieldIsSaidWithTheFieldsThatAreThere() throws {
        let result = try read("kysymys,A,B,oikein\nKuka?,a,b,2026\n", "bank.csv")
        #expect(
            result.skipped.map(\.reason) == [
                "it has no field for the question; its fields are \"A\", \"B\", \"kysymys\", \"oikein\"; --map names it, as in --map \"stem=kysymys\""
            ])
    }

    @Test func aTableInAnotherLanguageIsReadByTheNamesOfItsColumns() throws {
        let table = """
            Frage;Antwort A;Antwort B;Antwort C;Richtig;Bild B;Grund
            Was ist 1 + 1?;eins;zwei;drei;B;;Weil es so ist.
            Und 2 + 1?;eins;;drei;C;;
            """
        var mapping = ["stem": "Frage", "correct": "Richtig", "explanation": "Grund"]
        for letter in ["a", "b", "c"] {
            mapping["option_" + letter] = "Antwort " + letter.uppercased()
        }
        mapping["image_b"] = "Bild B"
        let result = try read(table, "bank.csv", ImportSettings(mapping: mapping))
        #expect(result.questions.map(\.correct) == [[1], [1]])
        #expect(
            result.questions.map { $0.options.map(\.text) } == [
                ["eins", "zwei", "drei"], ["eins", "drei"],
            ])
        #expect(result.questions.map(\.explanation) == ["Weil es so ist.", nil])
        #expect(!result.notes.contains { $0.message.contains("is not read") })
    }

    @Test(arguments: [
        ("stem", true), ("option_a", true), ("feedback_12", true), ("image_b", true),
        ("stemm", false), ("option_", false), ("option_ab", false), ("option", false), ("", false),
    ])
    func onlyKnownNamesCanBeMapped(name: String, isKnown: Bool) {
        #expect(ImportSettings.isMappable(name) == isKnown)
    }
}
