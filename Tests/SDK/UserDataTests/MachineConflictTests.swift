import Testing
import UserData

/// Conflicts: two versions of a record, until the user resolves them.
@Suite struct MachineConflictTests {
    private typealias Script = MachineScript
    private var script = Script()

    /// The device wrote 1 to the exam, and the server has 2 of another device.
    private mutating func conflict() throws -> RecordConflict {
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        let theirs = Script.record(Script.exam, 2, revision: 4, by: Script.theirs(1))
        let effects = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 4)
        #expect(effects == [.changed([Script.exam])])
        return try #require(script.state.conflicts.first)
    }

    private mutating func pull(_ record: UserRecord) throws -> [DeviceMachine.Effect] {
        let request = try script.request(after: .syncWanted)
        return script.reply(to: request, changes: [record], cursor: record.revision)
    }

    @Test mutating func aConflictShowsBothVersions() throws {
        let conflict = try conflict()
        #expect(conflict.id == Script.exam && conflict.base == nil)
        #expect(conflict.mine.change == .put(["n": 1]))
        #expect(conflict.theirs.revision == 4 && conflict.theirs.values == ["n": 2])
        #expect(script.state.outbox.isEmpty && !script.state.isSynced)
        #expect(script.state.current(Script.exam)?.values == ["n": 1], "the own one is shown")
    }

    @Test mutating func aConflictRemembersWhatItsAuthorSaw() throws {
        var request = try script.request(after: .started)
        let base = Script.record(Script.exam, 0, revision: 1, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [base], cursor: 1)
        request = try #require(Script.request(script.put(Script.exam, 1)))
        let theirs = Script.record(Script.exam, 2, revision: 2, by: Script.theirs(2))
        _ = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 2)
        #expect(script.state.conflicts.map(\.base) == [base])
        #expect(script.state.conflicts.map(\.theirs) == [theirs])
    }

    @Test mutating func keepingMineWritesOverTheShownVersion() throws {
        let tag = try conflict().tag
        let request = try script.request(
            after: .resolved(Script.exam, .keepMine, shown: tag))
        #expect(request.operations.map(\.id) == [Script.mine(2)])
        #expect(request.operations.map(\.change) == [.put(["n": 1])])
        #expect(request.operations.map(\.seenRevision) == [4])
        #expect(script.state.conflicts.isEmpty)
    }

    @Test mutating func usingTheServersDiscardsTheOwnChange() throws {
        let tag = try conflict().tag
        let effects = script.take(.resolved(Script.exam, .useServer, shown: tag))
        #expect(effects.first == .changed([Script.exam]))
        #expect(Script.request(effects)?.operations == [])
        #expect(script.state.current(Script.exam)?.values == ["n": 2])
        #expect(script.state.conflicts.isEmpty && script.state.isSynced)
    }

    @Test mutating func anEditWritesSomethingElse() throws {
        let tag = try conflict().tag
        let request = try script.request(
            after: .resolved(Script.exam, .edit(["n": 9, "m": 1]), shown: tag))
        #expect(request.operations.map(\.change) == [.put(["n": 9, "m": 1])])
        #expect(script.state.current(Script.exam)?.values == ["n": 9, "m": 1])
    }

    @Test mutating func aResolutionOfAnotherVersionIsIgnored() throws {
        let conflict = try conflict()
        #expect(script.take(.resolved(Script.exam, .useServer, shown: "0")) == [])
        #expect(script.take(.resolved(Script.star, .useServer, shown: conflict.tag)) == [])
        #expect(script.state.conflicts == [conflict])
    }

    @Test mutating func aConflictIsResolvedOnce() throws {
        let tag = try conflict().tag
        _ = script.take(.resolved(Script.exam, .keepMine, shown: tag))
        let state = script.state
        #expect(script.take(.resolved(Script.exam, .useServer, shown: tag)) == [])
        #expect(script.state == state)
    }

    @Test mutating func aWriteDuringAConflictJoinsIt() throws {
        let before = try conflict()
        #expect(script.put(Script.exam, 5) == [.changed([Script.exam])])
        let after = try #require(script.state.conflicts.first)
        #expect(after.mine.change == .put(["n": 5]) && after.tag != before.tag)
        #expect(after.mine.time > before.mine.time)
        #expect(script.state.outbox.isEmpty && script.state.conflicts.count == 1)
    }

    @Test mutating func aNewerVersionOfTheServerRenewsTheConflict() throws {
        let before = try conflict()
        let newer = Script.record(Script.exam, 3, revision: 6, by: Script.theirs(2))
        #expect(try pull(newer) == [.changed([Script.exam])])
        let after = try #require(script.state.conflicts.first)
        #expect(after.theirs == newer && after.mine == before.mine && after.tag != before.tag)
        #expect(script.take(.resolved(Script.exam, .keepMine, shown: before.tag)) == [])
    }

    @Test mutating func anAgreementEndsTheConflict() throws {
        _ = try conflict()
        let same = Script.record(Script.exam, 1, revision: 6, by: Script.theirs(2))
        #expect(try pull(same) == [.changed([Script.exam])])
        #expect(script.state.conflicts.isEmpty && script.state.isSynced)
    }

    @Test mutating func aDeletionConflictsLikeAWrite() throws {
        _ = script.take(.wrote(Script.exam, .delete))
        let request = try script.request(after: .started)
        let theirs = Script.record(Script.exam, 2, revision: 4, by: Script.theirs(1))
        _ = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 4)
        #expect(script.state.current(Script.exam) == nil, "the own deletion is shown")
        let tag = try #require(script.state.conflicts.first).tag
        let next = try script.request(after: .resolved(Script.exam, .keepMine, shown: tag))
        #expect(next.operations.map(\.change) == [.delete])
    }

    @Test mutating func aDeletedRecordConflictsToo() throws {
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        var theirs = Script.record(Script.exam, 2, revision: 4, by: Script.theirs(1))
        let tag = RecordConflict(
            key: Script.exam, mine: request.operations[0], theirs: theirs, base: nil
        ).tag
        theirs.isDeleted = true
        theirs.fields = [:]
        _ = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 4)
        let conflict = try #require(script.state.conflicts.first)
        #expect(conflict.tag != tag)
        _ = script.take(.resolved(Script.exam, .useServer, shown: conflict.tag))
        #expect(script.state.current(Script.exam) == nil)
    }

    @Test mutating func changesOnTopBelongToTheConflict() throws {
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        _ = script.put(Script.exam, 3)
        #expect(script.state.outbox.count == 2)
        let theirs = Script.record(Script.exam, 2, revision: 4, by: Script.theirs(1))
        _ = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 4)
        #expect(script.state.outbox.isEmpty)
        #expect(script.state.conflicts.map(\.mine.id) == [Script.mine(2)])
        #expect(script.state.conflicts.map(\.mine.change) == [.put(["n": 3])])
    }

    @Test mutating func aResolutionMayMeetAnotherConflict() throws {
        let tag = try conflict().tag
        let request = try script.request(
            after: .resolved(Script.exam, .keepMine, shown: tag))
        let newer = Script.record(Script.exam, 3, revision: 9, by: Script.theirs(2))
        _ = script.reply(to: request, [.conflict(theirs: newer)], cursor: 9)
        #expect(script.state.conflicts.map(\.theirs) == [newer])
        #expect(script.state.conflicts.map(\.mine.id) == [Script.mine(2)])
    }

    @Test mutating func otherRecordsAreSentMeanwhile() throws {
        _ = try conflict()
        let request = try #require(Script.request(script.put(Script.star, 1)))
        #expect(request.operations.map(\.key) == [Script.star])
        #expect(request.processedBefore == 2, "the conflict needs no result any more")
    }

    @Test mutating func aConflictOfALostHistoryIsNamedByOperations() throws {
        let tag = try conflict().tag
        var request = try script.request(after: .syncWanted)
        request = try script.request(
            after: .replied(ExchangeResponse(number: request.number, epoch: "e2")))
        #expect(request.isReadingAnew)
        #expect(script.state.conflicts.map(\.theirs.revision) == [0])
        #expect(script.state.conflicts.map(\.tag) == [tag], "it looks the same")
        _ = script.take(.resolved(Script.exam, .keepMine, shown: tag))
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.seenRevision == 0 && operation.follows == Script.theirs(1))
        #expect(operation.seenWrites == [Script.other: 1])
    }

    /// A change that came along from the time without an account waits beside the conflict, and is shown.
    @Test mutating func aChangeOfWhatCameAlongFollowsIt() throws {
        _ = try conflict()
        var guest = Script(
            DeviceState(
                user: DeviceState.localUser, client: ClientID("writer"),
                declarations: Script.collections))
        _ = guest.put(Script.exam, 5)
        let request = try script.request(after: .imported(guest.state))
        _ = script.put(Script.exam, 6)
        #expect(script.state.current(Script.exam)?.values == ["n": 6])
        let theirs = Script.record(Script.exam, 2, revision: 4, by: Script.theirs(1))
        _ = script.reply(to: request, [.conflict(theirs: theirs)], cursor: 4)
        #expect(script.state.conflicts.map(\.mine.change) == [.put(["n": 6])])
        #expect(script.state.notices.map(\.mine.change) == [.put(["n": 1])], "nobody replaced it")
        #expect(script.state.outbox.isEmpty)
    }
}
