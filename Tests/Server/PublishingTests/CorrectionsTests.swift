import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// Corrections of keys in a content folder: checked, published, and missed where a key changed without one.
@Suite struct CorrectionsTests {
    private let library: Library

    init() throws { library = try Library() }

    private static let exam = "content/exams/int/demo/corrections.yaml"

    private func version(_ question: String, in file: String) throws -> String {
        let bank = try Blueprint(released: library.folder.read("release/" + file))
        return try #require(bank.questions.first { $0.id == question }).contentVersion
    }

    private func entry(
        _ question: String, is key: String = "a", was: String = "b", _ versions: [String]
    ) -> String {
        "- question: \(question)\n  was: \(was)\n  is: \(key)\n  versions: [\(versions.map { "\"\($0)\"" }.joined(separator: ", "))]\n"
    }

    private static let unknown = "sha256:" + String(repeating: "0", count: 64)

    private func check() throws -> [Problem] { try ContentChecker.check(folder: library.content) }

    @Test func anExamAndATestCarryTheirCorrections() throws {
        try library.folder.write(entry("q1", [Self.unknown]), to: Self.exam)
        try library.folder.write(
            "corrections:\n" + entry("es-1", [Self.unknown]),
            to: "content/languages/es/corrections.yaml")
        #expect(try check() == [])
        try library.publish()
        let exam = try Blueprint(released: library.folder.read("release/exams/int/demo.json"))
        #expect(
            exam.corrections
                == [
                    GradeCorrection(question: "q1", versions: [Self.unknown], was: "b", is: "a")
                ])
        let test = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(test.corrections.map(\.question) == ["es-1"])
        try library.expectWhole()
    }

    @Test func aChangedFileOfCorrectionsBuildsItsBankAlone() throws {
        try library.publish()
        try library.folder.write(
            entry("es-1", [Self.unknown]), to: "content/languages/es/corrections.yaml")
        #expect(try library.publish().changed == ["blueprints/es.json"])
        #expect(try library.publish().isNew == false)
        try library.folder.write(
            entry("es-2", [Self.unknown]), to: "content/languages/es/corrections.yaml")
        let summary = try library.publish()
        #expect(summary.changed == ["blueprints/es.json"] && summary.unitsBuilt == 1)
        try library.folder.remove("content/languages/es/corrections.yaml")
        #expect(try library.publish().changed == ["blueprints/es.json"])
    }

    @Test(arguments: [
        ("q9", "a", "no question"), ("q1", "z", "cannot have the key"),
        ("q1", "c", "older than the key"),
    ])
    func aCorrectionThatTheBankContradictsIsAWarning(
        question: String, key: String, words: String
    ) throws {
        try library.folder.write(
            "# by hand\n" + entry(question, is: key, [Self.unknown]), to: Self.exam)
        let problems = try check()
        #expect(problems.map(\.rule) == [.staleCorrection])
        #expect(problems.first?.message.contains(words) == true)
        #expect(problems.first?.position.line == 2)
        #expect(problems.first?.file == "exams/int/demo/corrections.yaml")
    }

    @Test func aLaterCorrectionReplacesAnEarlierOneSilently() throws {
        try library.folder.write(
            entry("q1", is: "c", [Self.unknown]) + entry("q1", was: "c", [Self.unknown]),
            to: Self.exam)
        #expect(try check() == [])
        try library.folder.write(
            entry("q1", [Self.unknown]) + entry("q1", [Self.unknown]), to: Self.exam)
        #expect(try check().map(\.rule) == [.staleCorrection])
    }

    @Test func thePresentVersionIsNoWrongOne() throws {
        try library.publish()
        let present = try version("q1", in: "exams/int/demo.json")
        try library.folder.write(entry("q1", [present]), to: Self.exam)
        #expect(try check().first?.message.contains("present version") == true)
    }

    @Test func aFileThatCannotBeReadStopsAPublish() throws {
        try library.folder.write("- question: q1\n  is: a\n", to: Self.exam)
        #expect(throws: PublishingError.self) { try library.publish() }
    }

    @Test func aKeyThatChangedWithoutACorrectionIsNamed() throws {
        try library.publish()
        let before = try version("es-1", in: "blueprints/es.json")
        try library.folder.writeBlueprint("es", key: 1)
        let change = KeyChange(
            bank: "es", question: "es-1", version: before, was: "a", is: "b")
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        #expect(try publisher.status().uncorrected == [change])
        let diff = try ReleaseDiff.pending(publisher)
        #expect(diff.files.map(\.uncorrected) == [[change]])
        let summary = try library.publish()
        #expect(summary.uncorrected == [change])
        let data = try JSONEncoder().encode(summary)
        #expect(try JSONDecoder().decode(PublishSummary.self, from: data) == summary)
        #expect(try library.publish().uncorrected == [])
    }

    @Test func aCorrectionOfTheOldVersionIsEnough() throws {
        try library.publish()
        let before = try version("es-1", in: "blueprints/es.json")
        try library.folder.writeBlueprint("es", key: 1)
        try library.folder.write(
            entry("es-1", is: "b", was: "a", [before]),
            to: "content/languages/es/corrections.yaml")
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let file = try #require(try ReleaseDiff.pending(publisher).files.first)
        #expect(
            file.corrections == [.init(question: "es-1", was: "a", is: "b", versions: 1)])
        #expect(file.uncorrected == [] && file.questions.map(\.id) == ["es-1"])
        #expect(try library.publish().uncorrected == [])
    }

    /// An edit of the served file goes back to the file that each part came from.
    @Test func adoptionKeepsCorrectionsInTheirFile() throws {
        try library.folder.write(entry("q1", [Self.unknown]), to: Self.exam)
        try library.folder.write(
            entry("es-1", [Self.unknown]), to: "content/languages/es/corrections.yaml")
        try library.publish()
        for file in ["release/exams/int/demo.json", "release/blueprints/es.json"] {
            let bytes = try library.folder.read(file)
            let text = String(decoding: bytes, as: UTF8.self)
                .replacing("\"title\":\"", with: "\"title\":\"New ")
            try library.folder.remove(file)
            try library.folder.write(text, to: file)
        }
        try library.publish(drift: .adopt)
        #expect(
            try library.folder.read(Self.exam) == Array(entry("q1", [Self.unknown]).utf8))
        let exam = try Blueprint(released: library.folder.read("release/exams/int/demo.json"))
        #expect(exam.title == "New Exam" && exam.corrections.count == 1)
        let test = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(test.title == "New Test of es" && test.corrections.count == 1)
    }
}
