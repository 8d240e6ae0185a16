import Foundation
import Testing
import UserData

/// The state of a device: its parts, and what it shows.
@Suite struct DeviceStateTests {
    private typealias Script = MachineScript
    private var script = Script()

    /// A state with something in each list.
    private mutating func full() throws -> DeviceState {
        for key in [Script.star, Script.exam, RecordKey("settings", "a")] {
            _ = script.put(key, 1)
        }
        _ = script.take(.answered(count: 4))
        let request = try script.request(after: .started)
        let results: [OperationResult] = [
            .merged(
                Script.record(
                    Script.star, 2, revision: 1, by: Script.theirs(1), at: script.now + 9)),
            .conflict(
                theirs: Script.record(Script.exam, 2, revision: 2, by: Script.theirs(2))),
            .refused(.quota),
        ]
        _ = script.reply(to: request, results, cursor: 2)
        _ = script.put(RecordKey("stars", "b"), 1)
        _ = script.put(RecordKey("stars", "a"), 1)
        return script.state
    }

    private func lists(_ state: DeviceState) -> DeviceState.Lists {
        var lists = DeviceState.Lists()
        lists.bases = state.bases
        lists.recordsBeforeRebuild = state.recordsBeforeRebuild
        lists.outbox = state.outbox.reversed()
        lists.conflicts = state.conflicts.reversed()
        lists.rejected = state.rejected.reversed()
        lists.notices = state.notices.reversed()
        return lists
    }

    private func restored(
        _ state: DeviceState, _ scalars: DeviceState.Scalars? = nil
    ) -> DeviceState {
        DeviceState(
            user: state.user, declarations: Script.collections,
            scalars: scalars ?? state.scalars, lists: lists(state))
    }

    @Test mutating func aStateIsRestoredFromItsParts() throws {
        let state = try full()
        #expect(state.notices.count == 1 && state.conflicts.count == 1)
        #expect(state.rejected.count == 1 && state.outbox.count == 2)
        #expect(restored(state) == state)
    }

    @Test mutating func offersStayBeforeChanges() throws {
        var request = try script.request(after: .started)
        let record = Script.record(Script.star, 1, revision: 5, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [record], cursor: 5)
        request = try script.request(after: .syncWanted)
        _ = script.put(Script.exam, 1)
        request = try script.request(
            after: .replied(ExchangeResponse(number: request.number, epoch: "e2")))
        _ = script.take(.replied(ExchangeResponse(number: request.number, epoch: "e2")))
        #expect(script.state.outbox.map(\.isOffer) == [true, false])
        #expect(script.state.outbox.map(\.operation.id.counter) == [2, 1])
        #expect(restored(script.state) == script.state)
    }

    @Test mutating func scalarsSurviveTheirJSON() throws {
        let state = try full()
        let json = try JSONEncoder().encode(state.scalars)
        let scalars = try JSONDecoder().decode(DeviceState.Scalars.self, from: json)
        #expect(scalars == state.scalars)
    }

    @Test mutating func aMachineGoesOnFromARestoredState() throws {
        let state = try full()
        var next = Script(restored(state))
        let request = try next.request(after: .started)
        #expect(request.number == state.nextRequest)
        #expect(request.operations == state.outbox.map(\.operation))
    }

    @Test mutating func keysOfACollectionAreSorted() throws {
        let state = try full()
        let ids = state.keys(of: "stars").map(\.id)
        #expect(ids == ["a", "b", "s"])
        #expect(state.keys(of: "exams") == [Script.exam])
        #expect(state.keys(of: "settings").count == 1, "a rejected record is shown")
        #expect(state.keys(of: "nothing") == [])
    }

    @Test mutating func shownRecordsAreThoseThatExist() throws {
        _ = try full()
        _ = script.take(.wrote(RecordKey("stars", "a"), .delete))
        let shown = script.state.shownKeys
        #expect(
            shown == [
                Script.exam, RecordKey("settings", "a"), RecordKey("stars", "b"), Script.star,
            ])
        #expect(script.state.current(RecordKey("stars", "a")) == nil)
        #expect(script.state.current(RecordKey("unknown", "a")) == nil)
    }

    @Test mutating func waitingIsWhatTheServerLacks() throws {
        _ = script.put(Script.star, 1)
        _ = script.take(.answered(count: 2))
        #expect(script.state.waitingCount == 3)
        let request = try script.request(after: .started)
        #expect(script.state.waitingCount == 3, "sent is not acknowledged")
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.reply(to: request, [.accepted(record)], cursor: 1)
        #expect(script.state.waitingCount == 0)
    }

    @Test mutating func noticesDoNotKeepADeviceFromBeingSynced() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let theirs = Script.record(
            Script.star, 2, revision: 1, by: Script.theirs(1), at: script.now + 9)
        _ = script.reply(to: request, [.merged(theirs)], cursor: 1)
        #expect(script.state.notices.count == 1 && script.state.isSynced)
    }

    @Test func aTagIsSixteenDigits() {
        let operation = ChangeOperation(
            id: Script.mine(1), key: Script.exam, change: .put(["n": 1]), seenRevision: 0,
            time: HybridTime(milliseconds: 7))
        func tag(_ number: Int64, _ change: Change = .put(["n": 1])) -> String {
            var mine = operation
            mine.change = change
            let theirs = Script.record(Script.exam, number, revision: 1, by: Script.theirs(1))
            return RecordConflict(
                key: Script.exam, mine: mine, theirs: theirs, base: nil
            ).tag
        }
        #expect(tag(1).count == 16 && tag(1).allSatisfy { $0.isHexDigit })
        #expect(tag(1) == tag(1) && tag(1) != tag(2))
        #expect(tag(1) != tag(1, .delete) && tag(1) != tag(1, .put(["n": 2])))
    }
}
