import Foundation
import ServiceAPI
import Testing
import UserData

@testable import Ledger

/// A device that repeats a request to a server that was updated meanwhile has the same digest there.
@Suite struct RequestDigestTests {
    private static let rows = [
        AnswerRow(
            bank: "es", session: "s", question: "q", domain: "d", version: "v",
            options: ["a", "b"],
            isCorrect: true, credit: 0.25, rating: 3, takenMilliseconds: 4, exposuresBefore: 5,
            mode: "m", isRandomlySelected: true, milliseconds: 6, offsetMinutes: -7),
        AnswerRow(
            bank: "es", session: "s", question: "q2", isCorrect: false, takenMilliseconds: 8,
            exposuresBefore: 9, mode: "m", milliseconds: 10),
        nil,
    ]

    private static func call(_ rows: [AnswerRow?]) -> ExchangeCall {
        let span = AnswerSpan(client: ClientID("e"), first: 1, count: rows.count)
        let request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("e"), epoch: nil, cursor: 0, operations: [],
            answers: [span])
        return ExchangeCall(request: request, answers: [AnswerColumns(span: span, rows: rows)])
    }

    /// It is stored: a change makes requests that are on their way those of a stale device.
    @Test func theDigestOfARequestNeverChanges() {
        let digest = RequestDigest(Self.call(Self.rows)).request
        #expect(digest.base64EncodedString() == "KXoxSfPbabWw9KIQSGCZzA==")
    }

    @Test func eachNumberOfAnAnswerCounts() throws {
        let digest = RequestDigest(Self.call(Self.rows)).request
        let row = try #require(EncodedAnswers(Self.rows).rows[0])
        for field in AnswerField.allCases {
            var other = row
            other[field] = field == .credit ? nil : .integer(field.bounds.lowerBound)
            #expect(other[field] != row[field], "\(field)")
            let plain = EncodedAnswers(
                questions: EncodedAnswers(Self.rows).questions,
                sessions: EncodedAnswers(Self.rows).sessions,
                responses: EncodedAnswers(Self.rows).responses, rows: [other]
            ).answers
            #expect(
                RequestDigest(Self.call(plain + Self.rows[1...])).request != digest, "\(field)")
        }
    }
}
