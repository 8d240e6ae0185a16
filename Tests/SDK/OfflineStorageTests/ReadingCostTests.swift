import Foundation
import QuestionEngine
import TestSupport
import Testing
import UserData

@testable import OfflineStorage

/// What reads cost, in processor time of the thread that reads: at n and at 4n.
@Suite struct ReadingCostTests {
    private static let collections = [
        CollectionDeclaration("goals", .askUser), CollectionDeclaration("others", .askUser),
    ]

    private struct Goal: CollectionRecord {
        static let collection = ReadingCostTests.collections[0]
        var minutes: Int
    }

    /// A store whose changes of n records all wait to be sent.
    private func store(waiting count: Int) throws -> UserStore {
        let store = try UserStore.inMemory(collections: Self.collections)
        for start in stride(from: 0, to: count, by: 100) {
            try store.write { batch in
                for number in start..<start + 100 {
                    try batch.put(Goal(minutes: number), id: "g\(number)")
                }
            }
        }
        return store
    }

    /// The least processor time that some runs take, in nanoseconds.
    private func cost(_ body: () throws -> Void) rethrows -> Double {
        try ProcessorTime.seconds(runs: 3, body) * 1e9
    }

    /// A store with an answer to each of n questions of a bank.
    private func store(answered count: Int) throws -> UserStore {
        let store = try UserStore.inMemory()
        let records = (0..<count).map { number in
            AnswerRecord(
                sessionID: "s", questionID: "q\(number)", contentVersion: "v", response: ["a"],
                isCorrect: number % 2 == 0, credit: 1, timeTaken: 1, exposuresBefore: 0,
                mode: .study, isRandomlySelected: false,
                date: SavedSessions.start.addingTimeInterval(Double(number)))
        }
        try store.add(records, to: SavedSessions.bank, now: SavedSessions.start + 1e6)
        #expect(try store.missedQuestions(of: SavedSessions.bank).count == count / 2)
        return store
    }

    @Test func aPageOfALargeBankCostsWhatOneOfASmallBankDoes() throws {
        let (small, large) = (try store(answered: 1_000), try store(answered: 8_000))
        let ids = (500..<520).map { "q\($0)" }
        let read: (UserStore) throws -> Void = { store in
            let found = try store.answered(ids, in: SavedSessions.bank)
            #expect(found.count == 20)
        }
        let (one, eight) = (try cost { try read(small) }, try cost { try read(large) })
        #expect(eight < max(3 * one, 500_000), "\(one) and \(eight) ns")
    }

    @Test func readsOfFourTimesTheWaitingChangesCostFourTimes() throws {
        let reads: [(name: String, read: (UserStore) throws -> Void)] = [
            ("records", { _ = try $0.records(Goal.self) }),
            ("record", { _ = try $0.record(Goal.self, id: "g7") }),
            ("hasData", { _ = try $0.hasData() }),
            ("status", { _ = try $0.status() }),
            ("conflicts", { _ = try $0.conflicts() }),
            ("export", { _ = try $0.export(user: $0.user) }),
        ]
        let (small, large) = (try store(waiting: 500), try store(waiting: 2_000))
        #expect(try large.records(Goal.self).count == 2_000)
        for (name, read) in reads {
            let (one, four) = (try cost { try read(small) }, try cost { try read(large) })
            // A square would be 16 times; between it and 4 lies what a busy machine adds. Below a tenth of a millisecond
            // nothing grows that anybody would notice.
            #expect(four < max(8 * one, 100_000), "\(name): \(one) and \(four) ns")
        }
    }

    @Test func recordsAreThoseThatAreReadOneByOne() throws {
        let store = try store(waiting: 300)
        try store.delete(Goal.self, id: "g5")
        let all = try store.records(Goal.self)
        #expect(all.map(\.id) == all.map(\.id).sorted() && all.count == 299)
        for record in all {
            #expect(try store.record(Goal.self, id: record.id)?.minutes == record.value.minutes)
        }
        #expect(
            try store.state().shownKeys
                == store.state().keys(of: "goals").filter {
                    $0.id != "g5"
                })
    }

    @Test func changesInARowAreSignalledTogether() async {
        let listeners = Listeners<Int>()
        let (signals, events) = (listeners.signals { $0 % 2 == 0 }, listeners.stream())
        for number in 1...100 { listeners.send(number) }
        var (signalled, sum) = (signals.makeAsyncIterator(), 0)
        await signalled.next()
        listeners.send(101)
        listeners.send(102)
        await signalled.next()
        for await event in events {
            sum += event
            if event == 102 { break }
        }
        #expect(sum == 102 * 103 / 2)
    }

    @Test func whatIsReadAnewEndsWithItsStore() async {
        var listeners: Listeners<Int>? = Listeners()
        let signals = listeners?.signals()
        listeners?.send(1)
        listeners = nil
        var count = 0
        if let signals { for await _ in signals { count += 1 } }
        #expect(count == 1)
    }
}
