import ContentModel
import Foundation
import Publishing
import TestSupport
import Testing

@testable import Importing

/// A file may have more questions than an exam.
@Suite struct ImportCountTests {
    /// An import of questions that differ in their ids alone.
    private func result(_ count: Int) -> ImportResult {
        var result = ImportResult(file: "many.csv", format: .csv)
        let question = Question(
            id: "", type: .singleChoice, difficulty: 3, stem: "Which?",
            options: [.init(id: "a", text: "This"), .init(id: "b", text: "That")],
            key: .options([0]))
        result.questions = (0..<count).map { number in
            var question = question
            question.id = "q\(number)"
            return question
        }
        return result
    }

    @Test func moreThanAnExamMayHaveIsNotWritten() throws {
        let folder = try TemporaryFolder()
        try folder.write("name: Test\n", to: "content/underway.yaml")
        let exam = try ExamFolder(path: folder.path + "/content/exams/int/many")
        let error = #expect(throws: PublishingError.self) {
            try exam.write([result(20_000), result(1)], title: nil)
        }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.contains("would have 20001 questions") == true)
        #expect(!FileManager.default.fileExists(atPath: exam.path))
    }

    /// Rows beyond the limit of an exam are read, so that one sees what the file has.
    @Test func aTableMayHaveMoreRowsThanAnExamQuestions() throws {
        let rows = String(repeating: "x,a,b,\n", count: 20_001)
        var importer = QuestionImporter()
        let text = "stem,a,b,correct\n" + rows + "Which?,This,That,a\n"
        let result = try importer.read(Array(text.utf8), file: "many.csv")
        #expect(result.foundCount == 20_002 && result.questions.count == 1)
    }
}
