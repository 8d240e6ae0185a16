import ContentModel
import Importing
import TestSupport
import Testing

@Suite struct SpreadsheetTests {
    private func exported(_ questions: [Question]) throws -> String {
        let folder = try TemporaryFolder()
        _ = try QuestionExporter.write(questions, as: .csv, to: folder.path + "/x.csv") { _ in nil }
        return String(decoding: try folder.read("x.csv"), as: UTF8.self)
    }

    /// Each text with its cell in a file; a number and a text in quotation marks are no formulas.
    @Test(arguments: [
        ("=1+1", "'=1+1"), ("'=1+1", "''=1+1"), ("@SUM(A1)", "'@SUM(A1)"),
        ("+cmd|x", "'+cmd|x"), ("-A1", "'-A1"), (" =1", "' =1"), ("＝1", "'＝1"), ("-5", "-5"),
        ("-1.5e3", "-1.5e3"), ("'a' or 'b'", "'a' or 'b'"), ("a=b", "a=b"),
        ("\t=1", "\"'\t=1\""),
    ])
    func aFormulaBecomesText(text: String, cell: String) throws {
        let question = Question(
            id: "f", type: .singleChoice, difficulty: 1, stem: text,
            options: [.init(id: "a", text: "x"), .init(id: "b", text: "y", feedback: text)],
            correct: [0], explanation: text)
        let file = try exported([question])
        #expect(file.contains(",\(cell),"))
        #expect(try imported(file, .csv).questions == [question])
    }

    @Test func numbersStayNumbers() throws {
        let questions = ["-5", "-40:2%"].enumerated().map { index, notation in
            Question(
                id: "n\(index)", type: .numericEntry, difficulty: 1, stem: "How much?",
                key: NumericKey(notation: notation).map(QuestionKey.number) ?? .options([]))
        }
        let file = try exported(questions)
        #expect(file.contains(",-5,") && file.contains(",'-40:2%,"))
        #expect(try imported(file, .csv).questions == questions)
    }

    @Test func whatAnAuthorChangesInAnExportIsRead() throws {
        let question = Question(
            id: "q", type: .singleChoice, domain: "net", difficulty: 2, stem: "Which?",
            options: [.init(id: "x1", text: "a"), .init(id: "x2", text: "b")], correct: [0])
        let file = try exported([question]).replacing(
            "q,single-choice,net,2,Which?", with: "q,single-choice,web,4,'tis?"
        ).replacing("tags,", with: "tags,remark,").replacing(
            ",1,,,", with: ",B,,\"one, two\",mine,")
        let result = try imported(file, .csv)
        let read = try #require(result.questions.first)
        #expect(read.domain == "web" && read.difficulty == 4 && read.stem == "'tis?")
        #expect(read.correct == [1] && read.options.map(\.id) == ["x1", "x2"])
        #expect(read.tags == ["one", "two"])
        #expect(result.notes.map(\.message).contains { $0.contains("\"remark\"") })
    }

    @Test func anApostropheOfAnotherProgramStays() throws {
        let result = try imported("question,a,b,answer\n'+' means?,'-' ,x,A\n", .csv)
        #expect(result.questions.map(\.stem) == ["'+' means?"])
        #expect(result.questions[0].options[0].text == "'-'")
    }
}
