import Foundation
import OfflineStorage
import Testing
import UserData

/// The dates in records of the app's own types.
@Suite struct RecordDateTests {
    private struct Event: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("events", .lastWriteWins)
        var at: Date
        var others: [Date] = []
    }

    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func text(of date: Date) throws -> String {
        let store = try UserStore.inMemory(collections: [Event.collection])
        try store.put(Event(at: date), id: "e", now: now)
        let change = try #require(try store.outbox().first).operation.change
        guard case .put(let fields) = change, case .text(let text)? = fields["at"] else {
            return "none"
        }
        return text
    }

    private func date(of text: String) throws -> Date? {
        let store = try UserStore.inMemory(collections: [Event.collection])
        try store.put(Event(at: now), id: "e", now: now)
        try store.sync(now: now) { operation in
            var theirs = UserRecord(accepting: operation)
            theirs.fields["at"]?.value = .text(text)
            return .accepted(theirs)
        }
        return try store.record(Event.self, id: "e")?.at
    }

    @Test(arguments: [
        (0.25, "2027-01-15T08:00:00.250Z"), (0, "2027-01-15T08:00:00Z"),
        (0.001, "2027-01-15T08:00:00.001Z"), (0.9994, "2027-01-15T08:00:00.999Z"),
        (0.9996, "2027-01-15T08:00:01Z"), (-2_000_000_000.75, "1963-08-31T04:26:39.250Z"),
    ])
    func aDateIsWrittenInMilliseconds(offset: TimeInterval, text: String) throws {
        #expect(try self.text(of: now + offset) == text)
    }

    @Test(
        arguments: [
            ("2027-01-15T08:00:00Z", 0),
            ("2027-01-15T08:00:00.250Z", 0.25), ("2027-01-15T08:00:00.001Z", 0.001),
            ("2027-01-15T08:00:00.5Z", 0.5), ("2027-01-15T08:00:00.123456Z", 0.123),
            ("2027-01-15T09:00:00.5+01:00", 0.5), ("2027-01-15T09:00:00+01:00", 0),
        ] as [(String, TimeInterval)])
    func aTextIsReadWithAndWithoutAFraction(text: String, offset: TimeInterval) throws {
        #expect(try date(of: text) == Date(timeIntervalSince1970: 1_800_000_000 + offset))
    }

    @Test(arguments: [
        "", "soon", "2027-01-15T08:00:00.Z", "2027-01-15T08:00:00Z.", "2027-01-15T08:00:00Z.250",
        "2027-01-15", ".", ".250",
    ])
    func anyOtherTextIsNoDate(text: String) throws {
        #expect(try date(of: text) == nil)
    }

    @Test func everyMillisecondSurvives() throws {
        let store = try UserStore.inMemory(collections: [Event.collection])
        let dates = (0..<1000).map {
            Date(timeIntervalSince1970: (1_800_000_000_000 + Double($0)) / 1000)
        }
        for part in stride(from: 0, to: 1000, by: 200) {
            let event = Event(at: dates[part], others: Array(dates[part..<part + 200]))
            try store.put(event, id: "e\(part)", now: now)
            #expect(try store.record(Event.self, id: "e\(part)") == event)
        }
    }

    /// No longer than the rules of `seenAnnouncements` allow, for one.
    @Test func aTextFitsTheRulesOfACollection() throws {
        let latest = try Date("9999-12-31T23:59:59Z", strategy: .iso8601)
        #expect(try text(of: latest + 0.5).utf8.count == 24)
    }

    @Test(arguments: [TimeInterval.nan, .infinity, 1e300])
    func aDateThatIsNoneIsRefused(seconds: TimeInterval) throws {
        let store = try UserStore.inMemory(collections: [Event.collection])
        let failure = #expect(throws: StoreError.self) {
            try store.put(
                Event(at: Date(timeIntervalSince1970: seconds)), id: "e", now: now)
        }
        #expect(failure?.code == .refused)
    }
}
