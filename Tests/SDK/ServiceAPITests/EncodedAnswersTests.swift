import ContentModel
import TestSupport
import Testing
import UserData

@testable import ServiceAPI

/// Dictionary encoding against the plain values that it stands for.
@Suite struct EncodedAnswersTests {
    private static func text(_ random: inout SeededGenerator) -> String {
        switch Int.random(in: 0..<40, using: &random) {
        case 0: ""
        case 1: String(repeating: "é", count: 129)
        case 2: "a\0b"
        case 3: String(repeating: "x", count: 256)
        default: ["a", "b", "é", "a longer text of some bytes"].randomElement(using: &random) ?? ""
        }
    }

    private static func row(_ random: inout SeededGenerator) -> AnswerRow {
        func often<Value>(_ value: Value, _ other: Value) -> Value {
            Int.random(in: 0..<20, using: &random) == 0 ? other : value
        }
        let count = often(
            Int.random(in: 0..<3, using: &random), Int.random(in: 60...70, using: &random))
        return AnswerRow(
            bank: text(&random), session: text(&random), question: text(&random),
            domain: Bool.random(using: &random) ? nil : text(&random), version: text(&random),
            options: (0..<count).map { _ in text(&random) },
            isCorrect: Bool.random(using: &random), credit: often(0.5, .infinity),
            rating: often(nil, often(3, 5)), takenMilliseconds: often(5, -1),
            exposuresBefore: often(5, 1_000_001), mode: text(&random),
            isRandomlySelected: Bool.random(using: &random), milliseconds: often(5, -1),
            offsetMinutes: often(
                [nil, 345, -1_080, 1_080].randomElement(using: &random) ?? nil, 1_081))
    }

    @Test(arguments: 1...20)
    func encodingLosesNothingAndJudgesAlike(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<200).map { index in index % 7 == 0 ? nil : Self.row(&random) }
        let encoded = EncodedAnswers(rows)
        #expect(encoded.answers == rows, "seed \(seed)")
        let bounds = EncodedAnswers.Bounds(encoded)
        for (row, plain) in zip(encoded.rows, rows) {
            guard let row, let plain else { continue }
            #expect(bounds.isValid(row) == plain.isValid, "seed \(seed): \(plain)")
            #expect(bounds.estimatedBytes(row) == plain.estimatedBytes, "seed \(seed)")
        }
    }

    @Test func retractionsAreJudgedAlikeAndNotCounted() {
        let answer = AnswerRow(
            bank: "b", session: "s", question: "q", options: ["a"], isCorrect: true,
            takenMilliseconds: 5, exposuresBefore: 0, mode: "study", milliseconds: 5)
        let id = AnswerID(client: ClientID("d"), number: 1)
        let undo = answer.retraction(of: id, at: 9, offsetMinutes: 60)
        let changes: [(inout AnswerRow) -> Void] = [
            { _ in }, { $0.isCorrect = true }, { $0.credit = 0.5 }, { $0.rating = 1 },
            { $0.takenMilliseconds = 1 }, { $0.options[2] = "01" }, { $0.options[1] = "" },
            { $0.options = ["#retract"] }, { $0.options = ["#retracted", "d", "1"] },
        ]
        let rows = changes.map { change in
            var row = undo
            change(&row)
            return row
        }
        let encoded = EncodedAnswers(rows)
        let bounds = EncodedAnswers.Bounds(encoded)
        let isValid = encoded.rows.map { $0.map(bounds.isValid) }
        #expect(isValid == rows.map(\.isValid))
        #expect(isValid == [true] + Array(repeating: false, count: 7) + [true])
        var again = answer
        again.mode = "repeat"
        let all = EncodedAnswers([answer, undo, nil, again])
        #expect(all.retractionTargets == [id])
        #expect(all.withoutRetractions.answers == [answer, nil, nil, again])
        #expect(all.withoutRepeats.answers == [answer, nil, nil, nil])
    }

    @Test func partsHaveTheirNumbersAndRows() {
        var random = SeededGenerator(seed: 21)
        let rows = (0..<9).map { _ in Self.row(&random) }
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 5, count: 9), rows: rows)
        let part = columns.part(2..<4)
        #expect(part.span == AnswerSpan(client: ClientID("d"), first: 7, count: 2))
        #expect(part.rows == Array(rows[2..<4]))
        #expect(columns.suffix(1).span.first == 13 && columns.suffix(9) == columns)
        #expect(part == AnswerColumns(span: part.span, rows: Array(rows[2..<4])))
    }

    /// What a part does not name is not sent.
    @Test func theWireNamesOnlyWhatRowsName() throws {
        let rows = ["a", "b", "a", "c"].map { question in
            AnswerRow(
                bank: "es", session: "s" + question, question: question, version: "v",
                options: [question], isCorrect: true, takenMilliseconds: 1, exposuresBefore: 0,
                mode: "study",
                milliseconds: 5)
        }
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: 4), rows: rows)
        let part = columns.part(1..<3)
        guard case .object(let members) = part.json else { return }
        #expect(
            members["question"] == ["names": [["b", "v"], ["a", "v"]], "at": [0, 1]])
        #expect(members["session"] == ["sb", 1, "sa", 1] && members["bank"] == ["es", 2])
        let read = try AnswerColumns(try JSONParser.parse(part.json.canonicalBytes))
        #expect(read == part)
    }
}
