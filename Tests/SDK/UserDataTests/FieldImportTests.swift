import Testing
import UserData

/// Fields that were written while nobody was signed in, on a device that has the account already: each side hears of
/// the fields that it lost.
@Suite struct FieldImportTests {
    private typealias Script = MachineScript
    private var story = FieldStory()
    private var guest = Script(
        DeviceState(
            user: DeviceState.localUser, client: ClientID("writer"),
            declarations: Script.collections))

    @Test mutating func theGuestIsTold() throws {
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        write(["words": 17, "city": "Bonn"], after: 0)
        try bring()
        #expect(story.record?.values == ["words": 12, "city": "Bonn"])
        #expect(story.told(\.mine) == [.put(["words": 17])] && story.told(\.other).isEmpty)
    }

    @Test mutating func theOtherDeviceIsTold() throws {
        story.put(["words": 12, "sound": true], on: \.other)
        try story.sync(\.other)
        write(["words": 17, "city": "Bonn"], after: 2 * FieldStory.hour)
        try bring()
        #expect(story.record?.values == ["words": 17, "city": "Bonn", "sound": true])
        #expect(story.told(\.other) == [.put(["words": 12])] && story.told(\.mine).isEmpty)
    }

    @Test mutating func whatTheOtherReplacesLaterIsToldHere() throws {
        write(["words": 17], after: 0)
        try bring()
        // A third device that has seen nothing.
        let third = OperationID(client: ClientID("third"), counter: 1)
        story.judge(
            ChangeOperation(
                id: third, key: FieldStory.key, change: .put(["words": 3]), seenRevision: 0,
                time: HybridTime(milliseconds: story.other.now + FieldStory.hour)))
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
    }

    @Test mutating func anOwnEarlierFieldThatWaitsIsTold() throws {
        story.put(["words": 12, "sound": true], on: \.mine)
        write(["words": 17], after: FieldStory.hour)
        try bring()
        #expect(story.record?.values == ["words": 17, "sound": true])
        #expect(story.told(\.mine) == [.put(["words": 12])])
    }

    @Test mutating func anOwnLaterFieldStays() throws {
        write(["words": 17, "city": "Bonn"], after: 0)
        story.mine.now += FieldStory.hour
        story.put(["words": 12], on: \.mine)
        try story.sync(\.mine)
        try bring()
        #expect(story.record?.values == ["words": 12, "city": "Bonn"])
        #expect(story.told(\.mine) == [.put(["words": 17])])
    }

    @Test mutating func equalFieldsAreNotSent() throws {
        story.put(["words": 17, "sound": true], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        write(["words": 17, "city": "Bonn"], after: 0)
        story.take(.imported(guest.state), on: \.mine)
        #expect(story.mine.state.outbox.map(\.operation.change) == [.put(["city": "Bonn"])])
    }

    /// The first change has what a collection requires; alone, a later one would be refused.
    @Test mutating func severalChangesKeepTheirOrderAndTheirTimes() throws {
        write(["words": 17, "city": "Bonn"], after: 0)
        _ = guest.take(.wroteBatch([.init(FieldStory.key, .put(["words": 18, "city": "Bonn"]))]))
        story.take(.imported(guest.state), on: \.mine)
        let brought = story.mine.state.outbox.map(\.operation)
        let first = Change.put(["words": 17, "city": "Bonn"])
        #expect(brought.map(\.change) == [first, .put(["words": 18])])
        #expect(brought.map(\.time) == guest.state.outbox.map(\.operation.time))
    }

    @Test mutating func nothingOfADeletedRecordComesBack() throws {
        write(["words": 17, "city": "Bonn"], after: 0)
        _ = guest.take(.wroteBatch([.init(FieldStory.key, .delete)]))
        write(["city": "Ulm"], after: FieldStory.hour)
        try bring()
        #expect(story.record?.values == ["city": "Ulm"])
    }

    private mutating func write(_ values: [String: FieldValue], after milliseconds: Int64) {
        guest.now += milliseconds
        _ = guest.take(.wrote(FieldStory.key, .put(values)))
    }

    /// Signs in with everything, and syncs both devices.
    private mutating func bring() throws {
        story.take(.imported(guest.state), on: \.mine)
        for _ in 0..<2 { try story.sync(\.mine) }
        try story.sync(\.other)
    }
}
