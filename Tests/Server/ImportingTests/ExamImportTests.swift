import ContentModel
import Foundation
import Importing
import QuestionEngine
import TestSupport
import Testing

@Suite struct ExamImportTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
    }

    private func begin() throws -> ExamImport {
        ExamImport(into: try ExamFolder(path: folder.path + "/content/exams/int/swift"))
    }

    private let gift = Array("Is it so? {T}\n\nWhich? {=This ~That}\n\nWrite. {}\n".utf8)

    @Test func filesAreWrittenAndAddUp() throws {
        var run = try begin()
        run.read(gift, file: "bank.gift")
        let written = try run.write(title: "Swift")
        #expect(written.paths.contains { $0.hasSuffix("exam.yaml") } && written.paths.count == 2)
        let summary = run.summary(written: written, reviewsKept: 0, isDry: false)
        #expect(summary.files.map(\.found) == [3] && summary.files.map(\.imported) == [2])
        #expect(summary.files[0].skipped.count == 1 && summary.failures.isEmpty)
        let questions = try ExamFolder(path: run.folder.path).blueprint.questions
        #expect(questions.map(\.stem) == ["Is it so?", "Which?"])
    }

    @Test func nothingIsWrittenWhenAFileCannotBeRead() throws {
        var run = try begin()
        run.read(gift, file: "bank.gift")
        run.read(Array("<quiz><question".utf8), file: "broken.xml", format: .moodleXML)
        #expect(run.failures.map(\.file) == ["broken.xml"] && run.failures[0].code == .syntax)
        #expect(try run.write(title: "Swift").paths.isEmpty)
        #expect(run.pastAnswers.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: run.folder.path))
    }

    @Test func aFileWithoutAQuestionIsAFailureThatSaysWhatHelps() throws {
        var run = try begin()
        run.read(gift, file: "bank.gift")
        run.read(Array("{\"items\": []}".utf8), file: "empty.json")
        run.read(Array("stem,a,b,correct\n".utf8), file: "empty.csv")
        #expect(run.failures.map(\.file) == ["empty.json", "empty.csv"])
        #expect(run.failures.map(\.code) == [.noQuestion, .noQuestion])
        #expect(run.failures.last?.description.contains("--format") == true)
        #expect(try run.write(title: "Swift").paths.isEmpty)
    }

    @Test func aSummaryHasANoteOnceWithItsCountAndFirstPlaces() throws {
        var run = try begin()
        let cards = (1...5).map { "Front \($0)\tBack \($0)\n" }.joined()
        run.read(Array(cards.utf8), file: "deck.txt", format: .cards)
        let summary = run.summary(written: ImportedFiles(), reviewsKept: 0, isDry: true)
        let notes = try JSONValue(encoding: summary.files[0].notes)
        #expect(
            notes == [
                [
                    "code": "cards", "place": "line 1", "count": 5,
                    "message": "its wrong answers are the backs of other notes",
                    "places": ["line 1", "line 2", "line 3"],
                ]
            ])
        #expect(run.results[0].notes.count == 5)
    }

    @Test func aSummaryIsTheJSONOfTheCommand() throws {
        var run = try begin()
        run.read(Array("Which? {=This ~That}\n\nWrite. {}\n".utf8), file: "bank.gift")
        let summary = run.summary(
            written: ImportedFiles(paths: ["x.yaml"]), reviewsKept: 2, isDry: true)
        let json = try JSONValue(encoding: summary)
        let skipped = try #require(summary.files[0].skipped.first)
        #expect(
            json == [
                "files": [
                    [
                        "file": "bank.gift", "format": "gift", "encoding": "UTF-8", "found": 2,
                        "imported": 1, "questions": 1, "replaced": 0, "differences": [],
                        "skipped": [
                            [
                                "code": "type-unsupported", "place": .string(skipped.place),
                                "reason": .string(skipped.reason),
                            ]
                        ],
                        "notes": [], "media": 0, "reviews": 0,
                    ]
                ],
                "failures": [], "written": ["x.yaml"], "reviewsKept": 2, "dry": true,
            ])
        #expect(try json.decoded() == summary)
    }

    @Test func pastReviewsBecomeAnswersOfTheExam() throws {
        var run = try begin()
        let deck = try Data(contentsOf: fixture("Importing/modern.apkg"))
        run.read([UInt8](deck), file: "modern.apkg")
        let ids = Set(run.results[0].questions.map(\.id))
        #expect(run.pastAnswers.map(\.isCorrect) == [true, false, true])
        #expect(run.pastAnswers.map { $0.rating?.rawValue } == [3, 1, 4])
        #expect(run.pastAnswers.allSatisfy { ids.contains($0.questionID) && $0.mode == .study })
    }

    @Test(arguments: [
        ("bank.gift", ExportFormat.gift), ("bank.zip", .qti3), ("bank.csv", .csv),
        ("bank.xlsx", .xlsx), ("bank.xml", .moodleXML), ("bank.txt", .cards), ("bank", nil),
    ])
    func anExportsFormatIsChosenByTheFile(file: String, format: ExportFormat?) {
        #expect(ExportFormat(file: file) == format)
    }

    @Test func anImportWithoutQuestionsLeavesNoFolder() throws {
        var run = try begin()
        run.read(Array("Write. {}\n".utf8), file: "bank.gift")
        #expect(try run.write(title: "Swift").paths.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/content/exams"))
    }
}
