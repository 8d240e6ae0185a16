import Foundation
import OfflineStorage
import Testing
import UserData

/// Values of the app's own types as fields, and the rules for them.
@Suite struct RecordLoaderTests {
    private struct Plan: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("plans", .lastWriteWins)
        var title: String
        var at: Date
        var isDone: Bool
        var share: Double
        var minutes: Int
        var tags: [String]
        var note: String?
    }

    /// The same collection with other fields.
    private struct Title: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("plans", .lastWriteWins)
        var title: String
    }

    private struct Note: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("notes", .fieldMerge)
        var text: String
        var color: String?
    }

    /// A reservation of a program that knows no dates.
    private struct WrittenElsewhere: CollectionRecord {
        static var collection: CollectionDeclaration { Reservation.collection }
        var exam = "int/swift"
        var date: String
        var status = "planned"
    }

    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func store(rules: [CollectionRules] = []) throws -> UserStore {
        try UserStore.inMemory(
            collections: [Plan.collection, Note.collection], rules: rules)
    }

    private func expectRefusal(_ words: String, _ body: () throws -> Void) {
        let failure = #expect(throws: StoreError.self, performing: body)
        #expect(failure?.code == .refused)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test(arguments: [nil, "", "é 日本 \"\\\n"])
    func valuesOfEachKindAreReadAsTheyWereWritten(text: String?) throws {
        let store = try store()
        let plan = Plan(
            title: text ?? "t", at: now, isDone: true, share: 0.1, minutes: -(1 << 53),
            tags: ["a", ""],
            note: text)
        try store.put(plan, id: "p", now: now)
        #expect(try store.record(Plan.self, id: "p") == plan)
        #expect(try store.records(Plan.self) == [IdentifiedRecord(id: "p", value: plan)])
    }

    @Test func aRecordOfAnotherShapeIsLeftOut() throws {
        let store = try store()
        let plan = Plan(
            title: "whole", at: now, isDone: false, share: 1, minutes: 0, tags: [], note: nil)
        try store.put(Title(title: "only"), id: "a", now: now)
        try store.put(plan, id: "b", now: now)
        #expect(try store.record(Plan.self, id: "a") == nil)
        #expect(try store.records(Plan.self).map(\.id) == ["b"])
        #expect(try store.records(Title.self).map(\.value.title) == ["only", "whole"])
    }

    @Test func aRecordThatNeverWasHasNoValueAndIsDeletedWithoutHarm() throws {
        let store = try store()
        #expect(try store.record(Title.self, id: "none") == nil)
        try store.delete(Title.self, id: "none", now: now)
        #expect(try store.records(Title.self).isEmpty && !store.hasData())
        try store.put(Title(title: "again"), id: "none", now: now)
        #expect(try store.record(Title.self, id: "none")?.title == "again")
    }

    @Test func onlyFieldsThatDifferAreSent() throws {
        let store = try store()
        try store.put(Note(text: "one", color: "red"), id: "n", now: now)
        try store.syncAll(now: now)
        try store.put(Note(text: "one", color: "red"), id: "n", now: now)
        #expect(try store.outbox().isEmpty)
        try store.put(Note(text: "two"), id: "n", now: now)
        #expect(
            try store.outbox().map(\.operation.change) == [.put(["text": "two", "color": .null])])
        #expect(try store.record(Note.self, id: "n") == Note(text: "two"))
    }

    // MARK: Rules

    private var rules: CollectionRules {
        CollectionRules(
            Note.collection, fields: ["text": FieldRule([.string], lengthMax: 5)],
            required: ["text"], allowsOtherFields: false)
    }

    @Test func whatTheServerWouldRefuseIsRefusedAtOnce() throws {
        let store = try store(rules: [rules])
        expectRefusal("\"text\"") { try store.put(Note(text: "too long"), id: "n", now: now) }
        expectRefusal("\"color\"") { try store.put(Note(text: "a", color: "b"), id: "n", now: now) }
        expectRefusal("Nothing was changed") {
            try store.write(now: now) { batch in
                try batch.put(Note(text: "fine"), id: "fine")
                try batch.put(Note(text: "too long"), id: "n")
            }
        }
        #expect(try store.outbox().isEmpty)
        try store.put(Note(text: "fine"), id: "n", now: now)
        try store.delete(Note.self, id: "n", now: now)
        #expect(try store.records(Note.self).isEmpty)
    }

    @Test func builtInCollectionsHaveTheirRules() throws {
        let store = try store()
        expectRefusal("\"bank\"") { try store.put(Favourite(bank: ""), id: "q", now: now) }
        expectRefusal("\"date\"") {
            try store.put(WrittenElsewhere(date: "soon"), id: "r", now: now)
        }
        #expect(try store.status().waitingCount == 0)
    }

    @Test func aResolutionFollowsTheRules() throws {
        let store = try store()
        try store.put(Reservation(exam: "int/swift", date: "2026-12-24"), id: "r", now: now)
        try store.sync(now: now) { operation in
            var theirs = UserRecord(accepting: operation)
            theirs.fields["date"]?.value = "2027-01-15"
            return .conflict(theirs: theirs)
        }
        let untyped = try #require(try store.conflicts(of: WrittenElsewhere.self).first)
        expectRefusal("\"date\"") {
            try store.resolve(untyped, with: .value(WrittenElsewhere(date: "soon")), now: now)
        }
        let conflict = try #require(try store.conflicts(of: Reservation.self).first)
        let value = Reservation(exam: "int/swift", date: "2027-02-01", status: .booked)
        try store.resolve(conflict, with: .value(value), now: now)
        #expect(try store.record(Reservation.self, id: "r") == value)
    }

    /// A hundred changes may be too long together, though each alone is not.
    @Test func aBatchHasABoundInBytes() throws {
        let store = try store()
        let text = String(repeating: "x", count: 12_000)
        let write = { (count: Int) in
            try store.write(now: now) { batch in
                for number in 0..<count { try batch.put(Title(title: text), id: "p\(number)") }
            }
        }
        expectRefusal("bytes belong together") { try write(100) }
        #expect(try store.outbox().isEmpty)
        try write(50)
        #expect(try store.records(Title.self).count == 50)
    }

    // MARK: Streams

    @Test(.timeLimit(.minutes(1)))
    func aStreamEndsWithItsStore() async throws {
        var store: UserStore? = try self.store()
        let changes = try #require(store?.changedRecords())
        try store?.put(Title(title: "a"), id: "p", now: now)
        store = nil
        var heard: [Set<RecordKey>] = []
        for await keys in changes { heard.append(keys) }
        #expect(heard == [[RecordKey("plans", "p")]])
    }

    @Test(.timeLimit(.minutes(1)))
    func aStreamThatIsNotReadHasTheNewest() async {
        var listeners: Listeners<Int>? = Listeners<Int>()
        let streams = (0..<2).compactMap { _ in listeners?.stream() }
        for number in 0..<300 { listeners?.send(number) }
        listeners = nil
        for stream in streams {
            var heard: [Int] = []
            for await number in stream { heard.append(number) }
            #expect(heard == Array(44..<300))
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func aStreamHearsNothingOfTheTimeBeforeIt() async {
        var listeners: Listeners<Int>? = Listeners<Int>()
        listeners?.send(1)
        let stream = listeners?.stream()
        listeners?.send(2)
        listeners = nil
        var heard: [Int] = []
        if let stream { for await number in stream { heard.append(number) } }
        #expect(heard == [2])
    }
}
