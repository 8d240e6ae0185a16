import ContentModel
import ServiceAPI
import TestSupport
import Testing
import UserData

/// Each number of an answer, from `AnswerRow` through rows and wire and back.
@Suite struct AnswerFieldTests {
    private static let question = EncodedAnswers.Question(
        bank: "es", question: "q", domain: nil, version: "v")
    private static let session = EncodedAnswers.Session(session: "s", mode: "practice")

    private static func number(
        _ field: AnswerField, _ random: inout SeededGenerator
    ) -> AnswerNumber? {
        if !field.isRequired, Bool.random(using: &random) { return nil }
        if field == .credit { return .real(Double.random(in: -9...9, using: &random)) }
        return .integer(Int64.random(in: field.bounds, using: &random))
    }

    private static func row(_ random: inout SeededGenerator) -> EncodedAnswers.Row {
        EncodedAnswers.Row { number($0, &random) }
    }

    private static func answers(_ rows: [EncodedAnswers.Row]) -> EncodedAnswers {
        EncodedAnswers(
            questions: [question], sessions: [session], responses: [["a"]], rows: rows)
    }

    private static func values(_ row: EncodedAnswers.Row?) -> [AnswerNumber?] {
        AnswerField.allCases.map { row?[$0] }
    }

    @Test(arguments: 1...20)
    func aRandomRowSurvivesTheWireAndThePlainForm(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let rows = (0..<9).map { _ in Self.row(&random) }
        let span = AnswerSpan(client: ClientID("d"), first: 1, count: rows.count)
        let columns = AnswerColumns(span: span, encoded: Self.answers(rows))
        let read = try AnswerColumns(try JSONParser.parse(columns.json.canonicalBytes))
        #expect(read.encoded.rows.map(Self.values) == rows.map(Self.values), "seed \(seed)")
        let plain = EncodedAnswers(columns.rows)
        #expect(plain.rows.map(Self.values) == rows.map(Self.values), "seed \(seed)")
    }

    @Test(arguments: AnswerField.allCases)
    func aValueOutOfBoundsMakesTheAnswerInvalid(field: AnswerField) throws {
        var random = SeededGenerator(seed: 7)
        let row = Self.row(&random)
        let bounds = EncodedAnswers.Bounds(Self.answers([row]))
        #expect(bounds.isValid(row))
        for value in [field.bounds.lowerBound - 1, field.bounds.upperBound + 1] {
            var other = row
            other[field] = field == .credit ? .real(Double(value)) : .integer(value)
            // A flag is true or false whatever it is set to, and a rating of 0 is none.
            let isKept = field.isFlag || field == .rating && value == 0
            #expect(bounds.isValid(other) == isKept, "\(field) \(value)")
            let plain = try #require(Self.answers([other]).answers[0])
            #expect(plain.isValid == isKept, "\(field) \(value)")
        }
    }

    @Test(arguments: AnswerField.allCases)
    func anotherValueIsAnotherHash(field: AnswerField) {
        var random = SeededGenerator(seed: 8)
        let row = Self.row(&random)
        var other = row
        other[field] =
            field == .credit
            ? .real(0.25)
            : .integer(
                (row[field]?.integer ?? 0) == field.bounds.lowerBound
                    ? field.bounds.upperBound : field.bounds.lowerBound)
        #expect(
            Self.answers([row]).contentHashes != Self.answers([other]).contentHashes, "\(field)")
    }

    @Test func aCreditThatFollowsFromTheKeyIsMissing() {
        for isCorrect in [0, 1] as [Int64] {
            var row = EncodedAnswers.Row { $0 == .isCorrect ? .integer(isCorrect) : nil }
            #expect(row[.credit] == nil && row.credit == Double(isCorrect))
            row[.credit] = .real(0.5)
            #expect(row[.credit] == .real(0.5))
            row[.credit] = nil
            #expect(row.credit == Double(isCorrect))
        }
    }

    @Test func namesAreDistinct() {
        let names = AnswerField.allCases.map(\.wire.name)
        #expect(Set(names).count == names.count)
    }
}
