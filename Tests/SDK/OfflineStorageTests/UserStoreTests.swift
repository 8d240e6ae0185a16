import Foundation
import OfflineStorage
import TestSupport
import Testing
import UserData

@Suite struct UserStoreTests {
    struct Points: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("points", .counter)
        var n = 0
    }

    struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .lastWriteWins, fields: ["exam"])
        var exam: String
    }

    /// As a newer version of the app declares it.
    struct NewGoal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration(
            "goals", .lastWriteWins, schemaVersion: 2, fields: ["exam", "minutes"])
        var exam: String
        var minutes: Int
    }

    private let folder: TemporaryFolder
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    init() throws { folder = try TemporaryFolder() }

    private func open(
        _ collections: [CollectionDeclaration] = [Points.collection, Goal.collection]
    ) throws -> UserStore {
        try UserStore(folder: folder.url, collections: collections)
    }

    @Test func whatIsWrittenIsThereInTheNextProcess() throws {
        try open().put(Favourite(bank: "es", note: "hard"), id: "es-001", now: now)
        try open().increment(Points.self, id: "all", field: "n", by: 3, now: now)
        try open().increment(Points.self, id: "all", field: "n", by: -1, now: now)
        let store = try open()
        #expect(
            try store.records(Favourite.self)
                == [IdentifiedRecord(id: "es-001", value: Favourite(bank: "es", note: "hard"))])
        #expect(try store.record(Points.self, id: "all") == Points(n: 2))
        // The totals of each process wait together until there is an account.
        #expect(try store.status().waitingCount == 2)
        #expect(try store.status().waitingSince == now)
        try store.delete(Favourite.self, id: "es-001", now: now)
        #expect(try open().records(Favourite.self).isEmpty)
    }

    @Test func twoProcessesSeeEachOther() throws {
        let (one, other) = (try open(), try open())
        for step in 0..<10 {
            try (step % 2 == 0 ? one : other)
                .increment(Points.self, id: "all", field: "n", by: 1, now: now)
        }
        #expect(try one.record(Points.self, id: "all") == Points(n: 10))
        #expect(try other.record(Points.self, id: "all") == Points(n: 10))
    }

    @Test func whatDoesNotFitIsRefusedAndChangesNothing() throws {
        struct Nested: CollectionRecord {
            static let collection = CollectionDeclaration("goals", .lastWriteWins)
            var inner = ["a": 1]
        }
        struct Unknown: CollectionRecord {
            static let collection = CollectionDeclaration("unknown", .lastWriteWins)
            var a = 1
        }
        let store = try open()
        let attempts: [() throws -> Void] = [
            { try store.put(Nested(), id: "x", now: now) },
            { try store.put(Unknown(), id: "x", now: now) },
            { try store.put(Goal(exam: "a\u{0}b"), id: "x", now: now) },
            { try store.put(Goal(exam: String(repeating: "x", count: 20_000)), id: "x", now: now) },
            { try store.put(Goal(exam: "a"), id: "", now: now) },
            { try store.put(Goal(exam: "a"), id: "a b", now: now) },
            { try store.put(Points(n: 1), id: "x", now: now) },
            { try store.delete(Points.self, id: "x", now: now) },
            { try store.increment(Goal.self, id: "x", field: "n", by: 1, now: now) },
            { try store.increment(Points.self, id: "x", field: "2026-11-22", by: 1, now: now) },
            { try store.increment(Points.self, id: "x", field: "n", by: 1 << 53 + 1, now: now) },
            { try store.increment(Points.self, id: "x", field: "n", by: .min, now: now) },
            {
                try store.write(now: now) { writes in
                    try writes.put(Goal(exam: "fine"), id: "fine")
                    try writes.put(Goal(exam: "a"), id: "")
                }
            },
        ]
        for (number, attempt) in attempts.enumerated() {
            #expect(throws: StoreError.self, "\(number)") { try attempt() }
        }
        #expect(try store.outbox().isEmpty)
    }

    @Test func anOlderVersionCarriesAlongWhatItDoesNotKnow() throws {
        try open([NewGoal.collection]).put(NewGoal(exam: "a", minutes: 20), id: "g", now: now)
        try open().put(Goal(exam: "b"), id: "g", now: now)
        let again = try open([NewGoal.collection])
        #expect(try again.record(NewGoal.self, id: "g") == NewGoal(exam: "b", minutes: 20))
    }

    @Test func usersOnOneDeviceAreApart() throws {
        let store = try open()
        try store.put(Favourite(bank: "es"), id: "mine", now: now)
        // What was done before there was an account goes over to the first.
        try store.switchUser(to: "ada", bringing: .everything, now: now)
        #expect(try store.records(Favourite.self).map(\.id) == ["mine"])
        try store.signOut(erasing: false)
        #expect(try store.records(Favourite.self).isEmpty)
        try store.put(Favourite(bank: "es"), id: "guest", now: now)
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(try store.records(Favourite.self).map(\.id) == ["mine"])
        #expect(throws: StoreError.self) { try store.signOut(erasing: true) }
        try store.signOut(erasing: true, lossIsAccepted: true)
        #expect(try store.records(Favourite.self).map(\.id) == ["guest"])
        try store.switchUser(to: "bob", bringing: .everything, now: now)
        #expect(try store.records(Favourite.self).map(\.id) == ["guest"])
    }

    @Test func aDamagedStoreIsNotReplaced() throws {
        _ = try open()
        let path = folder.path + "/user.sqlite"
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
        try Data(repeating: 7, count: 8192).write(to: URL(fileURLWithPath: path))
        let error = #expect(throws: StoreError.self) { try open() }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains(path) == true)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 8192)
    }

    @Test func recordsAreObserved() async throws {
        let store = try open()
        var values = store.observe(Favourite.self).makeAsyncIterator()
        #expect(await values.next()?.isEmpty == true)
        try store.put(Favourite(bank: "es"), id: "one", now: now)
        #expect(await values.next()?.map(\.id) == ["one"])
    }
}
