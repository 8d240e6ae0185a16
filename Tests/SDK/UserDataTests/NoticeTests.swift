import Testing
import UserData

/// Notices: only the device whose write was overwritten gets one.
@Suite struct NoticeTests {
    private typealias Script = MachineScript
    private static let hour: Int64 = 60 * 60 * 1000
    private var script = Script()

    /// Writes 1 to the star, which the server accepts.
    private mutating func written() throws -> UserRecord {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.reply(to: request, [.accepted(record)], cursor: 1)
        return record
    }

    /// Returns the result of another device's later write that had seen the revision `seen`.
    private func overwriting(
        _ record: UserRecord, seen: UInt64, by operation: OperationID = Script.theirs(1)
    ) throws -> UserRecord {
        let write = ChangeOperation(
            id: operation, key: record.key, change: .put(["n": .integer(2)]), seenRevision: seen,
            time: HybridTime(milliseconds: script.now + Self.hour))
        guard
            case .write(let result, _) = MergeRules.judge(
                write, on: record, policy: .lastWriteWins)
        else { throw NotWritten() }
        return result.committed(at: record.revision + 1)
    }

    private struct NotWritten: Error {}

    private mutating func pull(_ record: UserRecord) throws {
        let request = try script.request(after: .syncWanted)
        _ = script.reply(to: request, changes: [record], cursor: record.revision)
    }

    @Test mutating func aWriteThatAnotherOverwroteUnseenIsNoticed() throws {
        let next = try overwriting(written(), seen: 0)
        try pull(next)
        let notice = try #require(script.state.notices.first)
        #expect(notice.id == Script.mine(1) && notice.theirs == next)
        #expect(notice.mine.change == .put(["n": .integer(1)]))
        #expect(script.state.isSynced, "a notice asks for nothing")
    }

    @Test mutating func aWriteThatWasReplacedKnowinglyIsNot() throws {
        try pull(overwriting(written(), seen: 1))
        #expect(script.state.notices.isEmpty)
    }

    @Test mutating func aLaterKnowingWriteDoesNotHideTheLoss() throws {
        let second = try overwriting(written(), seen: 0)
        let third = try overwriting(second, seen: 2, by: Script.theirs(2))
        try pull(third)
        #expect(script.state.notices.map(\.theirs.revision) == [3])
    }

    @Test mutating func onlyTheDeviceThatLostIsTold() throws {
        let base = Script.record(
            Script.star, 1, revision: 1, by: OperationID(client: ClientID("third"), counter: 1))
        let request = try script.request(after: .started)
        _ = script.reply(to: request, changes: [base], cursor: 1)
        try pull(overwriting(base, seen: 0))
        #expect(script.state.notices.isEmpty)
    }

    @Test mutating func aWriteThatCameTooLateIsNoticed() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let theirs = Script.record(
            Script.star, 2, revision: 3, by: Script.theirs(1), at: script.now + Self.hour)
        _ = script.reply(to: request, [.merged(theirs)], cursor: 3)
        #expect(script.state.notices.map(\.id) == [Script.mine(1)])
        #expect(script.state.current(Script.star)?.values["n"] == .integer(2))
    }

    @Test mutating func theSameValueIsNoLoss() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let theirs = Script.record(Script.star, 1, revision: 3, by: Script.theirs(1))
        _ = script.reply(to: request, [.merged(theirs)], cursor: 3)
        #expect(script.state.notices.isEmpty)
    }

    @Test mutating func aReplayedResultTellsOfTheLossToo() throws {
        let first = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        // The first reply was lost; meanwhile another device overwrote the write.
        _ = script.reply(to: request, [.accepted(try overwriting(first, seen: 0))], cursor: 2)
        #expect(script.state.notices.map(\.id) == [Script.mine(1)])
    }

    /// The overwriting record arrives while the write still waits for its result, which is then
    /// older.
    @Test mutating func aResultThatComesLateTellsOfTheLossToo() throws {
        let first = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let next = try overwriting(first, seen: 0)
        _ = script.reply(to: request, [.retryLater], changes: [next], cursor: 2)
        #expect(script.state.notices.isEmpty && script.state.outbox.count == 1)
        script.now += Self.hour
        let again = try script.request(after: .timeCame)
        _ = script.reply(to: again, [.accepted(first)], cursor: 2)
        #expect(script.state.notices.map(\.id) == [Script.mine(1)])
        #expect(script.state.notices.map(\.theirs) == [next])
    }

    @Test mutating func aLaterOwnWriteThatWaitsDecidesFirst() throws {
        let first = try written()
        let request = try script.request(after: .syncWanted)
        _ = script.put(Script.star, 5)
        _ = script.reply(to: request, changes: [try overwriting(first, seen: 0)], cursor: 2)
        #expect(script.state.notices.isEmpty && script.state.outbox.count == 1)
    }

    @Test(arguments: ["settings", "profile", "exams"])
    mutating func otherPoliciesMakeNoNotices(collection: String) throws {
        let key = RecordKey(collection, "r")
        _ = script.put(key, 1)
        let request = try script.request(after: .started)
        let theirs = Script.record(key, 2, revision: 3, by: Script.theirs(1))
        _ = script.reply(to: request, [.merged(theirs)], cursor: 3)
        #expect(script.state.notices.isEmpty)
    }

    @Test mutating func aDismissedNoticeDoesNotComeBack() throws {
        let next = try overwriting(written(), seen: 0)
        try pull(next)
        #expect(script.take(.dismissed(Script.mine(1))) == [.changed([Script.star])])
        try pull(try overwriting(next, seen: 2, by: Script.theirs(2)))
        #expect(script.state.notices.isEmpty)
    }

    @Test mutating func theOldestNoticesAreDiscarded() throws {
        let count = DeviceState.noticesMax + 5
        for number in 0..<count {
            script.now += 1
            _ = script.put(RecordKey("stars", "s\(number)"), 1)
        }
        let request = try script.request(after: .started)
        let results = request.operations.map { operation in
            OperationResult.merged(
                Script.record(
                    operation.key, 2, revision: operation.id.counter,
                    by: Script.theirs(operation.id.counter)))
        }
        _ = script.reply(to: request, results, cursor: UInt64(count))
        // The limit of bytes is reached before that of notices.
        let kept = script.state.notices
        #expect(!kept.isEmpty && kept.count <= DeviceState.noticesMax)
        #expect(kept.last?.id == Script.mine(UInt64(count)))
    }

    @Test mutating func aNoticeIsTakenAlongToAnotherAccount() throws {
        try pull(try overwriting(written(), seen: 0))
        var next = MachineScript(
            DeviceState(user: "v", client: Script.me, declarations: Script.collections))
        _ = next.take(.imported(script.state))
        #expect(next.state.notices == script.state.notices)
    }

    @Test func joiningKeepsWhatEitherKnows() {
        var one = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        var two = Script.record(Script.star, 2, revision: 2, by: Script.theirs(1))
        one.overwritten = [Script.me: 4, Script.other: 1]
        two.overwritten = [Script.me: 3]
        let joined = one.joined(with: two, policy: .lastWriteWins)
        #expect(joined.overwritten == [Script.me: 4, Script.other: 1])
        #expect(joined == two.joined(with: one, policy: .lastWriteWins))
    }
}
