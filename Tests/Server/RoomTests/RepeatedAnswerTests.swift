import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Ledger

/// Repeats and retractions among the answers of an exchange: boards and the review of keys do not count them.
@Suite struct RepeatedAnswerTests {
    private let answer = AnswerRow(
        bank: "int/swift", session: "s", question: "q1", version: "v", options: ["a"],
        isCorrect: true, takenMilliseconds: 900, exposuresBefore: 0, mode: "study",
        milliseconds: 1_796_151_600_000)

    private var retraction: AnswerRow {
        answer.retraction(
            of: AnswerID(client: ClientID("d"), number: 1), at: 1_796_151_609_000,
            offsetMinutes: 60)
    }

    private var again: AnswerRow {
        var row = answer
        row.mode = "repeat"
        row.milliseconds += 12_000
        return row
    }

    private var rows: EncodedAnswers { EncodedAnswers([answer, retraction, nil, again]) }

    @Test func boardsCountFirstPlacesAlone() {
        #expect(
            SessionScore.sums(rows, now: .max)
                == SessionScore.sums(EncodedAnswers([answer]), now: .max))
        #expect(SessionScore.sums(EncodedAnswers([again, retraction]), now: .max).isEmpty)
    }

    @Test func aRepeatIsNoFirstAnswer() {
        #expect(FirstAnswer.all(in: rows) == FirstAnswer.all(in: EncodedAnswers([answer])))
        #expect(FirstAnswer.all(in: EncodedAnswers([again, retraction])).isEmpty)
    }

    @Test func aRetractedAnswerIsNoneOfItsDay() async throws {
        let service = try await ServiceFixture()
        let user = try await service.user().user
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: 3),
            rows: [answer, retraction, again])
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID("d"), epoch: nil, cursor: 0, operations: [],
            answers: [columns.span])
        let reply = try await service.users.exchange(
            ExchangeCall(request: request, answers: [columns]), of: user)
        #expect(reply.response.knownAnswers == AnswerVector([ClientID("d"): 3]))
        let progress = try await service.users.ledger.progress(of: user)
        #expect(progress.days.map(\.answers) == [1])
    }
}
