import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// An import is taken back whole, or not at all.
@Suite struct ImportUndoTests {
    private let folder: TemporaryFolder
    private let questions = """
        - id: capital   # asked each year
          type: single-choice
          difficulty: 4
          stem: What is the capital of Australia?
          options: [{ id: syd, text: Sydney }, { id: can, text: Canberra }]
          correct: [0]

        """
    private let corrected = """
        id,stem,A,B,correct
        capital,What is the capital of Australia?,Sydney,Canberra,B
        new,What is 2 + 2?,4,5,A

        """
    private let day = Date(timeIntervalSince1970: 1_796_083_200)

    private var content: String { folder.path + "/content" }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(
            "title: Places\nversion: 1.0.0\n", to: "content/exams/int/places/exam.yaml")
        try folder.write(questions, to: "content/exams/int/places/questions.yaml")
    }

    private func write(
        _ text: String, as file: String = "bank.csv", into exam: String = "int/places"
    ) throws -> ImportedFiles {
        var run = ExamImport(
            into: try ExamFolder(path: "\(content)/exams/\(exam)"),
            settings: ImportSettings(updatesBank: true))
        run.read(Array(text.utf8), file: file)
        #expect(run.failures.isEmpty)
        return try run.write(date: day)
    }

    /// The texts of the files of the exams, by their paths.
    private func files() throws -> [String: String] {
        let root = folder.url.appending(path: "content/exams")
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                var isFolder: ObjCBool = false
                _ = FileManager.default.fileExists(
                    atPath: root.path + "/" + path, isDirectory: &isFolder)
                return (path, isFolder.boolValue ? "" : try folder.text("content/exams/" + path))
            })
    }

    @Test func replacedAndNewFilesAreAsTheyWere() throws {
        let before = try files()
        let written = try write(corrected)
        #expect(try files() != before)
        let id = try #require(written.undoID)
        #expect(id == "2026-12-01-1")
        let undone = try ImportUndo(content: content).undo(id)
        #expect(undone.restored == ["exams/int/places/questions.yaml"])
        #expect(undone.removed == ["exams/int/places/questions-bank.yaml"])
        #expect(try files() == before)
        #expect(ImportUndo(content: content).ids.isEmpty)
    }

    @Test func aNewExamIsGoneWithItsFolders() throws {
        let before = try files()
        _ = try write("What is 2 + 2? {=4 ~5}\n", as: "sums.gift", into: "de/sums")
        #expect(folder.exists("content/exams/de/sums/exam.yaml"))
        _ = try ImportUndo(content: content).undo()
        #expect(try files() == before)
        #expect(!folder.exists("content/exams/de"))
    }

    @Test func aLaterEditStopsAllOfIt() throws {
        let id = try #require(try write(corrected).undoID)
        let edited = "content/exams/int/places/questions-bank.yaml"
        try folder.write(try folder.text(edited) + "# seen\n", to: edited)
        let after = try files()
        let error = #expect(throws: (any Error).self) {
            try ImportUndo(content: content).undo(id)
        }
        #expect(
            "\(try #require(error))".hasPrefix(
                "exams/int/places/questions-bank.yaml changed since the import 2026-12-01-1"))
        #expect(try files() == after && ImportUndo(content: content).ids == [id])
    }

    @Test func anInterruptedCallIsRepeated() throws {
        let before = try files()
        let id = try #require(try write(corrected).undoID)
        try folder.write(questions, to: "content/exams/int/places/questions.yaml")
        _ = try ImportUndo(content: content).undo(id)
        #expect(try files() == before)
    }

    @Test func anImportThatEndedBeforeItsFirstFileIsTakenBackToo() throws {
        let before = try files()
        let id = try #require(try write(corrected).undoID)
        try folder.write(questions, to: "content/exams/int/places/questions.yaml")
        try folder.remove("content/exams/int/places/questions-bank.yaml")
        _ = try ImportUndo(content: content).undo(id)
        #expect(try files() == before)
    }

    @Test func importsAreTakenBackFromTheNewestOn() throws {
        let before = try files()
        _ = try write(corrected)
        let between = try files()
        _ = try write(
            "id,stem,A,B,correct\ncapital,What is the capital of Australia?,Sydney,Perth,B\n")
        let undo = ImportUndo(content: content)
        #expect(undo.ids == ["2026-12-01-1", "2026-12-01-2"])
        #expect(throws: (any Error).self) { try undo.undo("2026-12-01-1") }
        #expect(try undo.undo().id == "2026-12-01-2")
        #expect(try files() == between)
        _ = try undo.undo()
        #expect(try files() == before)
        #expect(throws: (any Error).self) { try undo.undo() }
    }

    /// A picture that two imports show stays as long as one of them does.
    @Test func whatALaterImportNeedsIsNotTakenAway() throws {
        let picture = Data([0x89, 0x50, 0x4E, 0x47]).base64EncodedString()
        func moodle(_ stem: String) -> String {
            "<quiz><question type=\"truefalse\"><questiontext format=\"html\"><text><![CDATA[<p>\(stem) <img src=\"@@PLUGINFILE@@/a.png\"></p>]]></text><file name=\"a.png\" encoding=\"base64\">\(picture)</file></questiontext><answer fraction=\"100\"><text>true</text></answer><answer fraction=\"0\"><text>false</text></answer></question></quiz>"
        }
        let before = try files()
        let first = try #require(try write(moodle("One?"), as: "one.xml").undoID)
        let second = try #require(try write(moodle("Two?"), as: "two.xml").undoID)
        let after = try files()
        #expect(after.keys.filter { $0.hasPrefix("int/places/media/") }.count == 1)
        let undo = ImportUndo(content: content)
        let error = #expect(throws: (any Error).self) { try undo.undo(first) }
        #expect("\(try #require(error))".hasPrefix("The import \(second) needs "))
        #expect(try files() == after)
        _ = try undo.undo(second)
        _ = try undo.undo(first)
        #expect(try files() == before)
    }

    @Test func theNewestTwentyAreKept() throws {
        for number in 1...22 {
            _ = try write("id,stem,A,B,correct\nn\(number),What is \(number)?,4,5,A\n")
        }
        let ids = ImportUndo(content: content).ids
        #expect(ids.count == ImportUndo.countMax && ids.last == "2026-12-01-22")
        #expect(!folder.exists("content/.underway-imports/2026-12-01-2"))
    }

    @Test(arguments: ["../../secret", "underway.yaml", "exams/../underway.yaml", "exams//x"])
    func aRecordThatNamesAnotherPlaceIsRefused(path: String) throws {
        try folder.write("kept", to: "secret")
        let record =
            "{\"files\": [{\"file\": \"\(path)\", \"after\": \"\(Checksum(of: Array("kept".utf8)).hex)\"}]}"
        try folder.write(record, to: "content/.underway-imports/2026-12-01-1/import.json")
        #expect(throws: (any Error).self) { try ImportUndo(content: content).undo() }
        #expect(try folder.text("secret") == "kept" && folder.exists("content/underway.yaml"))
    }

    @Test(arguments: ["../2026-12-01-1", "2026-12-01-2", ""])
    func anUnknownImportIsSaidWithTheKnownOnes(id: String) throws {
        _ = try write(corrected)
        let error = #expect(throws: (any Error).self) {
            try ImportUndo(content: content).undo(id)
        }
        #expect("\(try #require(error))".contains("There are: 2026-12-01-1."))
    }

    @Test func gitDoesNotSeeWhatIsKept() throws {
        _ = try write(corrected)
        #expect(try folder.text("content/.underway-imports/.gitignore") == "*\n")
    }
}
