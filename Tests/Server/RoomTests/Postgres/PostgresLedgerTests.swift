import Foundation
import PostgresDriver
import ServiceAPI
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// What PostgreSQL refuses, and what the ledger makes of it.
@Suite struct PostgresLedgerTests {
    private let users: PostgresUsers
    private let ledger: PostgresLedger

    init() async throws {
        users = try await PostgresUsers()
        ledger = PostgresLedger(users.pool())
    }

    private func service() -> LedgerService {
        LedgerService(
            Ledger(rules: [CollectionRules(CollectionDeclaration("stars", .lastWriteWins))]),
            storage: ledger, clock: { 1_800_000_000_000 }, makeText: { UUID().uuidString })
    }

    private func call(_ ids: [String]) -> ExchangeCall {
        let operations = ids.enumerated().map { index, id in
            ChangeOperation(
                id: OperationID(client: ClientID("d"), counter: UInt64(index) + 1),
                key: RecordKey("stars", id), change: .put(["n": 1]), seenRevision: 0,
                time: HybridTime(milliseconds: 1_800_000_000_000))
        }
        let request = ExchangeRequest(
            number: 1, user: "u", client: ClientID("d"), epoch: nil, cursor: 0,
            operations: operations)
        return ExchangeCall(request: request, answers: [])
    }

    /// A check of the database that our own checks missed costs the one operation.
    @Test(arguments: ["nul\0", String(repeating: "x", count: 201)])
    func aRecordThatTheDatabaseRefusesIsRefusedAlone(id: String) async throws {
        let reply = try await service().exchange(call(["a", id, "b"])).response
        #expect(reply.result(2) == .refused(.notAllowed))
        for counter in [1, 3] as [UInt64] {
            guard case .accepted? = reply.result(counter) else {
                Issue.record("\(String(describing: reply.result(counter)))")
                continue
            }
        }
        let page = try await ledger.records(
            of: "u", in: "stars", after: "", limit: 9, bytesMax: 1 << 20)
        #expect(page.records.map(\.key.id) == ["a", "b"])
    }

    @Test func aRecordThatCannotBeReadIsPutAside() async throws {
        _ = try await service().exchange(call(["a", "b"]))
        try await users.execute("UPDATE underway.record SET json = '[1]' WHERE id = 'a'")
        var keys = LedgerReadSet(user: "u", client: ClientID("e"), now: 7)
        keys.page = .init(after: 0, recordsMax: 9, bytesMax: 1 << 20)
        let page = try await ledger.exchange(keys) {
            LedgerDecision(changes: LedgerChanges(), reply: $0.page)
        }
        #expect(page?.rows.map(\.record.key.id) == ["b"])
        #expect(try await ledger.damagedRecordCount() == 1)
        let account = try await ledger.open(keys).account
        #expect(account.digest == RecordDigest((page?.rows ?? []).map(\.record)))
        #expect(account.recordBytes == page?.rows.first?.json.utf8.count)
        var missing = keys
        missing.records = [RecordKey("stars", "a")]
        #expect(try await ledger.open(missing).recordCounts == ["stars": 1])
    }

    /// COMMIT of another session's changes while this one waits: the rows are those after the lock.
    @Test func anExchangeThatWaitedSeesWhatWasCommittedMeanwhile() async throws {
        let (ledger, counts) = (ledger, 20)
        try await withThrowingTaskGroup { group in
            for number in 1...counts {
                group.addTask {
                    let keys = LedgerReadSet(user: "u", client: ClientID("d\(number)"), now: 1)
                    try await ledger.exchange(keys) { snapshot in
                        var changes = LedgerChanges()
                        changes.account = snapshot.account
                        changes.account?.position += 1
                        let position = snapshot.account.position + 1
                        changes.records = [.sample("r\(number)", at: position)]
                        return LedgerDecision(changes: changes, reply: ())
                    }
                }
            }
            try await group.waitForAll()
        }
        let keys = LedgerReadSet(user: "u", client: ClientID("d"), now: 1)
        #expect(try await ledger.open(keys).account.position == UInt64(counts))
    }

    /// The longest texts of an answer are beyond what an index row of the database holds.
    @Test func theLongestAnswersComeBack() async throws {
        let (text, long) = (String(repeating: "\"", count: 250), String(repeating: "ü", count: 30))
        let rows = [
            AnswerRow(
                bank: text, session: text, question: text, domain: text, version: text,
                isCorrect: false, credit: -1.0 / 3, takenMilliseconds: 86_400_000,
                exposuresBefore: 1_000_000, mode: text, milliseconds: FieldValue.integerMax),
            AnswerRow(
                bank: "b", session: "s", question: "q", domain: "",
                options: (0..<40).map { "\(long)\($0)" }, isCorrect: true, rating: 4,
                takenMilliseconds: 0, exposuresBefore: 0, mode: "m", isRandomlySelected: true,
                milliseconds: 0),
            AnswerRow(
                bank: "b", session: "s", question: "q", options: ["#number", "3,5 \\ \n"],
                isCorrect: true, takenMilliseconds: 1, exposuresBefore: 0, mode: "m",
                milliseconds: 1),
        ]
        #expect(rows.map(\.isValid) == [true, true, true])
        let run = AnswerColumns(
            span: AnswerSpan(client: ClientID("d"), first: 1, count: 3), rows: rows)
        try await ledger.exchange(LedgerReadSet(user: "u", client: ClientID("d"), now: 1)) { _ in
            var changes = LedgerChanges()
            changes.runs = [run]
            return LedgerDecision(changes: changes, reply: ())
        }
        let page = try await ledger.answers([run.span], of: "u", bytesMax: 1 << 20)
        #expect(page.runs == [run])
    }

    @Test func answersGoWithTheirAccount() async throws {
        var changes = LedgerChanges()
        changes.runs = [
            AnswerColumns(
                span: AnswerSpan(client: ClientID("d"), first: 1, count: 1),
                rows: [
                    AnswerRow(
                        bank: "b", session: "s", question: "q", isCorrect: true,
                        takenMilliseconds: 1, exposuresBefore: 0, mode: "study", milliseconds: 5)
                ])
        ]
        for user in ["u", "v"] {
            try await ledger.exchange(LedgerReadSet(user: user, client: ClientID("d"), now: 1)) {
                [changes] _ in LedgerDecision(changes: changes, reply: ())
            }
        }
        try await users.execute("DELETE FROM underway.account WHERE id = 'u'")
        for table in ["answer", "question_day", "question_domain", "own_name", "answer_day"] {
            let accounts = try await users.execute(
                """
                SELECT u.id FROM underway.\(sql: table) t
                    JOIN underway.account u ON u.number = t.account
                """
            )[0].column("id", as: String.self)
            let rows = try await users.execute(
                "SELECT count(*) AS rows FROM underway.\(sql: table)")[0]
            #expect(Set(accounts) == ["v"])
            #expect(try rows.column("rows", as: Int.self) == [accounts.count], "\(table)")
        }
    }

    /// A lock that another exchange holds is waited for as long as the login's role says.
    @Test func aLockedAccountIsBusy() async throws {
        let database = users.admin.database ?? ""
        try await users.execute(
            "ALTER ROLE underway_server IN DATABASE \(identifier: database) SET lock_timeout = '20ms'"
        )
        let keys = LedgerReadSet(user: "u", client: ClientID("d"), now: 1)
        let (locked, lock) = AsyncStream<Void>.makeStream()
        let mayEnd = DispatchSemaphore(value: 0)
        async let first: Void = ledger.exchange(keys) { _ in
            lock.finish()
            mayEnd.wait()
            return LedgerDecision(changes: LedgerChanges(), reply: ())
        }
        for await _ in locked {}
        await #expect(throws: StorageError.busy) {
            try await ledger.exchange(keys) { _ in
                LedgerDecision(changes: LedgerChanges(), reply: ())
            }
        }
        mayEnd.signal()
        try await first
    }
}
