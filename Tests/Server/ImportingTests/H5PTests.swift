import ContentModel
import Foundation
import Testing

@testable import Importing

/// Packages of H5P, by the semantics of its content types.
@Suite struct H5PTests {
    private static let choice = """
        {"question": "<p>Which is a <em>metal</em>?</p>", "media": {"type": {"library": "H5P.Image 1.1", "params": {"file": {"path": "images/a.png"}}}},
         "answers": [{"text": "<div>Oxygen</div>", "correct": false, "tipsAndFeedback": {"tip": "<p>Hm</p>", "chosenFeedback": "<div>A gas</div>"}},
                     {"text": "<div>Iron</div>", "correct": true}], "behaviour": {"type": "auto"}}
        """

    static let sample = [
        "h5p.json": "{\"mainLibrary\": \"H5P.Column\"}",
        "content/images/a.png": "png",
        "content/content.json": """
        {"content": [
          {"content": {"library": "H5P.AdvancedText 1.1", "params": {"text": "<p>Read this.</p>"}}},
          {"content": {"library": "H5P.MultiChoice 1.16", "params": \(choice)}},
          {"content": {"library": "H5P.QuestionSet 1.20", "params": {"questions": [
            {"library": "H5P.TrueFalse 1.8", "params": {"question": "<p>Iron rusts.</p>", "correct": "false", "behaviour": {"feedbackOnWrong": "It does."}}},
            {"library": "H5P.DragText 1.10", "params": {"textField": "Iron is a *metal*."}}]}}},
          {"content": {"library": "H5P.SingleChoiceSet 1.11", "params": {"choices": [
            {"question": "<p>A gas?</p>", "answers": ["<p>Neon</p>", "<p>Zinc</p>"]}, {"question": "x"}]}}}]}
        """,
    ]

    private func read(_ files: [String: String]) throws -> ImportResult {
        try imported(sampleArchive(files.mapValues { Array($0.utf8) }), nil, file: "content")
    }

    @Test func contentsAtAnyDepthAreRead() throws {
        let result = try read(Self.sample)
        #expect(result.format == .h5p && result.foundCount == 5)
        #expect(result.questions.map(\.stem) == ["Which is a metal?", "Iron rusts.", "A gas?"])
        let keys = result.questions.map { question in
            question.correct.map { question.options[$0].text }
        }
        #expect(keys == [["Iron"], ["False"], ["Neon"]])
        #expect(result.questions[0].options[0].feedback == "A gas")
        #expect(result.questions[1].options[0].feedback == "It does.")
        #expect(result.media[result.questions[0].image ?? ""] == Array("png".utf8))
        #expect(result.skipped.contains { $0.reason.contains("H5P.DragText") })
        #expect(result.notes.contains { $0.message.contains("H5P.AdvancedText") })
    }

    @Test func oneAllowedAnswerHasOneKey() throws {
        var files = Self.sample
        files["h5p.json"] = "{\"mainLibrary\": \"H5P.MultiChoice\"}"
        let content = { (type: String, second: Bool) in
            "{\"question\": \"Q?\", \"answers\": [{\"text\": \"a\", \"correct\": true}, {\"text\": \"b\", \"correct\": \(second)}], \"behaviour\": {\"type\": \"\(type)\"}}"
        }
        files["content/content.json"] = content("single", true)
        #expect(try read(files).skipped.count == 1)
        files["content/content.json"] = content("multi", false)
        #expect(try read(files).questions.first?.type == .multiChoice)
    }

    @Test(arguments: ["{", "[]", "{\"mainLibrary\": 1}"])
    func aBrokenPackageIsNamed(head: String) throws {
        var files = Self.sample
        files["h5p.json"] = head
        let bytes = try sampleArchive(files.mapValues { Array($0.utf8) })
        let error = #expect(throws: ImportError.self) { try imported(bytes, nil, file: "a.h5p") }
        #expect(error?.reason.contains("h5p.json") == true)
    }

    @Test func aReaderThatLosesAContentIsFound() throws {
        let bytes = try sampleArchive(Self.sample.mapValues { Array($0.utf8) })
        var drafts = try H5PReader.read(bytes, file: "a")
        try H5PCount.check(bytes, drafts: drafts, file: "a")
        drafts.drafts.removeLast()
        #expect(throws: ImportError.self) { try H5PCount.check(bytes, drafts: drafts, file: "a") }
    }
}
