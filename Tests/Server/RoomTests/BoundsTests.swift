import ContentModel
import GRDB
import Ledger
import ServiceAPI
import Tables
import Testing
import UserData

/// What one account may fill, in bytes.
@Suite struct BoundsTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    /// Fields of about 48 kB.
    private func large(_ letter: String) -> [String: FieldValue] {
        let text = String(repeating: letter, count: 16_000)
        return ["a": .text(text), "b": .text(text), "c": .text(text)]
    }

    private func number(_ sql: String) async throws -> Int {
        try await service.database.connections.read { try Int.fetchOne($0, sql: sql) ?? 0 }
    }

    /// Small operations on a long record: each makes the server read, write and send the whole record.
    @Test(arguments: [false, true])
    func fewBytesNeverMakeALongReply(isCopied: Bool) async throws {
        let service = try await ServiceFixture(
            rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))])
        let user = try await service.user().user
        let small = (1...490).map { service.put("stars", "s", ["n": .integer(Int64($0))], $0) }
        _ = try await service.send(user, small)
        let text = FieldValue.text(String(repeating: "x", count: 15_000))
        var long = service.put(
            "stars", "s", ["a": text, "b": text, "c": text, "d": text], 1, client: "e")
        long.time = HybridTime(milliseconds: long.time.milliseconds + 60_000)
        _ = try await service.send(user, client: "e", [long])
        var request = ExchangeRequest(
            number: 2, user: user, client: ClientID("d"), epoch: nil, cursor: 0, operations: small)
        request.isCopied = isCopied
        let reply = try await service.users.exchange(
            ExchangeCall(request: request, answers: []), of: user)
        #expect(reply.json.canonicalBytes.count < 2 * ServiceLimits.resultBytesMax)
        #expect(reply.response.results.count == 490)
        #expect(reply.response.results.values.contains(.retryLater))
    }

    @Test func aRecordHasOnlySoManyBytes() async throws {
        // Quotation marks take two bytes each in JSON.
        let text = FieldValue.text(String(repeating: "\"", count: 16_000))
        let reply = try await service.send(
            user,
            [
                service.put("exams", "a", ["a": text, "b": text], 1),
                service.put("exams", "b", ["a": text, "b": text, "c": text], 2),
            ])
        #expect(reply.result(1) != .refused(.badField))
        #expect(reply.result(2) == .refused(.badField))
    }

    @Test func theRecordsOfAUserHaveOnlySoManyBytes() async throws {
        try await service.database.connections.write { database in
            try database.execute(
                sql: "UPDATE account SET record_bytes = ?",
                arguments: [ServiceLimits.recordBytesPerUserMax - 60_000])
        }
        let reply = try await service.send(
            user,
            [
                service.put("exams", "a", large("x"), 1), service.put("exams", "b", large("x"), 2),
                service.put("exams", "a", ["a": 1], 3, seen: 1),
                service.put("exams", "b", large("x"), 4),
            ])
        #expect(reply.result(2) == .refused(.quota))
        if case .accepted? = reply.result(3) {} else { Issue.record("it may shrink") }
        if case .accepted? = reply.result(4) {} else { Issue.record("there is room again") }
    }

    @Test func theBytesOfRecordsAreCountedThroughChangesAndPurges() async throws {
        _ = try await service.send(
            user,
            [
                service.put("exams", "a", large("x"), 1), service.put("exams", "b", ["a": 1], 2),
                service.put("exams", "a", ["a": 1], 3, seen: 1),
                service.change("exams", "b", .delete, 4, seen: 2),
            ])
        service.advance(days: Double(ServiceLimits.tombstoneDays) + 1)
        #expect(try await service.users.purge() == 1)
        let counted = try await number("SELECT record_bytes FROM account")
        #expect(try await number("SELECT sum(length(CAST(json AS BLOB))) FROM record") == counted)
    }

    @Test func aPageOfRecordsHasOnlySoManyBytes() async throws {
        for batch in UInt64(0)..<6 {
            let operations = (1...20).map {
                service.put("exams", "r\(batch)-\($0)", large("x"), batch * 20 + $0)
            }
            _ = try await service.send(user, number: batch + 1, operations)
        }
        var (cursor, records, pages) = (UInt64(0), [UserRecord](), 0)
        while true {
            pages += 1
            let page = try await service.send(
                user, client: "other", number: UInt64(pages), cursor: cursor)
            #expect(page.changes.count % 20 == 0 && page.changes.count <= 100)
            records += page.changes
            cursor = page.cursor
            guard page.hasMore else {
                #expect(RecordDigest(records) == page.digest)
                break
            }
        }
        #expect(pages == 2 && records.count == 120)
    }

    @Test func aPageOfACollectionHasOnlySoManyBytes() async throws {
        for batch in UInt64(0)..<5 {
            let operations = (UInt64(1)...20).map {
                service.put("exams", "r\(batch * 20 + $0 + 100)", large("x"), batch * 20 + $0)
            }
            _ = try await service.send(user, number: batch + 1, operations)
        }
        let first = try await service.users.records(of: user, in: "exams", after: "", limit: 500)
        #expect(first.hasMore && (80..<90).contains(first.records.count))
        let rest = try await service.users.records(
            of: user, in: "exams", after: first.records.last?.key.id ?? "", limit: 500)
        #expect(!rest.hasMore && rest.records.count == 100 - first.records.count)
    }

    @Test func resultsKeepNoSecondCopy() async throws {
        let operations = (UInt64(1)...20).map {
            service.put("exams", "r\($0)", large("x"), $0)
        }
        let first = try await service.send(user, operations)
        let verdicts = try await number(
            "SELECT sum(length(hash) + length(kind) + length(refusal) + 24) FROM result")
        #expect(verdicts < 20 * 64)
        let second = try await service.send(user, number: 2, operations)
        #expect(first.results == second.results)
    }

    @Test func aRepeatedOperationIsToldOfWhatCameLater() async throws {
        let mine = service.put("exams", "a", ["n": 1], 1)
        _ = try await service.send(user, [mine])
        _ = try await service.send(
            user, client: "e", [service.put("exams", "a", ["n": 2], 1, client: "e", seen: 1)])
        let again = try await service.send(user, number: 2, [mine])
        guard case .merged(let record)? = again.result(1) else {
            Issue.record("the result is \(String(describing: again.result(1)))")
            return
        }
        #expect(record.values == ["n": 2])
    }

    @Test func resultsThatNobodyReadsAreBounded() async throws {
        var refused = 0
        for batch in UInt64(0)..<5 {
            let operations = (1...500).map {
                service.put("exams", "r", ["n": 1], batch * 500 + $0)
            }
            let reply = try await service.send(user, number: batch + 1, operations)
            refused += reply.results.values.count { $0 == .retryLater }
        }
        #expect(refused == 500)
        #expect(
            try await number("SELECT count(*) FROM result") == ServiceLimits.unprocessedResultsMax)
        _ = try await service.send(user, number: 6, processedBefore: 2_001)
        #expect(
            try await number("SELECT count(*) FROM result")
                == Int(ServiceLimits.processedResultsMax))
    }

    // MARK: Answers

    @Test func anAnswerHasOnlySoManyBytes() async throws {
        let options = [String](repeating: String(repeating: "x", count: 256), count: 64)
        let reply = try await service.answer(
            user, [ServiceFixture.row("q1", options: options), ServiceFixture.row("q2")])
        // It keeps its number, so that those behind it do not wait for it.
        #expect(reply.knownAnswers[ClientID("d")] == 2)
        #expect(try await number("SELECT count(*) FROM answer WHERE bank IS NULL") == 1)
    }

    @Test func oneRequestAddsOnlySoManyBytesOfAnswers() async throws {
        let options = [String](repeating: String(repeating: "x", count: 250), count: 15)
        let rows = [AnswerRow](
            repeating: ServiceFixture.row("q", options: options), count: 10_000)
        let reply = try await service.answer(user, rows)
        let held = Int(reply.knownAnswers[ClientID("d")])
        #expect(held > 1_000 && held < 1_200 && !reply.isFull)
        let rest = Array(rows.dropFirst(held))
        let next = try await service.answer(
            user, number: 2, first: UInt64(held) + 1, rest)
        #expect(next.knownAnswers[ClientID("d")] == UInt64(2 * held))
    }

    @Test func theAnswersOfAUserHaveOnlySoManyBytesAndTheReplySaysSo() async throws {
        try await service.database.connections.write { database in
            try database.execute(
                sql: "UPDATE account SET answer_bytes = ?",
                arguments: [ServiceLimits.answerBytesPerUserMax - 100])
        }
        let reply = try await service.answer(
            user, [ServiceFixture.row("q1"), ServiceFixture.row("q2")])
        #expect(reply.isFull && reply.knownAnswers[ClientID("d")] == 1)
        #expect(try await !service.send(user, client: "e").isFull)
    }

    @Test func aPageOfAnswersHasOnlySoManyBytes() async throws {
        let options = [String](repeating: String(repeating: "x", count: 250), count: 15)
        for number in UInt64(0)..<2 {
            let rows = (0..<1_000).map {
                ServiceFixture.row("q\(number)-\($0)", options: options)
            }
            _ = try await service.answer(user, number: number + 1, first: number * 1_000 + 1, rows)
        }
        func pull(_ number: UInt64, _ known: UInt64) async throws -> ExchangeReply {
            let request = ExchangeRequest(
                number: number, user: user, client: ClientID("e"), epoch: nil, cursor: 0,
                operations: [], knownAnswers: AnswerVector([ClientID("d"): known]))
            return try await service.users.exchange(
                ExchangeCall(request: request, answers: []), of: user)
        }
        let first = try await pull(1, 0)
        let count = first.answers[0].rows.count
        #expect(first.response.hasMore && (1_000..<1_200).contains(count))
        let second = try await pull(2, UInt64(count))
        #expect(!second.response.hasMore && second.answers[0].rows.count == 2_000 - count)
    }
}
