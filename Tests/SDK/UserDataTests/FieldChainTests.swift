import Testing
import UserData

/// Changes of fields on top of one whose reply is late: the record that it made may have fields of another device.
@Suite struct FieldChainTests {
    private var story = FieldStory()

    /// The record of the accepted change has a field of the other device, which nobody saw here when the next
    /// change was made.
    @Test mutating func aChangeOnTopOfAnAcceptedOneHasNotSeenTheOthersField() throws {
        try replyLate { $0.put(["words": 18], on: \.mine) }
        #expect(story.record?.values == ["words": 12, "city": "Bonn"], "the other's is later")
        #expect(story.told(\.mine) == [.put(["words": 18])] && story.told(\.other).isEmpty)
    }

    @Test mutating func theOtherDeviceIsToldOfWhatALaterChangeOnTopReplaced() throws {
        try replyLate {
            $0.mine.now += 2 * FieldStory.hour
            $0.put(["words": 18], on: \.mine)
        }
        #expect(story.record?.values == ["words": 18, "city": "Bonn"])
        #expect(story.told(\.other) == [.put(["words": 12])] && story.told(\.mine).isEmpty)
    }

    @Test mutating func aDeletionOnTopOfAnAcceptedChangeKeepsTheOthersField() throws {
        try replyLate { $0.write(.delete, on: \.mine) }
        #expect(story.record?.values == ["words": 12, "city": "Bonn"])
        #expect(story.told(\.mine) == [.delete])
    }

    @Test mutating func aDeletionOnTopOfAnAcceptedChangeHasSeenItsOwnFields() throws {
        story.put(["city": "Bonn"], on: \.mine)
        let request = try story.send(\.mine)
        story.write(.delete, on: \.mine)
        story.deliver(request, to: \.mine)
        try story.sync(\.mine)
        #expect(story.record?.isDeleted == true && story.told(\.mine).isEmpty)
    }

    /// Both devices had written the same, so the next change is of a value that was seen.
    @Test mutating func aChangeOfAnEqualValueHasSeenIt() throws {
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        story.put(["words": 12], on: \.mine)
        let request = try story.send(\.mine)
        story.put(["words": 18], on: \.mine)
        story.deliver(request, to: \.mine)
        try story.sync(\.mine)
        try story.sync(\.other)
        #expect(story.record?.values == ["words": 18])
        #expect(story.told(\.mine).isEmpty && story.told(\.other).isEmpty)
    }

    /// Sends a city while the other device's words are on the server already, and makes a change before the reply.
    private mutating func replyLate(_ change: (inout FieldStory) -> Void) throws {
        story.put(["words": 12], on: \.other)
        try story.sync(\.other)
        story.put(["city": "Bonn"], on: \.mine)
        let request = try story.send(\.mine)
        change(&story)
        story.deliver(request, to: \.mine)
        try story.sync(\.mine)
        try story.sync(\.other)
    }
}
