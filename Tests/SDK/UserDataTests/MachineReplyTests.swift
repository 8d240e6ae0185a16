import Testing
import UserData

/// The effect of replies on pending changes.
@Suite struct MachineReplyTests {
    private typealias Script = MachineScript
    private var script = Script()

    @Test mutating func anAcceptedChangeLeavesTheOutbox() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        let effects = script.reply(to: request, [.accepted(record)], cursor: 1)
        #expect(effects == [.changed([Script.star])])
        #expect(script.state.outbox.isEmpty && script.state.bases == [Script.star: record])
        #expect(script.state.isSynced && script.state.cursor == 1)
    }

    @Test mutating func theSameReplyTwiceIsTheSameAsOnce() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.reply(to: request, [.accepted(record)], cursor: 1)
        let once = script.state
        #expect(script.reply(to: request, [.accepted(record)], cursor: 1) == [])
        #expect(script.state == once)
    }

    @Test mutating func aChangeInFlightIsNotChangedAnyMore() throws {
        _ = script.put(Script.star, 1)
        _ = script.put(Script.star, 2)
        #expect(script.state.outbox.count == 1, "nobody knows the first one yet")
        _ = try script.request(after: .started)
        #expect(script.put(Script.star, 3) == [.changed([Script.star])])
        #expect(script.state.outbox.map(\.operation.id.counter) == [1, 2])
        #expect(script.state.outbox[1].operation.follows == Script.mine(1))
    }

    @Test mutating func aChangeOnTopSawTheAcceptedOne() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        _ = script.put(Script.star, 2)
        let record = Script.record(Script.star, 1, revision: 7, by: Script.mine(1))
        let effects = script.reply(to: request, [.accepted(record)], cursor: 7)
        let next = try #require(Script.request(effects))
        #expect(next.operations.map(\.seenRevision) == [7])
        #expect(next.operations[0].follows == nil && next.processedBefore == 2)
    }

    @Test mutating func aRefusedChangeIsShownUntilItIsDismissed() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        #expect(script.reply(to: request, [.refused(.quota)]) == [.changed([Script.star])])
        #expect(script.state.rejected.map(\.refusal) == [.quota])
        #expect(script.state.current(Script.star)?.values["n"] == .integer(1))
        #expect(!script.state.isSynced)
        #expect(script.take(.dismissed(Script.mine(1))) == [.changed([Script.star])])
        #expect(script.state.current(Script.star) == nil && script.state.isSynced)
        #expect(script.take(.dismissed(Script.mine(1))) == [])
    }

    @Test mutating func aRefusedChangeIsSentAgainUnderANewNumber() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        _ = script.reply(to: request, [.refused(.unknownCollection)])
        let next = try script.request(after: .retried(Script.mine(1)))
        #expect(next.operations.map(\.id) == [Script.mine(2)])
        #expect(script.state.rejected.isEmpty)
    }

    @Test mutating func whatIsToBeSentLaterWaits() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let effects = script.reply(to: request, [.retryLater])
        #expect(effects == [.changed([Script.star]), .wake(at: script.now + 750)])
        #expect(script.state.outbox.count == 1)
    }

    @Test mutating func progressAsksAgainAtOnce() throws {
        _ = script.put(Script.star, 1)
        _ = script.put(Script.exam, 2)
        let request = try script.request(after: .started)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        let effects = script.reply(to: request, [.accepted(record), .retryLater], cursor: 1)
        #expect(Script.request(effects)?.operations.map(\.key) == [Script.exam])
    }

    @Test mutating func pagesAreReadToTheEnd() throws {
        let request = try script.request(after: .started)
        let one = Script.record(Script.star, 1, revision: 1, by: Script.theirs(1))
        let two = Script.record(Script.exam, 2, revision: 2, by: Script.theirs(2))
        var effects = script.reply(to: request, changes: [one], cursor: 1, hasMore: true)
        let next = try #require(Script.request(effects))
        #expect(effects.first == .changed([Script.star]) && next.cursor == 1)
        effects = script.reply(to: next, changes: [two], cursor: 2)
        #expect(effects == [.changed([Script.exam])])
        #expect(script.state.shownKeys == [Script.exam, Script.star])
    }

    @Test mutating func anOlderRevisionChangesNothing() throws {
        var request = try script.request(after: .started)
        let new = Script.record(Script.star, 2, revision: 2, by: Script.theirs(2))
        _ = script.reply(to: request, changes: [new], cursor: 2)
        request = try script.request(after: .syncWanted)
        let old = Script.record(Script.star, 1, revision: 1, by: Script.theirs(1))
        #expect(script.reply(to: request, changes: [old]) == [])
        #expect(script.state.bases[Script.star] == new)
    }

    @Test mutating func aTombstoneIsNotShown() throws {
        let request = try script.request(after: .started)
        var record = Script.record(Script.star, 1, revision: 1, by: Script.theirs(1))
        record.isDeleted = true
        record.fields = [:]
        #expect(
            script.reply(to: request, changes: [record], cursor: 1) == [.changed([Script.star])])
        #expect(script.state.current(Script.star) == nil && script.state.shownKeys.isEmpty)
    }

    @Test mutating func aServerThatWentBackIsOfferedWhatItLost() throws {
        var request = try script.request(after: .started)
        let lost = Script.record(Script.star, 1, revision: 5, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [lost], cursor: 5)
        request = try script.request(after: .syncWanted)
        let answer = ExchangeResponse(number: request.number, epoch: "e2")
        request = try script.request(after: .replied(answer))
        #expect(request.isReadingAnew && request.cursor == 0 && request.epoch == "e2")
        #expect(script.state.current(Script.star)?.values["n"] == .integer(1), "still shown")
        let end = ExchangeResponse(number: request.number, epoch: "e2")
        request = try script.request(after: .replied(end))
        #expect(request.operations.map(\.change) == [.restore(lost)])
        #expect(script.state.recovery == nil)
    }

    @Test mutating func whatIsTooLongIsHalvedAndThenSetAside() throws {
        for number in 0..<2 { _ = script.put(RecordKey("stars", "s\(number)"), 1) }
        var request = try script.request(after: .started)
        #expect(request.operations.count == 2)
        for _ in 0..<20 where request.operations.count > 1 {
            let event = DeviceMachine.Event.failed(
                number: request.number, .tooLong, jitter: 1)
            request = try script.request(after: event)
        }
        #expect(request.operations.count == 1)
        // A small one that a proxy calls too long is a failure like any other.
        let effects = script.take(.failed(number: request.number, .tooLong, jitter: 1))
        #expect(script.wait(effects) == 1_000 && script.state.rejected.isEmpty)
    }

    @Test mutating func aGroupGoesWhole() throws {
        let changes = [Script.star, Script.exam].map {
            DeviceMachine.BatchedWrite($0, .put(["n": .integer(1)]))
        }
        #expect(
            script.take(.wroteBatch(changes)) == [.changed([Script.star, Script.exam])])
        #expect(script.state.outbox.map(\.group) == [1, 1])
        #expect(try script.request(after: .started).operations.count == 2)
    }

    @Test mutating func countersSayTotals() throws {
        let key = RecordKey("points", "p")
        _ = script.take(.wrote(key, .count(field: "n", by: 2)))
        _ = script.take(.wrote(key, .count(field: "n", by: -5)))
        let request = try script.request(after: .started)
        #expect(
            request.operations.map(\.change) == [
                .count(field: "n", CounterTotals(added: 2)),
                .count(field: "n", CounterTotals(added: 2, removed: 5)),
            ])
        #expect(
            script.state.outbox.map(\.step) == [CounterTotals(added: 2), CounterTotals(removed: 5)])
        #expect(script.state.current(key)?.values["n"] == .integer(-3))
    }
}
