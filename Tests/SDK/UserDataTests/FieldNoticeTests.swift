import Testing
import UserData

/// Notices about single fields: each device hears of the fields that it lost, and of no others.
@Suite struct FieldNoticeTests {
    private var story = FieldStory()

    @Test mutating func theEarlierWriterIsToldOfTheFieldThatItLost() throws {
        story.put(["words": 17, "city": "Bonn"], on: \.mine)
        try story.sync(\.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])], "the city is as it was written")
        let theirs = story.mine.state.notices.first?.theirs.values
        #expect(theirs == ["words": 12, "city": "Bonn"])
        #expect(story.told(\.other).isEmpty && story.mine.state.isSynced)
    }

    @Test mutating func theWriterThatComesTooLateIsToldToo() throws {
        story.put(["words": 17, "city": "Bonn"], on: \.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
        #expect(story.record?.values == ["words": 12, "city": "Bonn"])
    }

    @Test mutating func aDeviceThatLostEverythingIsTold() throws {
        story.put(["words": 17], on: \.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
        try story.sync(\.other)
        #expect(story.mine.state.bases == story.other.state.bases && story.told(\.other).isEmpty)
    }

    @Test mutating func aFieldThatWasReplacedKnowinglyIsNoLoss() throws {
        story.put(["words": 17], on: \.mine)
        try story.sync(\.mine)
        try story.sync(\.other)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine).isEmpty)
        #expect(story.mine.state.current(FieldStory.key)?.values == ["words": 12])
    }

    @Test mutating func otherFieldsAndEqualValuesAreNoLoss() throws {
        story.put(["words": 17, "city": "Bonn"], on: \.mine)
        try story.sync(\.mine)
        story.put(["words": 17, "sound": true], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine).isEmpty && story.told(\.other).isEmpty)
    }

    @Test mutating func aLaterKnowingWriteDoesNotHideTheLoss() throws {
        story.put(["words": 17], on: \.mine)
        try story.sync(\.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        story.put(["words": 3], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
        #expect(story.mine.state.notices.first?.theirs.values == ["words": 3])
    }

    @Test mutating func aLostReplyDoesNotHideTheLoss() throws {
        story.put(["words": 17], on: \.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        let lost = try story.send(\.mine)
        for operation in lost.operations { _ = story.judge(operation) }
        _ = story.mine.take(.failed(number: lost.number, .offline, jitter: 0))
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
    }

    @Test mutating func twoFieldsOfOneWriteThatAreLostApartAreOneNotice() throws {
        story.put(["words": 17, "city": "Bonn"], on: \.mine)
        try story.sync(\.mine)
        story.put(["words": 12], on: \.other)
        let first = try story.send(\.other)
        story.deliver(first, to: \.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17])])
        // A third device that has seen neither.
        let third = OperationID(client: ClientID("third"), counter: 1)
        _ = story.judge(
            ChangeOperation(
                id: third, key: FieldStory.key, change: .put(["city": "Ulm"]), seenRevision: 0,
                time: HybridTime(milliseconds: story.other.now + FieldStory.hour)))
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.put(["words": 17, "city": "Bonn"])])
        #expect(story.mine.state.notices.first?.theirs.values == ["words": 12, "city": "Ulm"])
    }

    /// The author of the second change saw its own first one, not what replaced that.
    @Test mutating func aChangeOnTopOfALostOneHasNotSeenTheWinner() throws {
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        story.put(["words": 17, "city": "Bonn"], on: \.mine)
        let request = try story.send(\.mine)
        story.mine.now += 2 * FieldStory.hour
        story.put(["words": 18], on: \.mine)
        story.deliver(request, to: \.mine)
        #expect(story.told(\.mine).isEmpty, "the later change decides")
        try story.sync(\.mine)
        try story.sync(\.other)
        #expect(story.record?.values["words"] == 18 && story.told(\.mine).isEmpty)
        #expect(story.told(\.other) == [.put(["words": 12])])
    }

    @Test mutating func aDeletionThatAnEditOutlivedIsTold() throws {
        story.put(["words": 17], on: \.mine)
        try story.sync(\.mine)
        try story.sync(\.other)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        story.write(.delete, on: \.mine)
        try story.sync(\.mine)
        #expect(story.told(\.mine) == [.delete])
        #expect(story.mine.state.current(FieldStory.key)?.values == ["words": 12])
    }

    @Test mutating func writingTheFieldAgainEndsTheLoss() throws {
        story.put(["words": 17], on: \.mine)
        try story.sync(\.mine)
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        story.put(["words": 17], on: \.mine)
        try story.sync(\.mine)
        try story.sync(\.other)
        #expect(story.record?.values == ["words": 17])
        #expect(story.told(\.other).isEmpty, "it was replaced knowingly")
        story.put(["words": 1], on: \.other)
        try story.sync(\.other)
        try story.sync(\.mine)
        #expect(story.told(\.mine).count == 1, "the second write was replaced knowingly")
    }
}
