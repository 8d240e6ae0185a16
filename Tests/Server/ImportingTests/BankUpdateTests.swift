import ContentModel
import Foundation
import Importing
import TestSupport
import Testing

/// A corrected bank is imported into the bank that has its questions.
@Suite struct BankUpdateTests {
    private let folder: TemporaryFolder
    private let bank = """
        # The bank of the course.
        - id: capital   # asked each year
          type: single-choice
          difficulty: 4
          stem: What is the capital of Australia?
          options:
            - { id: syd, text: Sydney }
            - { id: can, text: Canberra }
          correct: [0]
          tags: [places]
        # The second one.
        - id: sum
          type: single-choice
          difficulty: 1
          stem: What is 1 + 1?
          options: [{ id: a, text: "1" }, { id: b, text: "2" }]
          correct: [1]
        """

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        try folder.write(
            "title: Places\nversion: 1.0.0\n", to: "content/exams/int/places/exam.yaml")
        try folder.write(bank + "\n", to: "content/exams/int/places/questions.yaml")
    }

    private func run(_ files: [(String, String)], updates: Bool = false) throws -> ExamImport {
        var run = ExamImport(
            into: try ExamFolder(path: folder.path + "/content/exams/int/places"),
            settings: ImportSettings(updatesBank: updates))
        for (file, text) in files { run.read(Array(text.utf8), file: file) }
        #expect(run.failures.isEmpty)
        for result in run.results {
            #expect(result.foundCount == result.questions.count + result.skipped.count)
        }
        return run
    }

    private let corrected = """
        id,stem,A,B,C,correct
        capital,What is the capital of Australia?,Sydney,Canberra,,B
        sum,What is 1 + 1?,1,2,,B
        new,What is 2 + 2?,4,5,,A

        """

    @Test func aCorrectedQuestionIsShownAndNotReplacedWithoutBeingAsked() throws {
        let run = try run([("bank.csv", corrected)])
        let result = run.results[0]
        #expect(result.questions.map(\.id) == ["new"])
        #expect(
            result.skipped.map(\.reason) == [
                "the bank has it as capital with another key: \"Sydney\" in the bank, \"Canberra\" here; --update replaces that",
                "the same question is there already (sum)",
            ])
        #expect(result.differences.map(\.id) == ["capital"])
        #expect(
            result.differences[0].fields == [.init(name: "key", old: "Sydney", new: "Canberra")])
    }

    @Test func anUpdateReplacesWhatDiffersAndNothingElse() throws {
        let run = try run([("bank.csv", corrected)], updates: true)
        let result = run.results[0]
        #expect(
            result.questions.map(\.id) == ["capital", "new"] && result.replacedIDs == ["capital"])
        let written = try run.write()
        #expect(
            written.paths.map { $0.split(separator: "/").last } == [
                "questions.yaml", "questions-bank.yaml",
            ])
        let text = String(
            decoding: try folder.read("content/exams/int/places/questions.yaml"), as: UTF8.self)
        #expect(text == bank.replacing("correct: [0]", with: "correct: [1]") + "\n")
        let summary = run.summary(written: written, reviewsKept: 0, isDry: false).files[0]
        #expect(summary.imported == 2 && summary.replaced == 1 && summary.differences.count == 1)
        let again = try self.run([("bank.csv", corrected)], updates: true).results[0]
        #expect(again.questions.isEmpty && again.differences.isEmpty)
    }

    @Test func whatTheFileDoesNotSayStays() throws {
        let text = "What is the capital of Australia? {~Sydney ~Melbourne =Canberra}\n"
        let run = try run([("bank.gift", text)], updates: true)
        let question = run.results[0].questions[0]
        #expect(question.id == "capital" && question.difficulty == 4 && question.tags == ["places"])
        #expect(question.options.map(\.id) == ["syd", "b", "can"] && question.correct == [2])
        #expect(run.results[0].differences[0].fields.map(\.name) == ["options", "key"])
    }

    @Test func equalIdsOfDifferentQuestionsGetASuffixThatIsSaid() throws {
        let one = "id,stem,A,B,correct\nsum,Who wrote Faust?,Goethe,Schiller,A\n"
        let two = "id,stem,A,B,correct\nsum,Who painted Guernica?,Picasso,Dalí,A\n"
        let run = try run([("one.csv", one), ("two.csv", two)], updates: true)
        #expect(run.results.map { $0.questions.map(\.id) } == [["sum-2"], ["sum-3"]])
        #expect(
            run.results[1].notes.map(\.message) == [
                "the id \"sum\" belongs to another question; this one became \"sum-3\""
            ])
        _ = try run.write()
        let again = try self.run([("one.csv", one), ("two.csv", two)], updates: true)
        #expect(again.results.allSatisfy { $0.questions.isEmpty && $0.differences.isEmpty })
    }

    @Test func oneStemWithTwoKeysIsSaidAsThat() throws {
        let run = try run([
            ("one.gift", "Who wrote Faust? {=Goethe ~Schiller}\n"),
            (
                "two.gift",
                "Who wrote Faust? {=Goethe ~Schiller}\n\nWho wrote Faust? {~Goethe =Schiller}\n"
            ),
        ])
        #expect(run.results[1].questions.isEmpty)
        #expect(
            run.results[1].skipped[1].reason
                == "the same question stands at one.gift line 1 with another key: \"Goethe\" there, \"Schiller\" here"
        )
    }

    @Test func questionsOfTheirOwnIdsMayDifferInTheirKeysWithANote() throws {
        let table = "id,stem,A,B,correct\none,Who?,x,y,A\ntwo,Who?,x,y,B\ntwo,Who?,x,y,A\n"
        let result = try run([("bank.csv", table)]).results[0]
        #expect(result.questions.map(\.id) == ["one", "two", "two-2"])
        #expect(
            result.notes.map(\.message) == [
                "the question is that of \"one\" with another key: \"x\" there, \"y\" here",
                "the id \"two\" belongs to another question; this one became \"two-2\"",
            ])
    }

    @Test func variantsOfOneStemStayApart() throws {
        let variants = "Which is prime? {=2 ~4 ~6 ~8}\n\nWhich is prime? {=3 ~4 ~6 ~8}\n"
        let run = try run([("variants.gift", variants)])
        #expect(run.results[0].questions.count == 2)
        _ = try run.write()
        let again = try self.run([("variants.gift", variants)]).results[0]
        #expect(again.skipped.allSatisfy { $0.reason.contains("there already") })
    }
}
