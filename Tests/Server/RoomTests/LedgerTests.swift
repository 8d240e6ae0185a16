import ContentModel
import Foundation
import GRDB
import Ledger
import ServiceAPI
import Tables
import Testing
import UserData

@testable import ContentServer

@Suite struct LedgerTests {
    private let service: ServiceFixture
    private let user: String

    init() async throws {
        service = try await ServiceFixture()
        user = try await service.user().user
    }

    private func result(
        _ response: ExchangeResponse, _ counter: UInt64, _ client: String = "d"
    ) -> OperationResult? {
        response.results[OperationID(client: ClientID(client), counter: counter)]
    }

    @Test func aRepeatedRequestGetsTheSameAnswerAndDoesNothing() async throws {
        let operation = service.put("exams", "swift", ["day": "monday"], 1)
        let first = try await service.send(user, [operation])
        let second = try await service.send(user, number: 2, [operation])
        #expect(first.results == second.results && second.cursor == first.cursor)
        #expect(second.digest == first.digest && first.digest != nil)
    }

    @Test func eachOperationHasItsOwnAnswer() async throws {
        let response = try await service.send(
            user,
            [
                service.put("nonsense", "r", ["a": 1], 1),
                service.put("profile", "me", ["name": "Ada Lovelace"], 2),
                service.put("profile", "me", ["name": "Ada", "age": 200], 3),
                service.put("profile", "me", ["age": 36], 4),
                service.put("profile", "me", ["name": "Ada", "city": "London"], 5),
                service.put("profile", "me", ["name": "Ada", "age": 36], 6),
            ])
        #expect(result(response, 1) == .refused(.unknownCollection))
        for counter in UInt64(2)...5 {
            #expect(result(response, counter) == .refused(.badField), "\(counter)")
        }
        guard case .accepted(let record)? = result(response, 6) else {
            Issue.record("the good one was not taken")
            return
        }
        #expect(record.values == ["name": "Ada", "age": 36] && record.revision == 1)
    }

    @Test func aCollectionHoldsOnlySoMany() async throws {
        let operations = (1...4).map { service.put("notes", "n\($0)", ["t": "x"], UInt64($0)) }
        let response = try await service.send(user, operations)
        #expect(result(response, 4) == .refused(.quota))
        #expect(response.cursor == 3)
    }

    @Test func longLogsComeInPagesThatEndWithARequest() async throws {
        for batch in 0..<7 {
            let operations = (0..<100).map { index in
                service.put(
                    "exams", "r\(batch)-\(index)", ["n": .integer(Int64(index))],
                    UInt64(batch * 100 + index + 1))
            }
            _ = try await service.send(user, number: UInt64(batch + 1), operations)
        }
        let first = try await service.send(user, client: "other")
        #expect(first.changes.count == 500 && first.hasMore && first.digest == nil)
        #expect(first.cursor == 500)
        let second = try await service.send(user, client: "other", number: 2, cursor: first.cursor)
        #expect(second.changes.count == 200 && !second.hasMore && second.cursor == 700)
        #expect(RecordDigest(first.changes + second.changes) == second.digest)
    }

    @Test func aPageIsLongerRatherThanPartARequest() async throws {
        for batch in 0..<2 {
            let operations = (0..<400).map { index in
                service.put(
                    "exams", "r\(batch)-\(index)", ["n": 1], UInt64(batch * 400 + index + 1))
            }
            _ = try await service.send(user, number: UInt64(batch + 1), operations)
        }
        let page = try await service.send(user, client: "other")
        #expect(page.changes.count == 800 && !page.hasMore)
    }

    @Test func usersDoNotSeeEachOther() async throws {
        _ = try await service.send(user, [service.put("exams", "mine", ["a": 1], 1)])
        let other = try await service.user().user
        let response = try await service.send(other)
        #expect(response.changes.isEmpty && response.cursor == 0)
        await #expect(throws: RequestError.self) {
            let call = ExchangeCall(
                request: ExchangeRequest(
                    number: 1, user: user, client: ClientID("d"), epoch: nil, cursor: 0,
                    operations: []), answers: [])
            _ = try await service.users.exchange(call, of: other)
        }
    }

    @Test func aServerThatWentBackIsFoundOutByTheEndOfTheLog() async throws {
        let first = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        // Restored without a word: the same position, written by somebody else.
        try await service.database.connections.write { database in
            try database.execute(sql: "UPDATE mark SET text = 'another'")
        }
        let next = try await service.send(
            user, number: 2, epoch: first.epoch, cursor: first.cursor, head: first.head,
            [service.put("exams", "b", ["n": 1], 2)])
        #expect(next.epoch != first.epoch && next.results.isEmpty)
        let anew = try await service.send(user, number: 3, epoch: next.epoch, isAnew: true)
        #expect(anew.changes.map(\.key.id) == ["a"] && anew.epoch == next.epoch)
    }

    @Test func aCursorBeyondTheLogIsAnotherPast() async throws {
        let first = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        let next = try await service.send(user, number: 2, epoch: first.epoch, cursor: 99)
        #expect(next.epoch != first.epoch)
    }

    @Test func whoSleptPastTheDeletedReadsAnew() async throws {
        let first = try await service.send(
            user,
            [
                service.put("exams", "a", ["n": 1], 1), service.put("exams", "b", ["n": 1], 2),
            ])
        let delete = ChangeOperation(
            id: OperationID(client: ClientID("d"), counter: 3), key: RecordKey("exams", "a"),
            change: .delete, seenRevision: 1, time: HybridTime(milliseconds: 1))
        _ = try await service.send(user, number: 2, [delete])
        service.advance(days: Double(ServiceLimits.tombstoneDays) + 1)
        #expect(try await service.users.purge() == 1)
        let late = try await service.send(
            user, number: 3, epoch: first.epoch, cursor: first.cursor, head: first.head)
        #expect(late.isTooOld && late.results.isEmpty && late.changes.isEmpty)
        let anew = try await service.send(
            user, number: 4, epoch: first.epoch, head: late.head, isAnew: true)
        #expect(anew.changes.map(\.key.id) == ["b"] && !anew.isTooOld)
        // An edit of what was deleted long ago is for the user to settle.
        let edit = try await service.send(
            user, number: 5, epoch: first.epoch, cursor: anew.cursor, head: anew.head,
            [service.put("exams", "a", ["n": 2], 4, seen: 1)])
        guard case .conflict(let theirs)? = result(edit, 4) else {
            Issue.record("the edit was \(String(describing: result(edit, 4)))")
            return
        }
        #expect(theirs.isDeleted)
    }

    @Test func whoMissedMoreMarksThanAreKeptReadsAnew() async throws {
        let first = try await service.send(user, [service.put("exams", "a", ["n": 1], 1)])
        for number in 2...210 {
            _ = try await service.send(
                user, number: UInt64(number), processedBefore: UInt64(number),
                [
                    service.put(
                        "profile", "me", ["name": .text("n\(number)")], UInt64(number))
                ])
            service.advance(days: 0.01)
        }
        let late = try await service.send(
            user, client: "other", epoch: first.epoch, cursor: first.cursor, head: first.head)
        #expect(late.isTooOld && late.epoch == first.epoch)
    }

    @Test func aLateCopyOfARequestDoesNothing() async throws {
        let old = service.put("profile", "me", ["name": "Ada"], 1)
        _ = try await service.send(user, [old])
        _ = try await service.send(
            user, number: 2, processedBefore: 2, [service.put("profile", "me", ["name": "Bob"], 2)])
        let late = try await service.send(user, number: 1, [old])
        #expect(late.isDeviceStale && late.changes.isEmpty)
        let record = try await service.users.record(RecordKey("profile", "me"), of: user)
        #expect(record?.values == ["name": "Bob"])
    }

    @Test func aClockTenYearsAheadIsBelievedForFiveMinutes() async throws {
        var operation = service.put("profile", "me", ["name": "Ada"], 1)
        operation.time = HybridTime(milliseconds: 2_115_000_000_000)
        _ = try await service.send(user, [operation])
        let record = try #require(
            try await service.users.record(RecordKey("profile", "me"), of: user))
        #expect(record.time.milliseconds == 1_800_000_300_000)
    }

    @Test func manyAtOnceShareTransactionsAndAllAreThere() async throws {
        let users = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<50 {
                group.addTask {
                    try await service.users.makeAnonymousAccount(address: "a\(number)").user
                }
            }
            return try await group.reduce(into: [String]()) { $0.append($1) }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for user in users {
                for number in 1...4 {
                    group.addTask {
                        _ = try await service.send(
                            user, client: "d\(number)",
                            [
                                service.put(
                                    "exams", "r\(number)", ["n": 1], 1, client: "d\(number)")
                            ])
                    }
                }
            }
            try await group.waitForAll()
        }
        for user in users {
            let response = try await service.send(user, client: "reader")
            #expect(response.changes.map(\.revision) == [1, 2, 3, 4])
            #expect(Set(response.changes.map(\.key.id)).count == 4)
        }
    }

    @Test func theDatabaseItselfRefusesToChangeAnAnswer() async throws {
        let row = AnswerRow(
            bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
            exposuresBefore: 0, mode: "study", milliseconds: 5)
        let columns = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: 1), rows: [row])
        let request = ExchangeRequest(
            number: 1, user: user, client: ClientID("d"), epoch: nil, cursor: 0, operations: [],
            knownAnswers: AnswerVector([ClientID("d"): 1]), answers: [columns.span])
        let reply = try await service.users.exchange(
            ExchangeCall(request: request, answers: [columns]), of: user)
        #expect(reply.response.knownAnswers[ClientID("d")] == 1 && reply.answers.isEmpty)
        await #expect(throws: DatabaseError.self) {
            try await service.database.connections.write { database in
                try database.execute(sql: "UPDATE answerRow SET isCorrect = 0")
            }
        }
        let progress = try await service.users.progress(of: user)
        guard case .object(let members) = progress, case .array(let days)? = members["days"] else {
            Issue.record("no progress")
            return
        }
        #expect(days.count == 1)
    }

    @Test func aRunBehindAGapWaits() async throws {
        var number: UInt64 = 0
        func push(_ first: UInt64, _ count: Int) async throws -> UInt64 {
            number += 1
            let rows = (0..<count).map { index in
                AnswerRow(
                    bank: "b", session: "s", question: "q\(first + UInt64(index))",
                    isCorrect: true, takenMilliseconds: 1, exposuresBefore: 0, mode: "study",
                    milliseconds: 5)
            }
            let columns = AnswerColumns(
                span: AnswerSpan(client: ClientID("d"), first: first, count: count), rows: rows)
            let request = ExchangeRequest(
                number: number, user: user, client: ClientID("d"), epoch: nil, cursor: 0,
                operations: [], knownAnswers: AnswerVector([ClientID("d"): 99]),
                answers: [columns.span])
            return try await service.users.exchange(
                ExchangeCall(request: request, answers: [columns]), of: user
            ).response.knownAnswers[ClientID("d")]
        }
        #expect(try await push(3, 2) == 0)
        #expect(try await push(1, 2) == 2)
        #expect(try await push(2, 3) == 4)
        #expect(try await push(1, 4) == 4)
    }
}
