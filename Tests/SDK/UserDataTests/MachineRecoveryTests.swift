import Testing
import UserData

/// A server that was restored, a device that was away for too long, and digests that differ.
@Suite struct MachineRecoveryTests {
    private typealias Script = MachineScript
    private var script = Script()

    /// The server's record of the star, which the device has read.
    private mutating func known(_ key: RecordKey = Script.star) throws -> UserRecord {
        let request = try script.request(after: .started)
        let record = Script.record(key, 1, revision: 5, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [record], cursor: 5)
        return record
    }

    /// The reply of a server that was restored.
    private func restored(
        _ request: ExchangeRequest, epoch: String = "e2", changes: [UserRecord] = [],
        results: [OperationID: OperationResult] = [:], digest: RecordDigest? = nil
    ) -> DeviceMachine.Event {
        .replied(
            ExchangeResponse(
                number: request.number, epoch: epoch, results: results, changes: changes,
                cursor: changes.map(\.revision).max() ?? request.cursor, digest: digest))
    }

    /// The request that reads the log of a restored server from its start.
    private mutating func reading(after event: DeviceMachine.Event = .syncWanted) throws
        -> ExchangeRequest
    {
        let request = try script.request(after: event)
        let next = try script.request(after: restored(request))
        #expect(next.isReadingAnew && next.cursor == 0 && next.epoch == "e2")
        return next
    }

    // MARK: Away for too long

    @Test mutating func whatIsMissingAfterTombstonesAreGoneWasDeleted() throws {
        _ = try known()
        var request = try script.request(after: .syncWanted)
        request = try script.request(
            after: .replied(
                ExchangeResponse(number: request.number, epoch: "e1", isTooOld: true)))
        #expect(request.isReadingAnew && request.cursor == 0)
        #expect(script.state.recovery == .deviceSleptTooLong && !script.state.isSynced)
        #expect(script.state.current(Script.star) != nil, "shown until the log was read")
        _ = script.reply(to: request)
        #expect(script.state.current(Script.star) == nil && script.state.outbox.isEmpty)
        #expect(script.state.recovery == nil && script.state.isSynced)
    }

    @Test mutating func aSecondReplyOfThatKindForgetsNoOffer() throws {
        _ = try known()
        var request = try reading()
        request = try script.request(
            after: .replied(
                ExchangeResponse(number: request.number, epoch: "e2", isTooOld: true)))
        #expect(script.state.recovery == .serverWentBack)
        request = try script.request(after: restored(request))
        #expect(request.operations.count == 1 && request.operations[0].change.isRestore)
    }

    // MARK: A restored server

    @Test mutating func recordsThatTheServerStillHasAreNotOffered() throws {
        let record = try known()
        let request = try reading()
        let effects = script.take(restored(request, changes: [record]))
        #expect(Script.request(effects) == nil)
        #expect(script.state.outbox.isEmpty && script.state.bases == [Script.star: record])
    }

    @Test mutating func recordsThatWereReplacedKnowinglyAreNotOffered() throws {
        _ = try known()
        let request = try reading()
        let newer = Script.record(
            Script.star, 2, revision: 3, by: Script.theirs(2), at: script.now + 1)
        _ = script.take(restored(request, changes: [newer]))
        #expect(script.state.outbox.isEmpty)
        #expect(script.state.current(Script.star)?.values == ["n": 2])
    }

    @Test mutating func anOfferThatIsAcceptedEndsTheRecovery() throws {
        let record = try known()
        let request = try reading()
        let offer = try script.request(after: restored(request))
        #expect(offer.operations.map(\.change) == [.restore(record)])
        #expect(offer.operations.map(\.id) == [Script.mine(1)])
        var again = record
        again.revision = 1
        _ = script.take(restored(offer, results: [Script.mine(1): .accepted(again)]))
        #expect(script.state.isSynced && script.state.bases == [Script.star: again])
    }

    @Test mutating func offersComeBeforeChanges() throws {
        let record = try known()
        _ = try script.request(after: .syncWanted)
        _ = script.put(Script.exam, 1)
        _ = script.take(.stopped)
        let request = try reading(after: .started)
        #expect(request.operations.isEmpty, "nothing is sent while the log is read")
        let next = try script.request(after: restored(request))
        #expect(next.operations.map(\.change) == [.restore(record), .put(["n": 1])])
        #expect(next.processedBefore == 1)
    }

    @Test mutating func aPendingChangeNamesWhatItSawByOperations() throws {
        _ = try known()
        let request = try #require(Script.request(script.put(Script.star, 2)))
        #expect(request.operations.map(\.seenRevision) == [5])
        _ = try script.request(after: restored(request))
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.seenRevision == 0 && operation.follows == Script.theirs(1))
        #expect(operation.seenWrites == [Script.other: 1])
    }

    @Test mutating func aChangeDuringTheRecoverySawWhatIsShown() throws {
        _ = try known()
        _ = try reading()
        _ = script.put(Script.star, 7)
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.seenRevision == 0 && operation.follows == Script.theirs(1))
        #expect(script.state.current(Script.star)?.values == ["n": 7])
    }

    @Test mutating func aRejectedChangeForgetsItsRevision() throws {
        _ = try known()
        let request = try #require(Script.request(script.put(Script.star, 2)))
        _ = script.reply(to: request, [.refused(.badField)])
        #expect(script.state.rejected.map(\.operation.seenRevision) == [5])
        _ = try reading()
        #expect(script.state.rejected.map(\.operation.seenRevision) == [0])
    }

    @Test mutating func whereTheUserIsAskedThePendingChangeAsks() throws {
        _ = try known(Script.exam)
        _ = script.put(Script.exam, 2)
        _ = script.take(.stopped)
        let request = try reading(after: .started)
        let next = try script.request(after: restored(request))
        #expect(next.operations.map(\.change) == [.put(["n": 2])])
    }

    @Test mutating func whereTheUserIsAskedAnUnseenVersionMeetsAnOffer() throws {
        let record = try known(Script.exam)
        let request = try reading()
        let other = Script.record(
            Script.exam, 3, revision: 2, by: OperationID(client: ClientID("third"), counter: 1))
        let next = try script.request(after: restored(request, changes: [other]))
        #expect(next.operations.map(\.change) == [.restore(record)])
        _ = script.take(
            restored(next, results: [Script.mine(1): .conflict(theirs: other)]))
        let conflict = try #require(script.state.conflicts.first)
        #expect(conflict.mine.change == .put(["n": 1]), "the offer is shown as a write")
        #expect(conflict.theirs == other)
    }

    /// A record of this device that the server has, and that a restored server lacks.
    private mutating func ownRecord(_ key: RecordKey = Script.exam) throws -> UserRecord {
        _ = try script.request(after: .started)
        _ = script.take(.stopped)
        _ = script.put(key, 1)
        let request = try script.request(after: .started)
        let record = Script.record(key, 1, revision: 5, by: Script.mine(1), at: script.now)
        _ = script.reply(to: request, [.accepted(record)], cursor: 5)
        return record
    }

    /// Another device's version, whose author had not seen this device's.
    private func unrelated(at milliseconds: Int64) -> UserRecord {
        let author = OperationID(client: ClientID("third"), counter: 1)
        return Script.record(Script.exam, 3, revision: 2, by: author, at: milliseconds)
    }

    @Test mutating func whereTheUserIsAskedTheOwnVersionIsShownWhileTheLogIsRead() throws {
        let record = try ownRecord()
        let request = try reading()
        let page = ExchangeResponse(
            number: request.number, epoch: "e2", changes: [unrelated(at: script.now + 1)],
            cursor: 2, hasMore: true)
        let next = try script.request(after: .replied(page))
        #expect(script.state.current(Script.exam)?.values == ["n": 1], "though another is later")
        _ = script.put(Script.exam, 7)
        let last = try script.request(after: restored(next))
        #expect(last.operations.map(\.change) == [.put(["n": 7])])
        #expect(last.operations.map(\.follows) == [record.operation])
        #expect(last.operations.map(\.seenWrites) == [record.history])
    }

    @Test mutating func anOwnVersionIsOfferedBesideAChangeThatHadNotSeenIt() throws {
        _ = try script.request(after: .started)
        _ = script.take(.stopped)
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        _ = script.put(Script.exam, 2)
        _ = script.reply(to: request, [.retryLater])
        script.now += 1_000
        var next = try script.request(after: .timeCame)
        let record = Script.record(Script.exam, 2, revision: 5, by: Script.mine(2))
        let effects = script.reply(to: next, [.retryLater, .accepted(record)], cursor: 5)
        #expect(script.state.outbox.map(\.operation.id) == [Script.mine(1)])
        next = try #require(Script.request(effects))
        next = try script.request(after: restored(next))
        next = try script.request(after: restored(next, changes: [unrelated(at: script.now)]))
        #expect(next.operations.map(\.change) == [.restore(record), .put(["n": 1])])
    }

    @Test mutating func aChangeOnTopOfAnOfferSawNothingOfAnUnrelatedVersion() throws {
        let record = try ownRecord()
        let request = try reading()
        let other = unrelated(at: script.now - 1)
        let next = try script.request(after: restored(request, changes: [other]))
        #expect(next.operations.map(\.change) == [.restore(record)])
        #expect(script.state.current(Script.exam)?.values == ["n": 1])
        _ = script.put(Script.exam, 7)
        let operation = try #require(script.state.outbox.last?.operation)
        #expect(operation.follows == record.operation && operation.seenWrites == record.history)
        _ = script.take(
            restored(next, results: [next.operations[0].id: .conflict(theirs: other)]))
        #expect(script.state.outbox.isEmpty)
        #expect(script.state.conflicts.map(\.mine.change) == [.put(["n": 7])])
    }

    @Test mutating func aConflictIsShownOverTheOfferOfItsOtherSide() throws {
        _ = try known(Script.exam)
        let request = try #require(Script.request(script.put(Script.exam, 2)))
        var deleted = UserRecord(
            key: Script.exam, revision: 6, operation: Script.theirs(2),
            time: HybridTime(milliseconds: script.now + 1))
        deleted.isDeleted = true
        _ = script.reply(to: request, [.conflict(theirs: deleted)], cursor: 6)
        let anew = try reading()
        let next = try script.request(after: restored(anew))
        #expect(next.operations.map(\.change) == [.restore(deleted)])
        #expect(script.state.current(Script.exam)?.values == ["n": 2])
    }

    @Test mutating func aServerThatGoesBackAgainAndAgainIsWaitedFor() throws {
        _ = try known()
        let first = try script.request(after: .syncWanted)
        let second = try script.request(after: restored(first, epoch: "e2"))
        #expect(
            script.take(restored(second, epoch: "e3")) == [.wake(at: script.now + 750)])
        script.now += 750
        let third = try script.request(after: .timeCame)
        #expect(third.isReadingAnew && third.epoch == "e3")
    }

    @Test mutating func theNewHeadReplacesAGreaterOne() throws {
        var request = try script.request(after: .started)
        let old = LogHead(position: 9, mark: "a")
        _ = script.take(
            .replied(ExchangeResponse(number: request.number, epoch: "e1", head: old)))
        #expect(script.state.head == old)
        request = try script.request(after: .syncWanted)
        #expect(request.head == old)
        let older = LogHead(position: 3, mark: "b")
        _ = script.take(
            .replied(ExchangeResponse(number: request.number, epoch: "e1", head: older)))
        #expect(script.state.head == old, "a late reply of the same history")
        request = try script.request(after: .syncWanted)
        _ = script.take(
            .replied(ExchangeResponse(number: request.number, epoch: "e2", head: older)))
        #expect(script.state.head == older)
    }

    // MARK: Another process of the device

    @Test mutating func aReplyToAnOlderPastIsAskedForAgain() throws {
        _ = try known()
        let request = try script.request(after: .syncWanted)
        var other = script
        _ = try other.request(after: restored(request))
        script.machine.reload(other.state)
        let next = try script.request(after: restored(request, epoch: "e1"))
        #expect(next.epoch == "e2" && next.isReadingAnew)
    }

    @Test mutating func changesThatAnotherProcessReadAreNotReadAgain() throws {
        _ = script.reply(to: try script.request(after: .started))
        let request = try script.request(after: .syncWanted)
        var other = script
        let newer = Script.record(Script.star, 2, revision: 8, by: Script.theirs(2))
        _ = other.reply(to: request, changes: [newer], cursor: 8)
        script.machine.reload(other.state)
        let older = Script.record(Script.exam, 1, revision: 5, by: Script.theirs(1))
        _ = script.reply(to: request, changes: [older], cursor: 5)
        #expect(script.state.bases == [Script.star: newer] && script.state.cursor == 8)
    }

    // MARK: Digests

    @Test mutating func equalDigestsAreSynced() throws {
        let record = try known()
        let request = try script.request(after: .syncWanted)
        let effects = script.take(
            restored(request, epoch: "e1", digest: RecordDigest([record])))
        #expect(effects == [] && script.state.isSynced)
    }

    @Test mutating func differentDigestsReadTheLogAnew() throws {
        _ = try known()
        var request = try script.request(after: .syncWanted)
        request = try script.request(
            after: restored(request, epoch: "e1", digest: RecordDigest()))
        #expect(request.isReadingAnew && request.epoch == "e1")
        #expect(script.state.recovery == .serverWentBack)
    }

    @Test mutating func digestsThatDifferAgainAreWaitedFor() throws {
        let wrong = RecordDigest([Script.record(Script.star, 1, revision: 1, by: Script.mine(9))])
        var request = try script.request(after: .started)
        request = try script.request(after: restored(request, epoch: "e1", digest: wrong))
        _ = script.take(restored(request, epoch: "e1"))
        request = try script.request(after: .syncWanted)
        let effects = script.take(restored(request, epoch: "e1", digest: wrong))
        #expect(effects == [.wake(at: script.now + 750)])
        script.now += 750
        #expect(try script.request(after: .timeCame).isReadingAnew)
    }

    @Test mutating func anAgreementResetsTheCount() throws {
        let wrong = RecordDigest([Script.record(Script.star, 1, revision: 1, by: Script.mine(9))])
        for _ in 0..<3 {
            var request = try script.request(after: .started)
            request = try script.request(after: restored(request, epoch: "e1", digest: wrong))
            _ = script.take(restored(request, epoch: "e1"))
            request = try script.request(after: .syncWanted)
            #expect(
                script.take(restored(request, epoch: "e1", digest: RecordDigest())) == [])
        }
    }

    @Test mutating func aPageIsNotCompared() throws {
        let request = try script.request(after: .started)
        let effects = script.take(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e1", cursor: 1, hasMore: true,
                    digest: RecordDigest())))
        #expect(Script.request(effects)?.isReadingAnew == false)
    }

    // MARK: Rows to write

    @Test mutating func theStoreLearnsWhichRecordsChanged() throws {
        _ = try known()
        #expect(script.machine.takeChangedBases() == [Script.star])
        #expect(script.machine.takeChangedBases() == [])
        _ = script.put(Script.exam, 1)
        #expect(script.machine.takeChangedBases() == [], "a change is no base")
        _ = script.take(.stopped)
        let request = try reading(after: .started)
        #expect(script.machine.takeChangedBases() == [Script.star])
        _ = script.take(restored(request))
        #expect(script.machine.takeChangedBases() == [Script.star])
    }

    /// Lets a server have an own record, and a change of it come along from before the account.
    private mutating func requestOfAnImportBesideAnOwnRecord() throws
        -> (request: ExchangeRequest, mine: UserRecord)
    {
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        let mine = Script.record(Script.exam, 1, revision: 4, by: Script.mine(1))
        _ = script.reply(to: request, [.accepted(mine)], cursor: 4)
        var guest = Script(
            DeviceState(
                user: DeviceState.localUser, client: ClientID("writer"),
                declarations: Script.collections))
        _ = guest.put(Script.exam, 5)
        return (try script.request(after: .imported(guest.state)), mine)
    }

    /// The conflict is between two changes of this device that do not know each other, and the server loses its own.
    @Test mutating func anOwnRecordThatTheServerLostIsToldBesideAConflict() throws {
        let (brought, mine) = try requestOfAnImportBesideAnOwnRecord()
        _ = script.reply(to: brought, [.conflict(theirs: mine)], cursor: 4)
        var request = try reading()
        let theirs = Script.record(Script.exam, 2, revision: 1, by: Script.theirs(1))
        request = try script.request(after: restored(request, changes: [theirs]))
        let offer = try #require(request.operations.first)
        _ = script.take(restored(request, results: [offer.id: .conflict(theirs: theirs)]))
        #expect(script.state.conflicts.map(\.mine.change) == [.put(["n": 5])])
        #expect(script.state.notices.map(\.mine.change) == [.put(["n": 1])])
    }

    /// The offer has a greater number than the changes, and comes first.
    @Test mutating func ofChangesBesideAnOfferTheLastIsTold() throws {
        var request = try requestOfAnImportBesideAnOwnRecord().request
        _ = script.put(Script.exam, 6)
        request = try script.request(after: restored(request))
        let theirs = Script.record(Script.exam, 2, revision: 1, by: Script.theirs(1))
        request = try script.request(after: restored(request, changes: [theirs]))
        #expect(request.operations.count == 3)
        let results = request.operations.map { ($0.id, OperationResult.conflict(theirs: theirs)) }
        _ = script.take(restored(request, results: Dictionary(uniqueKeysWithValues: results)))
        #expect(script.state.conflicts.map(\.mine.change) == [.put(["n": 1])])
        #expect(script.state.notices.map(\.mine.change) == [.put(["n": 6])])
        #expect(script.state.outbox.isEmpty)
    }
}

extension Change {
    fileprivate var isRestore: Bool { if case .restore = self { true } else { false } }
}
