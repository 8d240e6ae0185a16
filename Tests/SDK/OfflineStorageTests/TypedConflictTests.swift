import Foundation
import OfflineStorage
import Testing
import UserData

@Suite struct TypedConflictTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let key = RecordKey("reservations", "swift")
    private let mine = Reservation(exam: "int/swift", date: "2026-12-24")
    private let theirs = Reservation(exam: "int/swift", date: "2027-01-15", status: .booked)

    /// A store whose reservation another device changed, or deleted, without seeing it.
    private func store(
        theirs values: [String: FieldValue]?, deletesMine: Bool = false
    ) throws -> UserStore {
        let store = try UserStore.inMemory(makeID: { "me" })
        try store.put(mine, id: key.id, now: now)
        if deletesMine { try store.delete(Reservation.self, id: key.id, now: now) }
        _ = try store.handle(.started, now: now)
        let request = try #require(store.requestInFlight)
        let writer = OperationID(client: ClientID("other"), counter: 1)
        let time = HybridTime(milliseconds: 1_900_000_000_000)
        var record = UserRecord(key: key, revision: 1, operation: writer, time: time)
        record.isDeleted = values == nil
        record.fields = (values ?? [:]).mapValues {
            UserRecord.Field(value: $0, time: time, revision: 1, writer: writer)
        }
        let results = request.operations.filter { $0.key == key }
            .map { ($0.id, OperationResult.conflict(theirs: record)) }
        _ = try store.handle(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e",
                    results: Dictionary(results, uniquingKeysWith: { $1 }), cursor: 1)),
            now: now)
        return store
    }

    private let booked: [String: FieldValue] = [
        "exam": .text("int/swift"), "date": .text("2027-01-15"), "status": .text("booked"),
    ]

    @Test func aConflictHasBothSidesAsTheAppsType() throws {
        let store = try store(theirs: booked)
        let conflict = try #require(try store.conflicts(of: Reservation.self).first)
        #expect(conflict.id == "swift")
        #expect(conflict.mine == mine)
        #expect(conflict.theirs == theirs)
        #expect(conflict.base == nil)
        #expect(conflict.differingFields == ["date", "status"])
        #expect(conflict.mineChangedAt == now)
        #expect(conflict.theirsChangedAt == Date(timeIntervalSince1970: 1_900_000_000))
        #expect(try store.conflicts(of: Favourite.self).isEmpty)
    }

    @Test(arguments: [
        (ConflictResolution<Reservation>.mine, "2026-12-24" as ExamDate), (.theirs, "2027-01-15"),
        (.value(Reservation(exam: "int/swift", date: "2027-02-01")), "2027-02-01"),
    ])
    func itIsResolvedByATypedValue(
        resolution: ConflictResolution<Reservation>, date: ExamDate
    ) throws {
        let store = try store(theirs: booked)
        let conflict = try #require(try store.conflicts(of: Reservation.self).first)
        try store.resolve(conflict, with: resolution, now: now)
        #expect(try store.conflicts().isEmpty)
        // The server's record comes with the log, later.
        if case .theirs = resolution {
            #expect(try store.outbox().isEmpty)
        } else {
            #expect(try store.record(Reservation.self, id: "swift")?.date == date)
        }
        let again = #expect(throws: StoreError.self) {
            try store.resolve(conflict, with: .mine, now: now)
        }
        #expect(again?.code == .notFound)
    }

    @Test func aSideThatWasDeletedIsNil() throws {
        let deletedThere = try store(theirs: nil)
        let conflict = try #require(try deletedThere.conflicts(of: Reservation.self).first)
        #expect(conflict.theirs == nil && conflict.mine == mine)
        #expect(conflict.differingFields == ["date", "exam", "status"])
        let deletedHere = try store(theirs: booked, deletesMine: true)
        #expect(try deletedHere.conflicts(of: Reservation.self).map(\.mine) == [nil])
    }

    @Test func aSideOfAnotherShapeIsLeftToTheUntypedForm() throws {
        let store = try store(theirs: ["exam": .text("int/swift"), "seat": .integer(4)])
        #expect(try store.conflicts(of: Reservation.self).isEmpty)
        #expect(try store.conflicts().count == 1)
    }

    @Test func aSampleForAPreviewHasTheFieldsThatDifferAndIsNotResolved() throws {
        let store = try store(theirs: booked)
        let real = try #require(try store.conflicts(of: Reservation.self).first)
        let sample = Conflict(id: "swift", mine: mine, theirs: theirs)
        #expect(sample.differingFields == real.differingFields)
        #expect(
            Conflict<Reservation>(id: "r", mine: nil, theirs: theirs).differingFields
                == ["date", "exam", "status"])
        let failure = #expect(throws: StoreError.self) {
            try store.resolve(sample, with: .mine, now: now)
        }
        #expect(failure?.code == .outdated)
        #expect(try store.conflicts().count == 1)
    }

    @Test func aDecisionAboutAnotherVersionIsOutdated() throws {
        let store = try store(theirs: booked)
        let failure = #expect(throws: StoreError.self) {
            try store.resolve(key, .keepMine, shown: "0123456789abcdef", now: now)
        }
        #expect(failure?.code == .outdated)
    }
}
