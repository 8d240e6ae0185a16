import Testing
import UserData

/// Notices about single fields: two devices that do not see each other's change of one field, and the rules of the
/// server between them.
@Suite struct FieldNoticeTests {
    private typealias Script = MachineScript
    private static let hour: Int64 = 60 * 60 * 1000
    private static let key = RecordKey("profile", "me")
    private var mine = Script()
    private var other = Script(
        DeviceState(user: "u", client: Script.other, declarations: Script.collections))
    private var record: UserRecord?
    /// The requests that devices made and that did not arrive yet.
    private var waiting: [ClientID: ExchangeRequest] = [:]

    init() { other.now += Self.hour }

    // MARK: The server

    /// Exchanges once: judges what the device sends, and replies with the record as it is then.
    private mutating func sync(_ device: WritableKeyPath<Self, Script>) throws {
        let request = try send(device)
        deliver(request, to: device)
    }

    private mutating func send(_ device: WritableKeyPath<Self, Script>) throws -> ExchangeRequest {
        let client = self[keyPath: device].state.client
        if let request = waiting.removeValue(forKey: client) { return request }
        let isFirst = self[keyPath: device].state.nextRequest == 1
        return try self[keyPath: device].request(after: isFirst ? .started : .syncWanted)
    }

    private mutating func deliver(
        _ request: ExchangeRequest, to device: WritableKeyPath<Self, Script>
    ) {
        let results = request.operations.map { judge($0) }
        waiting[request.client] = Script.request(
            self[keyPath: device].reply(
                to: request, results, changes: record.map { [$0] } ?? [],
                cursor: record?.revision ?? 0))
    }

    private mutating func judge(_ operation: ChangeOperation) -> OperationResult {
        let verdict = MergeRules.judge(operation, on: record, policy: .fieldMerge)
        let next = (record?.revision ?? 0) + 1
        switch verdict {
        case .write(let new, _):
            let written = new.committed(at: next)
            record = written
            return .accepted(written)
        case .writePart(let new):
            let written = new.committed(at: next)
            record = written
            return .merged(written)
        case .alreadyApplied(let record): return .accepted(record)
        case .superseded(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    private mutating func put(
        _ values: [String: FieldValue], on device: WritableKeyPath<Self, Script>
    ) {
        self[keyPath: device].now += 1
        let shown = self[keyPath: device].state.current(Self.key)?.values ?? [:]
        write(.put(shown.merging(values) { $1 }), on: device)
    }

    private mutating func write(
        _ write: DeviceMachine.Write, on device: WritableKeyPath<Self, Script>
    ) {
        let effects = self[keyPath: device].take(.wrote(Self.key, write))
        if let request = Script.request(effects) {
            waiting[self[keyPath: device].state.client] = request
        }
    }

    private func told(_ device: KeyPath<Self, Script>) -> [Change] {
        self[keyPath: device].state.notices.map(\.mine.change)
    }

    // MARK: Stories

    @Test mutating func theEarlierWriterIsToldOfTheFieldThatItLost() throws {
        put(["words": 17, "city": "Bonn"], on: \.mine)
        try sync(\.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])], "the city is as it was written")
        let theirs = mine.state.notices.first?.theirs.values
        #expect(theirs == ["words": 12, "city": "Bonn"])
        #expect(told(\.other).isEmpty && mine.state.isSynced)
    }

    @Test mutating func theWriterThatComesTooLateIsToldToo() throws {
        put(["words": 17, "city": "Bonn"], on: \.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])])
        #expect(record?.values == ["words": 12, "city": "Bonn"])
    }

    @Test mutating func aDeviceThatLostEverythingIsTold() throws {
        put(["words": 17], on: \.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])])
        try sync(\.other)
        #expect(mine.state.bases == other.state.bases && told(\.other).isEmpty)
    }

    @Test mutating func aFieldThatWasReplacedKnowinglyIsNoLoss() throws {
        put(["words": 17], on: \.mine)
        try sync(\.mine)
        try sync(\.other)
        put(["words": 12], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine).isEmpty && mine.state.current(Self.key)?.values == ["words": 12])
    }

    @Test mutating func otherFieldsAndEqualValuesAreNoLoss() throws {
        put(["words": 17, "city": "Bonn"], on: \.mine)
        try sync(\.mine)
        put(["words": 17, "sound": true], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine).isEmpty && told(\.other).isEmpty)
    }

    @Test mutating func aLaterKnowingWriteDoesNotHideTheLoss() throws {
        put(["words": 17], on: \.mine)
        try sync(\.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        put(["words": 3], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])])
        #expect(mine.state.notices.first?.theirs.values == ["words": 3])
    }

    @Test mutating func aLostReplyDoesNotHideTheLoss() throws {
        put(["words": 17], on: \.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        let lost = try send(\.mine)
        for operation in lost.operations { _ = judge(operation) }
        _ = mine.take(.failed(number: lost.number, .offline, jitter: 0))
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])])
    }

    @Test mutating func twoFieldsOfOneWriteThatAreLostApartAreOneNotice() throws {
        put(["words": 17, "city": "Bonn"], on: \.mine)
        try sync(\.mine)
        put(["words": 12], on: \.other)
        let first = try send(\.other)
        deliver(first, to: \.other)
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17])])
        // A third device that has seen neither.
        let third = OperationID(client: ClientID("third"), counter: 1)
        _ = judge(
            ChangeOperation(
                id: third, key: Self.key, change: .put(["city": "Ulm"]), seenRevision: 0,
                time: HybridTime(milliseconds: other.now + Self.hour)))
        try sync(\.mine)
        #expect(told(\.mine) == [.put(["words": 17, "city": "Bonn"])])
        #expect(mine.state.notices.first?.theirs.values == ["words": 12, "city": "Ulm"])
    }

    /// The author of the second change saw its own first one, not what replaced that.
    @Test mutating func aChangeOnTopOfALostOneHasNotSeenTheWinner() throws {
        put(["words": 12], on: \.other)
        try sync(\.other)
        put(["words": 17, "city": "Bonn"], on: \.mine)
        let request = try send(\.mine)
        mine.now += 2 * Self.hour
        put(["words": 18], on: \.mine)
        deliver(request, to: \.mine)
        #expect(told(\.mine).isEmpty, "the later change decides")
        try sync(\.mine)
        try sync(\.other)
        #expect(record?.values["words"] == 18 && told(\.mine).isEmpty)
        #expect(told(\.other) == [.put(["words": 12])])
    }

    @Test mutating func aDeletionThatAnEditOutlivedIsTold() throws {
        put(["words": 17], on: \.mine)
        try sync(\.mine)
        try sync(\.other)
        put(["words": 12], on: \.other)
        try sync(\.other)
        write(.delete, on: \.mine)
        try sync(\.mine)
        #expect(told(\.mine) == [.delete])
        #expect(mine.state.current(Self.key)?.values == ["words": 12])
    }

    @Test mutating func writingTheFieldAgainEndsTheLoss() throws {
        put(["words": 17], on: \.mine)
        try sync(\.mine)
        put(["words": 12], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        put(["words": 17], on: \.mine)
        try sync(\.mine)
        try sync(\.other)
        #expect(record?.values == ["words": 17])
        #expect(told(\.other).isEmpty, "it was replaced knowingly")
        put(["words": 1], on: \.other)
        try sync(\.other)
        try sync(\.mine)
        #expect(told(\.mine).count == 1, "the second write was replaced knowingly")
    }
}
