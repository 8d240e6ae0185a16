import Foundation
import Testing
import Underway

@testable import StudyModel

/// The answers as a table that a person reads in a spreadsheet.
@Suite struct AnswerSheetTests {
    private static let exam = QuestionFilter.Bank.exam(region: "int", exam: "sums")
    private let start = Date(timeIntervalSince1970: 1_800_000_000)

    private func blueprint(_ questions: [Question]) -> Blueprint {
        Blueprint(kind: .exam, id: "int/sums", title: "Sums", version: "1", questions: questions)
    }

    private func question(_ id: String, _ stem: String, _ options: [String]) -> Question {
        Question(
            id: id, type: .singleChoice, difficulty: 1, stem: stem,
            options: options.enumerated().map { QuestionOption(id: "o\($0)", text: $1) },
            correct: [0])
    }

    private func record(
        _ question: String, _ response: QuestionResponse, second: Double = 0,
        isCorrect: Bool = true,
        offsetMinutes: Int? = 60
    ) -> AnswerRecord {
        AnswerRecord(
            sessionID: "s", questionID: question, contentVersion: "1", response: response,
            isCorrect: isCorrect, credit: isCorrect ? 1 : 0, timeTaken: 7.6, exposuresBefore: 0,
            mode: .study, isRandomlySelected: false, date: start + second,
            offsetMinutes: offsetMinutes)
    }

    private func sheet(
        _ content: OfflineStore, _ userData: UserStore, language: String = "en"
    ) -> AnswerSheet {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return AnswerSheet(
            content, userData,
            StudyFormats(words: StudyText(language: language), calendar: calendar))
    }

    private func written(_ sheet: AnswerSheet) async throws -> [String] {
        var parts: [String] = []
        for try await part in sheet { parts.append(String(decoding: part.bytes, as: UTF8.self)) }
        return parts
    }

    @Test func aRowIsAnAnswer() async throws {
        let content = try OfflineStore.inMemory(blueprints: [
            blueprint([question("q1", "What is `1` + 1?", ["2", "3"])])
        ])
        let userData = try UserStore.inMemory()
        try userData.add(
            [
                record("q1", ["o0"]), record("q1", ["o1"], second: 1, isCorrect: false),
                record("gone", ["b", "a"], second: 2, offsetMinutes: -210),
                record("q1", [], second: 3, isCorrect: false, offsetMinutes: nil),
            ], to: Self.exam)

        let text = try await written(sheet(content, userData)).joined()

        #expect(
            text == """
                \u{FEFF}Time,Subject,Question,Answer,Right or wrong,Seconds\r
                2027-01-15 09:00:00+01:00,Sums,What is 1 + 1?,2,right,8\r
                2027-01-15 09:00:01+01:00,Sums,What is 1 + 1?,3,wrong,8\r
                2027-01-15 04:30:02-03:30,Sums,gone,"b, a",right,8\r
                2027-01-15 08:00:03+00:00,Sums,What is 1 + 1?,,wrong,8\r

                """)
    }

    @Test func theHeaderSpeaksTheLanguage() async throws {
        let sheet = sheet(try OfflineStore.inMemory(), try UserStore.inMemory(), language: "de")
        #expect(
            try await written(sheet) == [
                "\u{FEFF}Zeit,Fach,Frage,Antwort,Richtig oder falsch,Sekunden\r\n"
            ])
    }

    /// OWASP, CSV Injection: a spreadsheet would calculate such a cell of an author.
    @Test(arguments: ["=1+1", "+1", "-5", "@SUM(A1)", "\tx", "\rx"])
    func aCellThatWouldBeAFormulaIsGuarded(text: String) {
        #expect(CSVRow.text([text]).contains("'\(text)"))
        #expect(CSVRow.text([" \(text)x"]).contains("'") == false)
    }

    @Test(arguments: [
        (["a", "b"], "a,b\r\n"), (["a,b", ""], "\"a,b\",\r\n"),
        (["say \"so\""], "\"say \"\"so\"\"\"\r\n"), (["two\nlines"], "\"two\nlines\"\r\n"),
        (["=\"x\",y"], "\"'=\"\"x\"\",y\"\r\n"), (["é أ 日"], "é أ 日\r\n"),
    ])
    func cellsAreThoseOfTheStandard(cells: [String], row: String) {
        #expect(CSVRow.text(cells) == row)
    }

    @Test func anAuthorsTextStaysOneLineAndIsBounded() async throws {
        let long = String(repeating: "x", count: 16_000)
        let content = try OfflineStore.inMemory(blueprints: [
            blueprint([question("q1", "=cmd()\r\nline \"two\"", [long, "b"])])
        ])
        let userData = try UserStore.inMemory()
        try userData.add([record("q1", ["o0"])], to: Self.exam)

        let text = try await written(sheet(content, userData)).joined()

        #expect(text.contains(",\"'=cmd() line \"\"two\"\"\","))
        #expect(text.ranges(of: "\r\n").count == 2)
        #expect(text.count { $0 == "x" } == AnswerCells.cellMax)
    }

    /// Memory holds one part: what is written does not wait for the rest.
    @Test func manyAnswersComeInPartsAndInTheirOrder() async throws {
        let content = try OfflineStore.inMemory(blueprints: [
            blueprint([question("q1", "Why?", ["a", "b"])])
        ])
        let userData = try UserStore.inMemory()
        let count = UserStore.answerPageMax * 2
        try userData.add(
            (0..<count).map { record("q1", ["o0"], second: Double($0)) }, to: Self.exam)

        let parts = try await written(sheet(content, userData))

        #expect(parts.count == 3)
        #expect(parts.map { $0.ranges(of: "\r\n").count } == [1, 500, 500])
        let times = parts.dropFirst().joined().split(separator: "\r\n").map { $0.prefix(19) }
        #expect(times == times.sorted() && Set(times).count == count)
    }

    @Test func aPartSaysHowManyAnswersItHas() async throws {
        let userData = try UserStore.inMemory()
        try userData.add([record("q1", ["o0"])], to: Self.exam)
        var counts: [Int] = []
        for try await part in sheet(try OfflineStore.inMemory(), userData) {
            counts.append(part.answerCount)
        }
        #expect(counts == [0, 1])
    }
}
