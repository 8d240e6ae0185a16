import Foundation
import OfflineStorage
import Testing
import UserData

/// Batches, limits and streams of records.
@Suite struct RecordWriteTests {
    private struct Points: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("points", .counter)
        var n = 0
    }

    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let store: UserStore

    init() throws { store = try UserStore.inMemory(collections: [Points.collection]) }

    @Test func aBatchIsCommittedAsAWholeOrNotAtAll() throws {
        struct Stop: Error {}
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(throws: Stop.self) {
            try store.write(now: now) { batch in
                try batch.put(Favourite(bank: "es"), id: "one")
                throw Stop()
            }
        }
        #expect(try store.outbox().isEmpty)
        try store.write(now: now) { batch in
            try batch.put(Favourite(bank: "es"), id: "one")
            try batch.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "two")
            try batch.increment(Points.self, id: "all", field: "n", by: 5)
        }
        let groups = try store.outbox().map(\.group)
        #expect(groups.count == 3 && Set(groups).count == 1 && groups[0] != nil)
        #expect(try store.record(Points.self, id: "all") == Points(n: 5))
    }

    @Test func anEmptyBatchChangesNothing() throws {
        try store.write(now: now) { _ in }
        #expect(try store.status().waitingCount == 0)
    }

    @Test(arguments: [100, 101])
    func aBatchHasAtMostAHundredChanges(count: Int) throws {
        let attempt = {
            try store.write(now: now) { batch in
                for number in 0..<count { try batch.put(Favourite(bank: "es"), id: "q\(number)") }
            }
        }
        if count <= 100 {
            try attempt()
            #expect(try store.records(Favourite.self).count == 100)
        } else {
            let failure = #expect(throws: StoreError.self) { try attempt() }
            #expect(failure?.code == .refused)
            #expect(try store.outbox().isEmpty)
        }
    }

    @Test func aValueThatIsNoJSONIsRefusedWithItsCause() throws {
        struct Odd: CollectionRecord {
            static let collection = CollectionDeclaration("points", .lastWriteWins)
            var value = Double.nan
        }
        let failure = #expect(throws: StoreError.self) {
            try store.put(Odd(), id: "x", now: now)
        }
        #expect(failure?.code == .refused && failure?.cause is EncodingError)
    }

    @Test func keysOfChangedRecordsAreStreamed() async throws {
        var changes = store.changedRecords().makeAsyncIterator()
        try store.put(Favourite(bank: "es"), id: "one", now: now)
        #expect(await changes.next() == [RecordKey("favourites", "one")])
        try store.switchUser(to: "ada", bringing: .nothing, now: now)
        #expect(await changes.next() == [])
    }

    @Test func aStreamOfRecordsIgnoresOtherCollections() async throws {
        var reservations = store.observe(Reservation.self).makeAsyncIterator()
        #expect(await reservations.next()?.isEmpty == true)
        try store.put(Favourite(bank: "es"), id: "one", now: now)
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "two", now: now)
        #expect(await reservations.next()?.map(\.id) == ["two"])
    }

    @Test func theTimeOfTheOldestPendingChangeIsShown() throws {
        try store.put(Favourite(bank: "es"), id: "one", now: now)
        try store.put(Favourite(bank: "es"), id: "two", now: now.addingTimeInterval(60))
        let status = try store.status()
        #expect(status.waitingCount == 2 && status.waitingSince == now)
        #expect(!status.isSynced && !status.needsSignIn && status.lastTry == nil)
    }
}
