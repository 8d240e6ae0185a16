import Foundation
import GRDB
import ServiceAPI
import TestSupport
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// The digest of answers: each storage gives rows back as they came, and keeps their digest.
@Suite struct LedgerDigestTests {
    private static let epoch = "e"

    private static func row(_ random: inout SeededGenerator) -> AnswerRow {
        let texts = ["a", "é", "long text", "#number", "x"]
        func text() -> String { texts.randomElement(using: &random) ?? "" }
        return AnswerRow(
            bank: "int/" + text(), session: text(), question: text(),
            domain: Bool.random(using: &random) ? nil : text(),
            version: Bool.random(using: &random) ? "" : text(),
            options: (0..<Int.random(in: 0...3, using: &random)).map { _ in text() },
            isCorrect: Bool.random(using: &random),
            credit: [0, 1, 0.5, -0.25, -0.0, 1.0 / 3].randomElement(using: &random),
            rating: [nil, 1, 2, 3, 4].randomElement(using: &random) ?? nil,
            takenMilliseconds: Int64.random(
                in: 0...AnswerRow.takenMillisecondsMax, using: &random),
            exposuresBefore: Int64.random(in: 0...1_000_000, using: &random), mode: text(),
            isRandomlySelected: Bool.random(using: &random),
            milliseconds: Int64.random(in: 0...FieldValue.integerMax, using: &random),
            offsetMinutes: [nil, 0, 345, -1_080, 1_080].randomElement(using: &random) ?? nil)
    }

    /// The runs of several requests, with rows that were rejected among them.
    private static func runs(_ seed: UInt64) -> [AnswerColumns] {
        var random = SeededGenerator(seed: seed)
        var lasts: [String: UInt64] = [:]
        return (0..<6).map { _ in
            let name = ["d1", "w2"].randomElement(using: &random) ?? "d1"
            let count = Int.random(in: 1...20, using: &random)
            let span = AnswerSpan(
                client: ClientID(name), first: (lasts[name] ?? 0) + 1, count: count)
            lasts[name] = span.last
            return AnswerColumns(
                span: span,
                rows: (0..<count).map { $0 % 7 == 3 ? nil : Self.row(&random) })
        }
    }

    @Test(arguments: LedgerAdapter.allCases, [UInt64(1), 2, 3])
    func rowsComeBackAsTheyWentAndTheirDigestsWithThem(
        adapter: LedgerAdapter, seed: UInt64
    ) async throws {
        let world = try await adapter.make()
        let service = LedgerService(
            Ledger(rules: []), storage: world.storage, clock: { 1 }, makeText: { Self.epoch })
        var (number, sums) = (UInt64(1), [ClientID: SetDigest]())
        for run in Self.runs(seed) {
            sums[run.span.client, default: SetDigest()].add(run.digest)
            var request = ExchangeRequest(
                number: number, user: "u", client: ClientID("d0"), epoch: nil, cursor: 0,
                operations: [], answers: [run.span])
            request.wantsSums = true
            let reply = try await service.exchange(ExchangeCall(request: request, answers: [run]))
            #expect(reply.response.answersDigest == sums.values.joined)
            #expect(reply.response.sums == sums)
            var read: [ClientID: SetDigest] = [:]
            for columns in reply.answers {
                read[columns.span.client, default: SetDigest()].add(columns.digest)
            }
            #expect(read == sums, "the rows have another hash than those that were sent")
            number += 1
        }
    }

    /// A reply that has not all answers says nothing of their digest.
    @Test(arguments: LedgerAdapter.allCases)
    func aReplyWithMoreHasNoDigest(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        var ledger = Ledger(rules: [])
        ledger.limits.answersPerReplyMax = 2
        let service = LedgerService(
            ledger, storage: world.storage, clock: { 1 }, makeText: { Self.epoch })
        let run = try #require(Self.runs(4).first { $0.count > 2 && $0.span.first == 1 })
        let request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("d0"), epoch: nil, cursor: 0, operations: [],
            answers: [run.span])
        let reply = try await service.exchange(ExchangeCall(request: request, answers: [run]))
        #expect(reply.response.hasMore && reply.response.answersDigest == nil)
    }

    /// A database of before has no digests, and an operator may remove a wrong one.
    @Test func aMissingDigestIsComputedByTheNextExchange() async throws {
        let database = try UserDatabase.inMemory()
        try await database.addAccount("u")
        let service = LedgerService(
            Ledger(rules: []), storage: SQLiteLedger(database: database), clock: { 1 },
            makeText: { Self.epoch })
        let run = Self.runs(5)[0]
        var request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("d0"), epoch: nil, cursor: 0, operations: [],
            answers: [run.span])
        _ = try await service.exchange(ExchangeCall(request: request, answers: [run]))
        try await database.write { try $0.execute(sql: "UPDATE device SET answers_sum = NULL") }
        request = ExchangeRequest(
            number: 2, user: "u", client: ClientID("d0"), epoch: nil, cursor: 0, operations: [])
        let reply = try await service.exchange(ExchangeCall(request: request, answers: []))
        #expect(reply.response.answersDigest == run.digest)
    }
}
