import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Publishing

/// The entry that a corrected key appends to the bank's file of corrections.
@Suite struct CorrectionNoteTests {
    private let library: Library

    init() throws { library = try Library() }

    private static let file = "content/languages/es/corrections.yaml"

    /// Publishes the test of Spanish with a key for its first question, and returns the question's version.
    @discardableResult
    private func publish(key: Int, stem: String = "One?") throws -> String {
        try library.folder.writeBlueprint("es", key: key, stem: stem)
        try library.publish()
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        return bank.questions[0].contentVersion
    }

    private func correction(
        _ wrong: String, _ right: String, versions: [String] = []
    ) throws -> KeyCorrection {
        try KeyCorrection(
            in: ContentEditor(folder: library.content), bank: "es", question: "es-1", from: wrong,
            to: right,
            regrading: RegradeScope(
                releaseDirectory: library.release, versions: versions, day: "2026-05-03"))
    }

    private var text: String {
        get throws { String(decoding: try library.folder.read(Self.file), as: UTF8.self) }
    }

    @Test func theVersionsThatAskedTheSameWithTheWrongKeyAreNamedBackToAnotherKey() throws {
        try publish(key: 1)
        try publish(key: 2)
        let first = try publish(key: 1, stem: "Two?")
        // The key may have been right before the text was another.
        try publish(key: 1, stem: "Three?")
        try library.folder.writeBlueprint("es", key: 1, stem: "Two?")
        let path = "content/languages/es/blueprint.yaml"
        let text = try library.folder.text(path)
        try library.folder.write(
            text.replacing("difficulty: 1", with: "difficulty: 2", maxReplacements: 1), to: path)
        try library.publish()
        let second = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
            .questions[0].contentVersion
        let history = KeyHistory(of: "es-1", in: "es", releaseDirectory: library.release)
        #expect(history.all.map(\.key) == ["b", "b", "b", "c", "b"] && history.unread == nil)
        #expect(history.key(before: "b") == "c" && history.key(before: "a") == "b")
        let correction = try correction("b", "a")
        #expect(correction.note?.correction?.versions == [second, first])
        #expect(
            correction.note?.limit
                == "An earlier version had this key, too, but another text: answers to it keep their grade."
        )
        #expect(!library.folder.exists(Self.file))
        try correction.save()
        #expect(
            try self.text == """
                - question: es-1
                  day: "2026-05-03"
                  was: b
                  is: a
                  versions:
                    - "\(second)"
                    - "\(first)"

                """)
        #expect(try ContentChecker.check(folder: library.content) == [])
        #expect(try library.publish().uncorrected == [])
    }

    @Test(arguments: [
        "# Ours.\n- &x {question: es-2, was: b, is: a, versions: [\"V\"]} # one line",
        "corrections:\r\n  - question: es-2\r\n    was: b # not c\r\n    is: a\r\n    versions: [\"V\"]\r\n# end",
        "  - question: es-2\n    was: b\n    is: a\n    versions: [\"V\"]\n",
    ])
    func allOtherBytesOfTheFileStay(before: String) throws {
        let before = before.replacing("V", with: "sha256:" + String(repeating: "1", count: 64))
        try library.folder.write(before, to: Self.file)
        let version = try publish(key: 1)
        try correction("b", "a").save()
        #expect(try text.hasPrefix(before))
        try library.publish()
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        #expect(bank.corrections.last?.versions == [version])
    }

    @Test func aListOnOneLineGrowsToo() throws {
        try library.folder.write("[]\n", to: Self.file)
        let version = try publish(key: 1)
        try correction("b", "a").save()
        let report = DecodingReport(file: "f.yaml", strictness: .authored)
        var bank = Blueprint(kind: .exam, id: "", title: "", version: "", questions: [])
        let node = try #require(
            SourceDocument.parse(try library.folder.read(Self.file), report: report))
        bank.addCorrections(node, report: report)
        #expect(bank.corrections.map(\.versions) == [[version]])
    }

    /// The note comes first, so a kill behind it leaves one that the same correction completes.
    @Test func aCorrectionThatWasKilledIsCompletedByTheNext() throws {
        try publish(key: 1)
        try #require(try correction("b", "a").note).save()
        #expect(try ContentChecker.check(folder: library.content).map(\.rule) == [.staleCorrection])
        let before = try text
        let again = try correction("b", "a")
        #expect(!again.isDone && again.note?.correction == nil)
        try again.save()
        #expect(try text == before)
        #expect(try ContentChecker.check(folder: library.content) == [])
        #expect(try correction("b", "a").isDone)
    }

    /// What a first correction graded by a key that is wrong itself is graded by the second.
    @Test func aSecondCorrectionTakesTheVersionsOfTheFirst() throws {
        let first = try publish(key: 1)
        try correction("b", "a").save()
        try library.publish()
        let second = KeyHistory(of: "es-1", in: "es", releaseDirectory: library.release)
            .versions(with: "a")
        let correction = try correction("a", "c")
        #expect(correction.note?.correction?.versions == second + [first])
        try correction.save()
        #expect(try ContentChecker.check(folder: library.content) == [])
    }

    @Test func aVersionThatIsKnownBesidesIsNamedWithoutARelease() throws {
        try library.folder.writeBlueprint("es", key: 1)
        let known = "sha256:" + String(repeating: "2", count: 64)
        let correction = try correction("b", "a", versions: [known, "not a version"])
        #expect(correction.note?.correction?.versions == [known])
    }

    @Test func aKeyThatTheWorldChangedHasNoNote() throws {
        try publish(key: 1)
        let correction = try KeyCorrection(
            in: ContentEditor(folder: library.content), bank: "es", question: "es-1", from: "b",
            to: "a")
        #expect(
            correction.note == nil
                && correction.edits.map(\.file) == ["languages/es/blueprint.yaml"])
        try correction.save()
        #expect(!library.folder.exists(Self.file))
    }

    @Test func aFileThatChangedMeanwhileIsNotOverwritten() throws {
        try publish(key: 1)
        let correction = try correction("b", "a")
        try library.folder.write("# mine\n", to: Self.file)
        let error = #expect(throws: PublishingError.self) { try correction.save() }
        #expect(error?.code == .drift)
        #expect(try text == "# mine\n")
    }

    @Test func aKeyThatWasChangedAlreadyIsNotedByHand() throws {
        let version = try publish(key: 1)
        try publish(key: 0)
        let editor = try ContentEditor(folder: library.content)
        let note = try CorrectionNote(
            adding: "es-1", in: editor, bank: "es",
            RegradeScope(releaseDirectory: library.release, day: "2026-05-03"))
        #expect(note.correction?.versions == [version] && note.correction?.was == "b")
        try note.save()
        #expect(try ContentChecker.check(folder: library.content) == [])
        let again = try CorrectionNote(
            adding: "es-1", in: editor, bank: "es",
            RegradeScope(releaseDirectory: library.release))
        #expect(again.correction == nil)
        let error = #expect(throws: PublishingError.self) {
            try CorrectionNote(
                adding: "es-2", in: editor, bank: "es",
                RegradeScope(releaseDirectory: library.release))
        }
        #expect(error?.code == .noSuchRelease)
    }

    /// Exchanges the texts of two options of the first question, and leaves their ids.
    private func swapOptions(_ one: String, _ other: String) throws {
        let path = "content/languages/es/blueprint.yaml"
        var text = try library.folder.text(path)
        for (old, new) in [(one, "#"), (other, one), ("#", other)] {
            text = text.replacing("text: \(old) ", with: "text: \(new) ", maxReplacements: 1)
        }
        try library.folder.write(text, to: path)
    }

    @Test func optionsThatWereExchangedAreNotGradedByTheirLetters() throws {
        let flagged = try publish(key: 1)
        let texts = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
            .questions[0].options.map(\.text)
        try swapOptions(texts[0], texts[1])
        // The proposal is about letters that are other answers now.
        let refused = #expect(throws: PublishingError.self) {
            _ = try correction("b", "a", versions: [flagged])
        }
        #expect(refused?.code == .drift)
        // Nor where the file has the proposed letter already.
        try library.folder.writeBlueprint("es", key: 0)
        try swapOptions(texts[0], texts[1])
        let done = #expect(throws: PublishingError.self) {
            _ = try correction("b", "a", versions: [flagged])
        }
        #expect(done?.code == .drift)
        // The key moves with its text: nothing was ever wrong, and nothing is suggested.
        try library.folder.writeBlueprint("es", key: 0)
        try swapOptions(texts[0], texts[1])
        #expect(try library.publish().uncorrected == [])
        let added = #expect(throws: PublishingError.self) {
            _ = try CorrectionNote(
                adding: "es-1", in: ContentEditor(folder: library.content), bank: "es",
                RegradeScope(releaseDirectory: library.release))
        }
        #expect(added?.code == .invalidRequest)
        #expect(!library.folder.exists(Self.file))
    }

    @Test func theOrderOfOptionsMakesNoOtherVersion() throws {
        let first = try publish(key: 1)
        let path = "content/languages/es/blueprint.yaml"
        let bank = try Blueprint(released: library.folder.read("release/blueprints/es.json"))
        var other = bank.questions[0]
        other.options.reverse()
        other.correct = [other.options.count - 2]
        #expect(other.contentVersion != first && other.asked == bank.questions[0].asked)
        other.correct = [0]
        #expect(other.asked != bank.questions[0].asked)
        #expect(library.folder.exists(path))
    }

    @Test func aKeyThatIsPutBackIsNoLongerCorrected() throws {
        try publish(key: 1)
        try correction("b", "a").save()
        try library.folder.writeBlueprint("es", key: 1)
        let publisher = Publisher(folder: library.content, releaseDirectory: library.release)
        let undone = try ReleaseDiff.pending(publisher).files.flatMap(\.corrections)
        #expect(undone.isEmpty)
        // Another key than the noted one has to be noted anew.
        try library.folder.writeBlueprint("es", key: 2)
        #expect(try publisher.status().uncorrected.map(\.is) == ["c"])
    }
}
