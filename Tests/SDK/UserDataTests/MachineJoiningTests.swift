import Testing
import UserData

/// What waited under an account that was moved into the present one.
@Suite struct MachineJoiningTests {
    private typealias Script = MachineScript
    private let guestDevice = ClientID("guest")
    private let points = RecordKey("points", "p")
    private var script = Script()
    private var guest = Script(
        DeviceState(
            user: "guest", client: ClientID("guest"),
            declarations: Script.collections + [CollectionDeclaration("consents", .lastWriteWins)]))

    /// The state of the guest as it leaves, after the server's results.
    private func left(
        _ results: [OperationID: OperationResult] = [:]
    ) -> DeviceState {
        var machine = guest.machine
        machine.leave(results: results, now: guest.now)
        return machine.state
    }

    /// Gives the guest a record of the server.
    private mutating func give(_ key: RecordKey, _ number: Int64, revision: UInt64) throws {
        let request = try guest.request(after: .started)
        let record = Script.record(key, number, revision: revision, by: Script.theirs(revision))
        _ = guest.reply(to: request, changes: [record], cursor: revision)
    }

    @Test mutating func aChangeSaysByWritesWhatItsAuthorSaw() throws {
        try give(Script.star, 1, revision: 7)
        _ = guest.put(Script.star, 2)
        _ = guest.put(Script.star, 3)
        _ = script.take(.joined(left()))
        let operations = script.state.outbox.map(\.operation)
        #expect(operations.map(\.id) == [Script.mine(1), Script.mine(2)])
        #expect(operations.map(\.change) == [.put(["n": 2]), .put(["n": 3])])
        #expect(operations.map(\.follows) == [Script.theirs(7), Script.mine(1)])
        #expect(operations.allSatisfy { $0.seenRevision == 0 })
        #expect(operations.allSatisfy { $0.seenWrites == [Script.other: 7] })
        #expect(script.state.outbox.allSatisfy { !$0.wasSent })
    }

    @Test mutating func whatTheServerAppliedIsDropped() throws {
        _ = guest.put(Script.star, 1)
        let request = try guest.request(after: .started)
        _ = guest.put(Script.star, 2)
        let sent = try #require(request.operations.first)
        let record = Script.record(Script.star, 1, revision: 40, by: sent.id)
        _ = script.take(.joined(left([sent.id: .accepted(record)])))
        #expect(script.state.outbox.map(\.operation.change) == [.put(["n": 2])])
        #expect(script.state.outbox.first?.operation.seenRevision == 40)
    }

    @Test mutating func stepsAddUpUnderThisDevice() {
        _ = script.take(.wrote(points, .count(field: "n", by: 10)))
        _ = guest.take(.wrote(points, .count(field: "n", by: 5)))
        _ = guest.take(.wrote(points, .count(field: "n", by: 2)))
        _ = script.take(.joined(left()))
        #expect(
            script.state.outbox.map(\.operation.change)
                == [10, 15, 17].map { .count(field: "n", CounterTotals(added: $0)) })
    }

    @Test mutating func batchesStayTogether() {
        _ = script.put(Script.exam, 1)
        _ = guest.take(
            .wroteBatch([.init(Script.star, .put(["n": 1])), .init(Script.exam, .put(["n": 2]))]))
        _ = script.take(.joined(left()))
        #expect(script.state.outbox.map(\.group) == [nil, 2, 2])
    }

    @Test mutating func anOpenConflictIsAskedAgain() throws {
        try give(Script.exam, 1, revision: 7)
        _ = guest.put(Script.exam, 2)
        let request = try guest.request(after: .started)
        let theirs = Script.record(Script.exam, 3, revision: 9, by: Script.theirs(9))
        _ = guest.reply(to: request, [.conflict(theirs: theirs)], changes: [], cursor: 9)
        #expect(guest.state.conflicts.count == 1)
        _ = script.take(.joined(left()))
        #expect(script.state.conflicts.isEmpty)
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.change == .put(["n": 2]) && operation.follows == Script.theirs(7))
    }

    /// The server's version came before the result, and the user never looked at it.
    @Test mutating func anOpenConflictHasNotSeenWhatItIsAbout() throws {
        _ = guest.put(Script.exam, 2)
        var request = try guest.request(after: .started)
        let theirs = Script.record(Script.exam, 3, revision: 9, by: Script.theirs(9))
        let operation = try #require(request.operations.first)
        request = try #require(
            Script.request(
                guest.reply(to: request, [.retryLater], changes: [theirs], cursor: 9)
                    + guest.take(.syncWanted)))
        _ = guest.reply(to: request, [.conflict(theirs: theirs)], cursor: 9)
        #expect(guest.state.conflicts.map(\.mine.id) == [operation.id])
        _ = script.take(.joined(left()))
        let asked = try #require(script.state.outbox.first?.operation)
        let verdict = MergeRules.judge(asked, on: theirs, policy: .askUser)
        #expect(verdict == .conflict(theirs))
    }

    /// The record is shown until the server's arrives; a deleted one and consents are not.
    @Test mutating func recordsAreShownMeanwhile() throws {
        try give(Script.star, 1, revision: 7)
        _ = guest.put(RecordKey("consents", "keyReview"), 1)
        let effects = script.take(.joined(left()))
        #expect(effects == [.changed([])])
        #expect(script.state.current(Script.star)?.values == ["n": 1])
        #expect(script.state.outbox.isEmpty && script.state.recovery == .accountWasMoved)
        #expect(!script.state.isSynced)
        let request = try script.request(after: .started)
        #expect(request.cursor == 0 && request.isReadingAnew && request.operations.isEmpty)
        _ = script.reply(to: request)
        #expect(script.state.recovery == nil)
        #expect(script.state.current(Script.star) == nil, "the server has it no more")
        #expect(script.state.outbox.isEmpty, "nothing is offered")
    }

    @Test mutating func answersKeepTheirNamesAndAreNotSentAgain() throws {
        _ = guest.take(.answered(count: 3))
        let request = try guest.request(after: .started)
        _ = guest.reply(to: request)
        _ = script.take(.answered(count: 1))
        _ = script.take(.joined(left()))
        #expect(script.state.answers == AnswerVector([Script.me: 1, guestDevice: 3]))
        let next = try script.request(after: .started)
        #expect(next.answers.map(\.client) == [Script.me])
    }
}
