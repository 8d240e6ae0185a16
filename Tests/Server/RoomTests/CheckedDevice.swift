import ServiceAPI
import UserData

@testable import Ledger

/// A device whose data the checks of a database look at, and what it sends.
struct CheckedDevice: Sendable {
    /// The devices of two users.
    static let all = [
        CheckedDevice("u", "phone"), CheckedDevice("u", "tablet"), CheckedDevice("v", "phone"),
    ]

    let user: String
    let client: ClientID

    init(_ user: String, _ client: String) {
        self.user = user
        self.client = ClientID(client)
    }

    private func operation(_ counter: UInt64, _ id: String, _ change: Change) -> ChangeOperation {
        ChangeOperation(
            id: OperationID(client: client, counter: counter),
            key: RecordKey("stars", "\(client.text)-\(id)"), change: change, seenRevision: 0,
            time: HybridTime(milliseconds: 1_790_000_000_000 + Int64(counter)))
    }

    private func row(_ question: String, _ options: [String]) -> AnswerRow {
        AnswerRow(
            bank: "es", session: "s1", question: question, domain: "d1", version: "v1",
            options: options, isCorrect: question == "q1", takenMilliseconds: 1_500,
            exposuresBefore: 0, mode: "study",
            milliseconds: 1_790_000_000_000)
    }

    /// Three records of which one is deleted, and three answers of which one was not accepted.
    var first: ExchangeCall {
        call(
            number: 1,
            [
                operation(1, "a", .put(["n": 1])), operation(2, "b", .put(["n": 2])),
                operation(3, "b", .delete),
            ], answersAfter: 0, [row("q1", ["a"]), nil, row("q2", ["#42"])])
    }

    /// The last operation again, as after a lost reply, then a new one and an answer.
    var second: ExchangeCall {
        call(
            number: 2, [operation(3, "b", .delete), operation(4, "c", .put(["n": 3]))],
            answersAfter: 3, [row("q1", ["b"])])
    }

    /// The first answer taken back, a repeat, and a retraction whose answer is missing.
    var undo: ExchangeCall {
        let answer = row("q1", ["a"])
        func undo(_ number: UInt64) -> AnswerRow {
            answer.retraction(
                of: AnswerID(client: client, number: number), at: answer.milliseconds + 1_000,
                offsetMinutes: 60)
        }
        var again = answer
        again.mode = "repeat"
        return call(number: 2, [], answersAfter: 3, [undo(1), again, undo(9)])
    }

    private func call(
        number: UInt64, _ operations: [ChangeOperation], answersAfter last: UInt64,
        _ rows: [AnswerRow?]
    ) -> ExchangeCall {
        let span = AnswerSpan(client: client, first: last + 1, count: rows.count)
        var request = ExchangeRequest(
            number: number, user: user, client: client, epoch: nil, cursor: 0,
            operations: operations, knownAnswers: AnswerVector([client: span.last]))
        request.answers = [span]
        return ExchangeCall(
            request: request, answers: [AnswerColumns(span: span, rows: rows)])
    }

    /// Sends a request to the ledger.
    func exchange(_ call: ExchangeCall, _ storage: any LedgerStorage) async throws
        -> ExchangeResponse
    {
        let ledger = LedgerService(
            Ledger(rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]),
            storage: storage, clock: { 1_790_000_000_000 }, makeText: { "checked-\(user)" })
        return try await ledger.exchange(call).response
    }
}
