import Foundation
import GRDB
import GRDBSQLite
import ServiceAPI
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// What every adapter of the ledger's storage does, whatever database is below it.
@Suite struct LedgerStorageTests {
    private static let adapters = LedgerAdapter.allCases

    private struct Undecided: Error {}

    // MARK: Transactions

    @Test(arguments: adapters)
    func aStrangerHasNoAccount(adapter: LedgerAdapter) async throws {
        let storage = try await adapter.make().storage
        let keys = LedgerReadSet(user: "w", client: ClientID("d"), now: 1)
        await #expect(throws: StorageError.noAccount) { _ = try await storage.open(keys) }
        await #expect(throws: StorageError.noAccount) {
            try await storage.exchange(keys) { _ in
                LedgerDecision(changes: LedgerChanges(), reply: ())
            }
        }
        await #expect(throws: StorageError.noAccount) {
            _ = try await storage.answers([], of: "w", bytesMax: 1)
        }
        await #expect(throws: StorageError.noAccount) {
            _ = try await storage.records(
                of: "w", in: "exams", after: "", limit: 1, bytesMax: 1)
        }
        await #expect(throws: StorageError.noAccount) { _ = try await storage.progress(of: "w") }
        await #expect(throws: StorageError.noAccount) { try await storage.countAnswers(of: "w") }
    }

    @Test(arguments: adapters)
    func aDecisionThatThrowsChangesNothing(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let keys = LedgerReadSet(user: "u", client: ClientID("d"), now: 1)
        await #expect(throws: Undecided.self) {
            try await world.storage.exchange(keys) { _ -> LedgerDecision<Void> in
                throw Undecided()
            }
        }
        #expect(try await world.open().account == LedgerAccount())
    }

    /// The run begins behind a gap, so it is written after the record and refused.
    @Test(arguments: adapters)
    func changesAreWrittenAllOrNotAtAll(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        await #expect(throws: StorageError.damaged("answers")) {
            try await world.write { changes in
                changes.records = [.sample("a", at: 1)]
                changes.runs = [Self.run("d", 2, 1)]
            }
        }
        let snapshot = try await world.open { $0.records = [RecordKey("exams", "a")] }
        #expect(snapshot.records.isEmpty && snapshot.devices.isEmpty)
    }

    @Test(arguments: adapters)
    func whatWasWrittenIsInTheNextSnapshot(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        var totals = LedgerAccount()
        totals.position = 2
        totals.digest = RecordDigest([LogRow.sample("a", at: 1).record])
        (totals.recordBytes, totals.answerBytes, totals.answerCount) = (11, 12, 13)
        totals.epoch = "e"
        var device = LedgerDevice.sample("d", seenAt: 9, processedBefore: 4)
        device.requestNumber = 3
        device.requestHash = Data([1, 2])
        (device.headPosition, device.headEpoch) = (1, "e")
        device.unreadResults = 1
        let verdict = StoredVerdict(
            kind: "refused", revision: 0, refusal: "quota", hash: Data([7]))
        let rows = [LogRow.sample("a", at: 1), .sample("b", at: 2, batch: 1)]
        try await world.write { [totals, device] changes in
            changes.account = totals
            changes.device = device
            changes.results = [5: verdict]
            changes.records = rows
            changes.mark = LogHead(position: 2, mark: "m")
            changes.marksMax = 9
        }
        let snapshot = try await world.open {
            $0.counters = [5, 6]
            $0.records = [RecordKey("exams", "b")]
            $0.head = 2
        }
        #expect(snapshot.account == totals)
        #expect(snapshot.device == device)
        #expect(snapshot.results == [5: verdict] && snapshot.unreadResults == 1)
        #expect(snapshot.records == [RecordKey("exams", "b"): rows[1]])
        #expect(snapshot.recordCounts == nil)
        #expect(snapshot.endMark == "m" && snapshot.namedMark == "m")
        #expect(snapshot.devices.map(\.hasUnreadResults) == [true])
        let other = try await world.open("v")
        #expect(other.account == LedgerAccount() && other.devices.isEmpty)
    }

    @Test(arguments: adapters)
    func aMissingRecordComesWithTheCounts(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write {
            $0.records = [
                .sample("a", at: 1), .sample("b", at: 2),
                .sample("c", at: 3, collection: "notes", deletedAt: 1),
            ]
        }
        let snapshot = try await world.open { $0.records = [RecordKey("exams", "none")] }
        #expect(snapshot.recordCounts == ["exams": 2, "notes": 1])
    }

    @Test(arguments: adapters)
    func aGenerationStandsBesideTheEpoch(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        #expect(try await world.open().generation == nil)
        try await world.startGeneration()
        #expect(try await world.open().generation == "1")
    }

    @Test(arguments: adapters)
    func aDeletedAccountIsGone(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write { $0.records = [.sample("a", at: 1)] }
        try await world.deleteAccount("u")
        await #expect(throws: StorageError.noAccount) { _ = try await world.open() }
    }

    // MARK: The log

    @Test(arguments: adapters)
    func aPageEndsWithAWholeRequest(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let rows = (1...6).map { LogRow.sample("r\($0)", at: $0, batch: ($0 + 1) / 2) }
        try await world.write { $0.records = rows }
        func page(after: UInt64, _ records: Int, bytes: Int = 1 << 20) async throws -> LogPage? {
            try await world.open {
                $0.page = .init(after: after, recordsMax: records, bytesMax: bytes)
            }.page
        }
        let first = try #require(await page(after: 0, 3))
        #expect(first.rows == Array(rows[..<4]) && first.through == 4 && first.hasMore)
        let rest = try #require(await page(after: 4, 3))
        #expect(rest.rows == Array(rows[4...]) && rest.through == 6 && !rest.hasMore)
        let short = try #require(await page(after: 0, 100, bytes: rows[0].json.utf8.count))
        #expect(short.rows == Array(rows[..<2]) && short.hasMore)
        let end = try #require(await page(after: 6, 3))
        #expect(end.rows.isEmpty && end.through == 6 && !end.hasMore)
    }

    @Test(arguments: adapters)
    func aRecordIsWrittenOver(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write { $0.records = [.sample("a", at: 1), .sample("b", at: 2)] }
        try await world.write { $0.records = [.sample("a", at: 3, deletedAt: 8)] }
        let page = try await world.open {
            $0.page = .init(after: 0, recordsMax: 9, bytesMax: 1 << 20)
        }.page
        #expect(page?.rows == [.sample("b", at: 2), .sample("a", at: 3, deletedAt: 8)])
    }

    @Test(arguments: adapters)
    func onlyTheNewestMarksAreKept(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        for position in UInt64(1)...5 {
            try await world.write {
                $0.mark = LogHead(position: position, mark: "m\(position)")
                $0.marksMax = 3
            }
        }
        let dropped = try await world.open { $0.head = 2 }
        #expect(dropped.namedMark == nil && dropped.oldestMark == 3 && dropped.markCount == 3)
        #expect(try await world.open { $0.head = 3 }.namedMark == "m3")
        #expect(try await world.open().endMark == nil)
    }

    @Test(arguments: adapters)
    func aCollectionIsReadInTheOrderOfIds(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let ids = ["~", "b", "B", "a10", "a9"]
        try await world.write { changes in
            changes.records = ids.enumerated().map { .sample($1, at: UInt64($0) + 1) }
            changes.records.append(.sample("c", at: 6, deletedAt: 1))
            changes.records.append(.sample("other", at: 7, collection: "notes"))
        }
        func page(after id: String, limit: Int, bytes: Int = 1 << 20) async throws -> RecordPage {
            try await world.storage.records(
                of: "u", in: "exams", after: id, limit: limit, bytesMax: bytes)
        }
        let first = try await page(after: "", limit: 2)
        #expect(first.records.map(\.key.id) == ["B", "a10"] && first.hasMore)
        let rest = try await page(after: "a10", limit: 9)
        #expect(rest.records.map(\.key.id) == ["a9", "b", "~"] && !rest.hasMore)
        let short = try await page(after: "", limit: 9, bytes: 1)
        #expect(short.records.count == 1 && short.hasMore)
    }

    @Test(arguments: adapters)
    func whatIsPurgedIsNotedAndCounted(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let rows = (1...4).map {
            LogRow.sample("r\($0)", at: $0, deletedAt: $0 < 4 ? Int64(10 - $0) : nil)
        }
        try await world.write { changes in
            changes.records = rows
            var totals = LedgerAccount()
            totals.position = 4
            totals.recordBytes = rows.reduce(0) { $0 + $1.json.utf8.count }
            changes.account = totals
        }
        #expect(try await world.storage.purge(before: 7, limit: 9) == 0)
        // The oldest deletion is that of the third.
        #expect(try await world.storage.purge(before: 100, limit: 1) == 1)
        let snapshot = try await world.open { $0.records = Set(rows.map(\.record.key)) }
        #expect(snapshot.account.purgedThrough == 3 && snapshot.records.count == 3)
        #expect(try await world.storage.purge(before: 100, limit: 9) == 2)
        let account = try await world.open().account
        #expect(account.purgedThrough == 3)
        #expect(account.recordBytes == rows[3].json.utf8.count)
    }

    // MARK: Answers

    private static func row(_ text: String, domain: String? = nil) -> AnswerRow {
        AnswerRow(
            bank: "b", session: "s", question: text, domain: domain, options: ["x", "y,\""],
            isCorrect: text != "wrong", credit: 0.25, rating: 3, takenMilliseconds: 7,
            exposuresBefore: 2, mode: "study", isRandomlySelected: true,
            milliseconds: 86_400_000 * 3 + 5, offsetMinutes: text == "wrong" ? nil : -570)
    }

    private static func run(_ client: String, _ first: UInt64, _ count: Int) -> AnswerColumns {
        AnswerColumns(
            span: AnswerSpan(client: ClientID(client), first: first, count: count),
            rows: (0..<count).map { $0 % 3 == 2 ? nil : row("q\($0)") })
    }

    @Test(arguments: adapters)
    func runsOfAnswersAreReadAsTheyWereAdded(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let runs = [Self.run("d", 1, 5), Self.run("e", 1, 2)]
        try await world.write { $0.runs = runs }
        try await world.write { $0.runs = [Self.run("d", 6, 1)] }
        let devices = try await world.open().devices
        #expect(devices.map(\.client.text) == ["d", "e"])
        #expect(devices.map(\.lastAnswer) == [6, 2] && devices.allSatisfy { !$0.isInUse })
        let page = try await world.storage.answers(
            runs.map(\.span), of: "u", bytesMax: 1 << 20)
        #expect(page.runs == runs && !page.hasMore)
        let least = try await world.storage.answers(runs.map(\.span), of: "u", bytesMax: 1)
        #expect(least.hasMore && least.runs.map(\.rows.count) == [1])
        await #expect(throws: StorageError.damaged("answers")) {
            _ = try await world.storage.answers(
                [AnswerSpan(client: ClientID("d"), first: 6, count: 2)], of: "u", bytesMax: 1 << 20)
        }
    }

    @Test(arguments: adapters)
    func ownRunsAreComparedAsFarAsTheyAreStored(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write { $0.runs = [Self.run("d", 1, 3)] }
        let snapshot = try await world.open {
            $0.runs = [
                AnswerSpan(client: ClientID("d"), first: 2, count: 9),
                AnswerSpan(client: ClientID("d"), first: 4, count: 1),
            ]
        }
        #expect(snapshot.answers == [2: [Self.row("q1"), nil]])
        #expect(snapshot.device?.lastAnswer == 3 && snapshot.device?.wasSeen == false)
    }

    @Test(arguments: adapters)
    func progressSumsTheAnswers(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write { changes in
            changes.runs = [
                AnswerColumns(
                    span: AnswerSpan(client: ClientID("d"), first: 1, count: 4),
                    rows: [Self.row("q"), Self.row("q"), nil, Self.row("wrong", domain: "net")])
            ]
        }
        try await world.storage.countAnswers(of: "u")
        let moment: Int64 = 86_400_000 * 3 + 5
        #expect(
            try await world.storage.progress(of: "u")
                == AnswerProgress(
                    days: [
                        .init(day: 3, answers: 3, correct: 2, questions: 2, takenMilliseconds: 21)
                    ],
                    domains: [
                        .init(
                            bank: "b", domain: "", answers: 2, correct: 2, questions: 1,
                            lastMilliseconds: moment),
                        .init(
                            bank: "b", domain: "net", answers: 1, correct: 0, questions: 1,
                            lastMilliseconds: moment),
                    ]))
    }

    // MARK: Devices

    private static func verdict(_ kind: String) -> StoredVerdict {
        StoredVerdict(kind: kind, revision: 1, refusal: "", hash: Data([1]))
    }

    @Test(arguments: adapters)
    func resultsAreDroppedBelowANumber(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        try await world.write { changes in
            changes.device = .sample("d")
            changes.results = Dictionary(
                uniqueKeysWithValues: (1...4).map { ($0, Self.verdict("merged")) })
        }
        try await world.write { changes in
            changes.device = .sample("d", processedBefore: 4)
            changes.resultsBefore = 3
        }
        let snapshot = try await world.open { $0.counters = [1, 2, 3, 4] }
        #expect(Set(snapshot.results.keys) == [3, 4] && snapshot.unreadResults == 1)
        #expect(try await world.open { $0.firstUnread = 5 }.unreadResults == 0)
    }

    @Test(arguments: adapters)
    func aRetiredDeviceLeavesItsAnswersAndWhatWasApplied(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        let names = ["d", "e", "f"]
        for name in names {
            try await world.write { changes in
                changes.device = .sample(name)
                changes.results = [3: Self.verdict("conflict"), 4: Self.verdict("refused")]
                guard name != "f" else { return }
                changes.results[1] = Self.verdict("accepted")
                changes.results[2] = Self.verdict("merged")
            }
        }
        try await world.write { $0.runs = [Self.run("d", 1, 1)] }
        try await world.write { $0.retired = names.map { ClientID($0) } }
        let snapshot = try await world.open { $0.counters = [1, 2, 3, 4] }
        #expect(snapshot.devices.map(\.client.text) == ["d", "e"])
        #expect(snapshot.device?.isRetired == true)
        #expect(snapshot.devices.map(\.hasUnreadResults) == [false, false])
        #expect(Set(snapshot.results.keys) == [1, 2])
        try await world.write { $0.forgotten = [ClientID("d"), ClientID("e")] }
        let forgotten = try await world.open { $0.counters = [1, 2] }
        #expect(forgotten.results.isEmpty && forgotten.devices.map(\.client.text) == ["d"])
    }

    @Test(arguments: adapters)
    func devicesInUseAreListedByTheirLastUse(adapter: LedgerAdapter) async throws {
        let world = try await adapter.make()
        for (name, time) in [("a", 5), ("b", 9), ("c", 5), ("!http", 0)] as [(String, Int64)] {
            try await world.write { changes in
                changes.device = .sample(name, seenAt: time, processedBefore: 2)
                changes.results = [
                    1: Self.verdict("merged"), 2: Self.verdict("merged"),
                    3: Self.verdict("merged"),
                ]
            }
        }
        try await world.write { $0.runs = [Self.run("c", 1, 4)] }
        let devices = try await world.open { keys in
            (keys.firstUnread, keys.listsDevices) = (9, true)
        }.devicesInUse
        #expect(devices.map(\.client.text) == ["b", "c", "a"])
        #expect(devices.map(\.unreadResults) == [2, 2, 2])
        #expect(devices.map(\.lastAnswer) == [0, 4, 0])
        #expect(devices.map(\.lastSeenAt) == [9, 5, 5])
        let asking = try await world.open("u", "a")
        #expect(asking.unreadResults == 2)
        #expect(asking.devicesInUse.map(\.hasUnreadResults) == [true, true, true])
    }

    /// An exchange has SQLite's one writer meanwhile.
    @Test func unreadResultsOfOtherDevicesCostNoCount() async throws {
        func steps(unread: UInt64, _ client: String) async throws -> Int {
            let database = try UserDatabase.inMemory()
            try await database.addAccount("u")
            let world = LedgerWorld(
                storage: SQLiteLedger(database: database), deleteAccount: { _ in },
                startGeneration: {})
            for name in (0..<10).map({ "d\($0)" }) {
                try await world.write { changes in
                    changes.device = .sample(name)
                    changes.results = Dictionary(
                        uniqueKeysWithValues: (1...unread).map { ($0, Self.verdict("merged")) })
                }
            }
            let keys = LedgerReadSet(user: "u", client: ClientID(client), now: 1)
            return try await database.read { database in
                let account = try Int64.fetchOne(database, sql: "SELECT number FROM account")
                let (sql, arguments) = try #require(LedgerDevice.reading(keys).inSQLite(account))
                let statement = try database.cachedStatement(sql: sql)
                #expect(try Row.fetchAll(statement, arguments: arguments).count == 10)
                return Int(
                    sqlite3_stmt_status(
                        statement.sqliteStatement, SQLITE_STMTSTATUS_VM_STEP, 0))
            }
        }
        let (few, many) = (try await steps(unread: 100, "e"), try await steps(unread: 400, "e"))
        #expect(many < few + few / 4, "\(few) steps for 100 results of a device, \(many) for 400")
        // That of the device that asks is one of ten.
        let own = try await steps(unread: 400, "d0")
        #expect(own > many && own < many + 400 * 20, "\(own) steps")
    }
}
