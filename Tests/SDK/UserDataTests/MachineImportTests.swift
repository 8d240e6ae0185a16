import Testing
import UserData

/// The data of another user of this device, as on signing in.
@Suite struct MachineImportTests {
    private typealias Script = MachineScript
    private let guestDevice = ClientID("guest")
    private let points = RecordKey("points", "p")
    private let profile = RecordKey("profile", "me")
    private var script = Script()
    private var guest: Script

    init() {
        guest = Script(
            DeviceState(
                user: "guest", client: ClientID("guest"), declarations: Script.collections))
    }

    @Test mutating func recordsBecomeChangesThatSawNothing() throws {
        _ = guest.put(Script.star, 1)
        script.now += 1_000
        #expect(script.take(.imported(guest.state)) == [.changed([Script.star])])
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.id == Script.mine(1) && operation.change == .put(["n": 1]))
        #expect(operation.seenRevision == 0 && operation.follows == nil)
        #expect(operation.time.milliseconds == guest.now, "the time of the write")
        #expect(script.state.outbox.map(\.madeAt) == [script.now])
    }

    @Test mutating func aStartedMachineSendsThem() throws {
        let request = try script.request(after: .started)
        _ = script.reply(to: request)
        _ = guest.put(Script.star, 1)
        let next = try script.request(after: .imported(guest.state))
        #expect(next.operations.map(\.key) == [Script.star] && next.client == Script.me)
    }

    @Test mutating func equalRecordsAreLeftAlone() {
        _ = guest.put(Script.star, 1)
        _ = guest.put(Script.exam, 2)
        _ = script.put(Script.star, 1)
        #expect(script.take(.imported(guest.state)) == [.changed([Script.exam])])
        #expect(script.state.outbox.map(\.operation.key) == [Script.star, Script.exam])
    }

    @Test mutating func deletedRecordsAreNot() {
        _ = guest.put(Script.star, 1)
        _ = guest.take(.wrote(Script.star, .delete))
        #expect(script.take(.imported(guest.state)) == [.changed([])])
        #expect(script.state.outbox.isEmpty)
    }

    @Test mutating func collectionsThatTheUserLacksAreLeftOut() {
        script = Script(
            DeviceState(
                user: "u", client: Script.me,
                declarations: [CollectionDeclaration("exams", .askUser)]))
        _ = guest.put(Script.star, 1)
        _ = guest.put(Script.exam, 2)
        #expect(script.take(.imported(guest.state)) == [.changed([Script.exam])])
    }

    @Test mutating func anotherVersionIsForThePolicyToDecide() throws {
        let request = try script.request(after: .started)
        let mine = Script.record(Script.exam, 1, revision: 3, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [mine], cursor: 3)
        _ = guest.put(Script.exam, 2)
        let next = try script.request(after: .imported(guest.state))
        let operation = try #require(next.operations.first)
        #expect(operation.seenRevision == 0)
        #expect(MergeRules.judge(operation, on: mine, policy: .askUser) == .conflict(mine))
    }

    /// A server that takes both times for the same one would take the greater number for the later write.
    @Test mutating func anOwnLaterWriteStaysThoughTheClockRunsAhead() throws {
        _ = guest.put(Script.star, 1)
        script.now += 1_000
        _ = script.put(Script.star, 2)
        _ = script.take(.imported(guest.state))
        #expect(script.state.outbox.map(\.operation.change) == [.put(["n": 2])])
        #expect(script.state.notices.map(\.mine.change) == [.put(["n": 1])])
    }

    @Test mutating func anOwnEarlierWriteIsToldAndStaysReplaced() throws {
        _ = script.put(Script.star, 2)
        guest.now += 1_000
        _ = guest.put(Script.star, 1)
        _ = script.take(.imported(guest.state))
        #expect(script.state.notices.map(\.mine.change) == [.put(["n": 2])])
        let both = script.state.outbox.map { $0.operation.bounded(by: .zero) }
        let first = MergeRules.applied(both[0], to: nil, policy: .lastWriteWins).committed(at: 1)
        guard
            case .write(let record, _) = MergeRules.judge(
                both[1], on: first, policy: .lastWriteWins)
        else {
            Issue.record("the later write is not written")
            return
        }
        #expect(record.values == ["n": 1])
    }

    @Test mutating func pendingStepsBecomeOwnSteps() throws {
        _ = guest.take(.wrote(points, .count(field: "n", by: 5)))
        _ = guest.take(.wrote(points, .count(field: "n", by: -2)))
        _ = script.take(.wrote(points, .count(field: "n", by: 10)))
        #expect(script.take(.imported(guest.state)) == [.changed([points])])
        #expect(script.state.current(points)?.values == ["n": 13])
        #expect(script.state.outbox.allSatisfy { $0.operation.id.client == Script.me })
        #expect(
            script.state.outbox.last?.operation.change
                == .count(field: "n", CounterTotals(added: 15, removed: 2)))
    }

    /// A folder that was copied before signing in, and put back later, signs in with the same steps: the
    /// server knows their numbers and their content, and counts them once.
    @Test mutating func stepsTakenAlongTwiceAreTheSameOperations() throws {
        _ = guest.take(.wrote(points, .count(field: "n", by: 5)))
        _ = guest.take(.wrote(points, .count(field: "n", by: -2)))
        var later = script
        later.now += 60_000
        _ = script.take(.imported(guest.state))
        _ = later.take(.imported(guest.state))
        #expect(!script.state.outbox.isEmpty)
        #expect(later.state.outbox.map(\.operation) == script.state.outbox.map(\.operation))
    }

    @Test mutating func acknowledgedTotalsKeepTheirDevices() throws {
        let request = try guest.request(after: .started)
        var base = UserRecord(
            key: points, revision: 8, operation: Script.theirs(1),
            time: HybridTime(milliseconds: 5))
        base.counterTotals = ["n": [guestDevice: CounterTotals(added: 4)]]
        base.replaced = [Script.other: 1]
        _ = guest.reply(to: request, changes: [base], cursor: 8)
        _ = script.take(.imported(guest.state))
        _ = script.take(.imported(guest.state))
        #expect(script.state.current(points)?.values == ["n": 4], "twice is as once")
        guard case .restore(let offer)? = script.state.outbox.first?.operation.change else {
            Issue.record("totals are offered as they are")
            return
        }
        #expect(offer.counterTotals == base.counterTotals)
        #expect(offer.revision == 0 && offer.replaced.isEmpty)
    }

    @Test mutating func fieldsKeepTheirTimes() throws {
        let request = try guest.request(after: .started)
        var base = Script.record(profile, 1, revision: 8, by: Script.theirs(1), at: 70)
        base.fields["m"] = UserRecord.Field(
            value: 2, time: HybridTime(milliseconds: 60), revision: 7, writer: Script.theirs(2))
        _ = guest.reply(to: request, changes: [base], cursor: 8)
        _ = script.take(.imported(guest.state))
        guard case .restore(let offer)? = script.state.outbox.first?.operation.change else {
            Issue.record("fields are offered one by one")
            return
        }
        #expect(offer.fields.mapValues(\.time.milliseconds) == ["n": 70, "m": 60])
        #expect(offer.fields.mapValues(\.revision) == ["n": 0, "m": 0])
        #expect(script.state.current(profile)?.values == ["n": 1, "m": 2])
    }

    @Test mutating func acknowledgedAnswersKeepTheirDevice() throws {
        _ = guest.take(.answered(count: 3))
        let request = try guest.request(after: .started)
        _ = guest.reply(to: request)
        _ = script.take(.answered(count: 1))
        _ = script.take(.imported(guest.state))
        _ = script.take(.imported(guest.state))
        #expect(script.state.answers == AnswerVector([Script.me: 1, guestDevice: 3]))
        let next = try script.request(after: .started)
        #expect(Set(next.answers.map(\.client)) == [Script.me, guestDevice])
    }

    @Test mutating func unacknowledgedAnswersLoseTheirNumbers() throws {
        _ = guest.take(.answered(count: 1))
        let request = try guest.request(after: .started)
        _ = guest.reply(to: request)
        _ = guest.take(.answered(count: 2))
        let (state, span) = guest.state.detachedForImport()
        #expect(span == AnswerSpan(client: guestDevice, first: 2, count: 2))
        #expect(state.answers == AnswerVector([guestDevice: 1]) && state.detachedCount == 2)
        _ = script.take(.imported(state))
        #expect(script.state.detachedCount == 2 && script.state.waitingCount == 3)
    }

    @Test mutating func withoutSuchAnswersTheStateIsTheSame() throws {
        _ = guest.put(Script.star, 1)
        let (state, span) = guest.state.detachedForImport()
        #expect(state == guest.state && span == nil)
    }

    @Test mutating func rejectedChangesAreSeenAndImported() throws {
        _ = guest.put(Script.star, 1)
        let request = try guest.request(after: .started)
        _ = guest.reply(to: request, [.refused(.quota)])
        _ = script.take(.imported(guest.state))
        #expect(script.state.outbox.map(\.operation.change) == [.put(["n": 1])])
        #expect(script.state.rejected.isEmpty)
    }

    @Test mutating func theOwnSideOfAConflictIsImported() throws {
        _ = guest.put(Script.exam, 1)
        let request = try guest.request(after: .started)
        let theirs = Script.record(Script.exam, 2, revision: 2, by: Script.theirs(1))
        _ = guest.reply(to: request, [.conflict(theirs: theirs)], cursor: 2)
        _ = script.take(.imported(guest.state))
        #expect(script.state.outbox.map(\.operation.change) == [.put(["n": 1])])
        #expect(script.state.conflicts.isEmpty)
    }
}
