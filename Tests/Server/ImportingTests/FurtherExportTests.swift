import ContentModel
import Foundation
import TestSupport
import Testing

@testable import Importing

/// Exports to workbooks, Moodle XML and cards.
@Suite struct FurtherExportTests {
    private func export(
        _ questions: [Question], _ format: ExportFormat, media: [String: [UInt8]] = [:]
    ) throws -> (bytes: [UInt8], refused: [String: String]) {
        let folder = try TemporaryFolder()
        let result = try QuestionExporter.write(questions, as: format, to: folder.path + "/x") {
            media[$0]
        }
        let refused = Dictionary(uniqueKeysWithValues: result.skipped.map { ($0.id, $0.reason) })
        return (try folder.read("x"), refused)
    }

    private func choice(_ id: String = "q1", stem: String = "Which?") -> Question {
        Question(
            id: id, type: .singleChoice, domain: "d", difficulty: 4, stem: stem,
            options: [.init(id: "x", text: "Iron"), .init(id: "y", text: "Neon")], correct: [1],
            explanation: "It is.", tags: ["a b", "c%20"])
    }

    private let ordering = Question(
        id: "o1", type: .ordering, difficulty: 2, stem: "Sort.",
        options: [.init(id: "x", text: "b"), .init(id: "y", text: "c"), .init(id: "z", text: "a")],
        correct: [2, 0, 1])

    @Test func aWorkbookOfATableIsThatTable() throws {
        let questions = [choice(), ordering, choice("q2", stem: "=SUM(A1)_x0041_\u{7}")]
        let (book, refused) = try export(questions, .xlsx)
        let rows = try Workbook(book, file: "x").sheets[0].rows
        #expect(refused.keys.sorted() == ["q2"])
        let table = CSVQuestionWriter.rows(Array(questions.prefix(2)))
        for (row, cells) in zip(rows, table) {
            for (column, text) in cells.enumerated() { #expect(row.cells[column] ?? "" == text) }
        }
        #expect(try imported(book, nil, file: "x.xlsx").questions == Array(questions.prefix(2)))
    }

    @Test func textsThatXMLCannotHoldStayInAWorkbook() throws {
        let question = choice(stem: "=SUM(A1) _x0041_ \u{1F600}\r\nx")
        let (book, refused) = try export([question], .xlsx)
        #expect(refused.isEmpty)
        #expect(try imported(book, .xlsx).questions == [question])
        let long = choice(stem: String(repeating: "x", count: 40_000))
        #expect(try export([long], .xlsx).refused["q1"]?.contains("32767") == true)
    }

    @Test func imagesAndOrdersGoToMoodle() throws {
        var question = choice()
        question.image = "img/plan a.png"
        question.options[0].image = "b.png"
        let media: [String: [UInt8]] = ["img/plan a.png": [1, 2], "b.png": [3]]
        let (document, refused) = try export([question, ordering], .moodleXML, media: media)
        #expect(refused.isEmpty, "\(refused)")
        let result = try imported(document, nil, file: "x.xml")
        #expect(result.format == .moodleXML && result.questions == [question, ordering])
        #expect(result.media == media)
        #expect(
            try export([question], .moodleXML).refused["q1"]?.contains("img/plan a.png") == true)
    }

    @Test func numbersGoToMoodleButForRanges() throws {
        let number = { (notation: String, unit: String?) in
            var key = NumericKey(notation: notation)!
            key.unit = unit
            return Question(
                id: "n", type: .numericEntry, difficulty: 1, stem: "How much?", key: .number(key))
        }
        for question in [number("9.81:0.01", "m/s"), number("-40:2%", nil), number("5", nil)] {
            let (document, refused) = try export([question], .moodleXML)
            #expect(refused.isEmpty, "\(refused)")
            #expect(try imported(document, .moodleXML).questions == [question])
        }
        #expect(try export([number("9.8..9.83", nil)], .moodleXML).refused.count == 1)
    }

    @Test(arguments: [
        (ExportFormat.moodleXML, ImportFormat.moodleXML, 1_890), (.cards, .cards, 1_700),
    ])
    func theSampleComesBackOrIsRefusedByID(
        format: ExportFormat, back: ImportFormat, least: Int
    ) throws {
        let questions = try sampleQuestions()
        let (bytes, refused) = try export(questions, format)
        let kept = questions.filter { refused[$0.id] == nil }
        #expect(kept.count > least && kept.count + refused.count == questions.count)
        let result = try imported(bytes, back)
        let read = Dictionary(uniqueKeysWithValues: result.questions.map { ($0.id, $0) })
        #expect(result.skipped.isEmpty && read.count == kept.count)
        #expect(kept.allSatisfy { read[$0.id] == $0 })
    }

    @Test func cardsHaveTheirOptionsOnTheFront() throws {
        var several = choice("q2", stem: "Two \"words\" here?")
        several.type = .multiChoice
        several.key = .options([0, 1])
        let (cards, refused) = try export([choice(), several, ordering], .cards)
        #expect(refused.keys.sorted() == ["o1"])
        let text = String(decoding: cards, as: UTF8.self)
        #expect(
            text.hasPrefix("#separator:tab\n") && text.contains("\"Which?\nA) Iron\nB) Neon\"\tB\t")
        )
        #expect(try imported(cards, nil, file: "x.txt").questions == [choice(), several])
    }
}
