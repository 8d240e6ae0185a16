import Foundation
import PostgresDriver
import PostgresStorage
import ServiceAPI
import Synchronization
import TestSupport
import Testing
import UserData

@testable import UserService

/// Several processes write to one account, and a reader that only ever asks for what is new misses nothing.
@Suite struct PostgresWritersTests {
    private static let rules = [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]

    private func service(_ users: PostgresUsers) -> LedgerService {
        LedgerService(
            Ledger(rules: Self.rules), storage: PostgresLedger(users.pool()),
            clock: { 1_800_000_000_000 }, makeText: { UUID().uuidString })
    }

    /// A device that writes random records and answers, one request after the other.
    private struct Writer {
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
                isCorrect: true, takenMilliseconds: 1, mode: "study", milliseconds: 5)
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
    private struct Reader {
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

    /// The number of writers that have not ended.
    private final class Running: Sendable {
        let count = Atomic(8)
    }

    @Test(arguments: 1...3)
    func aReaderMissesNothingOfEightWriters(seed: UInt64) async throws {
        let users = try await PostgresUsers()
        let services = (0..<4).map { _ in service(users) }
        let running = Running()
        let reader = try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                group.addTask {
                    defer { running.count.subtract(1, ordering: .sequentiallyConsistent) }
                    var writer = Writer(
                        client: ClientID("w\(number)"),
                        random: SeededGenerator(seed: seed * 100 + UInt64(number)))
                    for _ in 0..<15 {
                        let reply = try await services[number % 4].exchange(writer.next())
                        #expect(!reply.response.isDeviceStale, "seed \(seed)")
                        writer.reply = reply.response
                    }
                }
            }
            var reader = Reader()
            let own = service(users)
            while running.count.load(ordering: .sequentiallyConsistent) > 0 {
                _ = try await reader.read(own)
            }
            while try await reader.read(own) {}
            try await group.waitForAll()
            return reader
        }
        var keys = LedgerKeys(user: "u", client: ClientID("x"), now: 1)
        keys.page = .init(after: 0, recordsMax: 1_000, bytesMax: 1 << 20)
        let snapshot = try await PostgresLedger(users.pool()).open(keys)
        let stored = snapshot.page?.rows.map { ($0.record.key, $0.position) } ?? []
        #expect(reader.records == Dictionary(uniqueKeysWithValues: stored), "seed \(seed)")
        #expect(reader.reply?.digest == snapshot.account.digest, "seed \(seed)")
        #expect(snapshot.account.digest == RecordDigest(snapshot.page?.rows.map(\.record) ?? []))
        let lasts = snapshot.devices.reduce(0) { $0 + $1.lastAnswer }
        #expect(lasts == UInt64(snapshot.account.answerCount), "seed \(seed)")
        #expect(UInt64(reader.reply?.knownAnswers.total ?? 0) == lasts, "seed \(seed)")
    }
}
