import QuestionEngine
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// The answer of a session and the row that is stored of it say the same.
@Suite struct AnswerRecordTests {
    @Test(arguments: 1...20)
    func eachNumberOfARowIsInTheRecord(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let row = EncodedAnswers.Row { field in
            switch field {
            case .rating, .offsetMinutes:
                Bool.random(using: &random)
                    ? nil : .integer(Int64.random(in: field.bounds, using: &random))
            case .credit: .real([0.25, -0.5, 2].randomElement(using: &random) ?? 0)
            // A date has microseconds until then.
            case .milliseconds: .integer(Int64.random(in: 0...4_000_000_000_000, using: &random))
            default: .integer(Int64.random(in: field.bounds, using: &random))
            }
        }
        let answer = EncodedAnswers.answer(
            .init(bank: "es", question: "q", domain: "d", version: "v"),
            .init(session: "s", mode: SessionMode.study.rawValue), options: ["a"], row)
        #expect(AnswerRow(answer.record, bank: "es") == answer, "seed \(seed)")
    }
}
