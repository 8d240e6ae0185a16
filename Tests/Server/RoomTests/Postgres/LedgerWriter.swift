import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Ledger

/// A device that writes random records and answers, one request after the other.
struct LedgerWriter {
    let client: ClientID
    var random: SeededGenerator
    var reply: ExchangeResponse?
    var counter: UInt64 = 0
    var answers: UInt64 = 0
    var number: UInt64 = 0

    mutating func next() -> ExchangeCall {
        number += 1
        let operations = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            counter += 1
            return ChangeOperation(
                id: OperationID(client: client, counter: counter),
                key: RecordKey("stars", "r\(Int.random(in: 0..<30, using: &random))"),
                change: .put(["n": .integer(Int64(counter))]), seenRevision: 0,
                time: HybridTime(milliseconds: 1_800_000_000_000 + Int64(counter)))
        }
        let row = AnswerRow(
            bank: "b", session: "s", question: "q\(Int.random(in: 0..<9, using: &random))",
            isCorrect: true, takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
            milliseconds: 5)
        let count = Int.random(in: 0...2, using: &random)
        let span = AnswerSpan(client: client, first: answers + 1, count: count)
        answers += UInt64(count)
        let columns = AnswerColumns(span: span, rows: [row, row].prefix(count).map { $0 })
        var request = ExchangeRequest(
            number: number, user: "u", client: client, epoch: reply?.epoch,
            cursor: reply?.cursor ?? 0, head: reply?.head, operations: operations,
            knownAnswers: AnswerVector([client: answers]))
        request.answers = count > 0 ? [span] : []
        return ExchangeCall(request: request, answers: count > 0 ? [columns] : [])
    }
}

/// A device that reads the log from its cursor on.
struct LedgerReader {
    var records: [RecordKey: UInt64] = [:]
    var reply: ExchangeResponse?
    var number: UInt64 = 0

    mutating func read(_ service: LedgerService) async throws -> Bool {
        number += 1
        let cursor = reply?.cursor ?? 0
        let request = ExchangeRequest(
            number: number, user: "u", client: ClientID("reader"), epoch: reply?.epoch,
            cursor: cursor, head: reply?.head, operations: [],
            knownAnswers: reply?.knownAnswers ?? AnswerVector())
        let new = try await service.exchange(ExchangeCall(request: request, answers: []))
            .response
        for record in new.changes {
            #expect(record.revision > cursor)
            records[record.key] = record.revision
        }
        reply = new
        return new.hasMore || new.cursor > cursor
    }
}
