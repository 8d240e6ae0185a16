import Testing

@testable import UserData

/// Offers: records that a device knew before the server was restored.
@Suite struct MergeRestoreTests {
    private let key = RecordKey("c", "r")

    private func write(
        _ values: [String: FieldValue], over record: UserRecord? = nil, by client: String,
        _ counter: UInt64 = 1, at milliseconds: Int64 = 1
    ) -> UserRecord {
        let operation = ChangeOperation(
            id: OperationID(client: ClientID(client), counter: counter), key: key,
            change: .put(values), seenRevision: record?.revision ?? 0,
            time: HybridTime(milliseconds: milliseconds))
        return MergeRules.applied(operation, to: record, policy: .lastWriteWins)
            .committed(at: (record?.revision ?? 0) + 1)
    }

    private func judge(
        _ offered: UserRecord, on record: UserRecord?, _ policy: Policy
    ) -> Verdict {
        let offer = ChangeOperation(
            id: OperationID(client: ClientID("z"), counter: 9), key: key,
            change: .restore(offered), seenRevision: 0, time: offered.time)
        return MergeRules.judge(offer, on: record, policy: policy)
    }

    private func written(_ verdict: Verdict) -> UserRecord? {
        if case .write(let record, _) = verdict { record } else { nil }
    }

    @Test(arguments: Policy.allCases)
    func aLostRecordIsTakenAsItWas(policy: Policy) throws {
        let offered = write(["n": 1], by: "a")
        let record = try #require(written(judge(offered, on: nil, policy)))
        #expect(record.values == ["n": 1] && record.operation == offered.operation)
        #expect(record.fields["n"]?.revision == 0, "its revision is given anew")
    }

    @Test(arguments: Policy.allCases)
    func theSameRecordIsThereAlready(policy: Policy) {
        let record = write(["n": 1], by: "a")
        #expect(judge(record, on: record, policy) == .alreadyApplied(record))
    }

    @Test(arguments: Policy.allCases)
    func anOfferForAnotherRecordIsRejected(policy: Policy) {
        let offered = write(["n": 1], by: "a")
        let operation = ChangeOperation(
            id: OperationID(client: ClientID("z"), counter: 9), key: RecordKey("c", "other"),
            change: .restore(offered), seenRevision: 0, time: .zero)
        #expect(
            MergeRules.judge(operation, on: nil, policy: policy) == .refuse(.notAllowed))
    }

    @Test(arguments: [Policy.lastWriteWins, .serverWins])
    func ofTwoThatSawNothingOfEachOtherTheLaterWins(policy: Policy) throws {
        let early = write(["n": 1], by: "a", at: 5)
        let late = write(["n": 2], by: "b", at: 9)
        let record = try #require(written(judge(late, on: early, policy)))
        #expect(record.values == ["n": 2])
        #expect(judge(early, on: late, policy) == .alreadyApplied(late))
    }

    @Test(arguments: [Policy.lastWriteWins, .serverWins])
    func whatWasReplacedKnowinglyStaysReplaced(policy: Policy) {
        let first = write(["n": 1], by: "a", at: 50)
        let second = write(["n": 2], over: first, by: "b", at: 1)
        #expect(second.includes(first.operation))
        #expect(judge(first, on: second, policy) == .alreadyApplied(second))
        #expect(written(judge(second, on: first, policy))?.values == ["n": 2])
    }

    @Test func whereTheUserIsAskedTwoUnseenVersionsConflict() {
        let one = write(["n": 1], by: "a", at: 5)
        let two = write(["n": 2], by: "b", at: 9)
        #expect(judge(one, on: two, .askUser) == .conflict(two))
        #expect(judge(two, on: one, .askUser) == .conflict(one))
        let same = write(["n": 1], by: "b", at: 9)
        if case .conflict = judge(one, on: same, .askUser) {
            Issue.record("equal values are no conflict")
        }
    }

    @Test func whereTheUserIsAskedAKnownVersionIsNoConflict() {
        let first = write(["n": 1], by: "a", at: 50)
        let second = write(["n": 2], over: first, by: "b", at: 1)
        #expect(written(judge(second, on: first, .askUser))?.values == ["n": 2])
        #expect(judge(first, on: second, .askUser) == .alreadyApplied(second))
    }

    @Test func anAppendOnlyRecordIsNotReplaced() {
        let one = write(["n": 1], by: "a")
        let two = write(["n": 2], by: "b")
        #expect(judge(two, on: one, .appendOnly) == .refuse(.immutable))
        #expect(judge(write(["n": 1], by: "b"), on: one, .appendOnly) == .alreadyApplied(one))
    }

    @Test func countersJoinDeviceByDevice() throws {
        func counter(_ totals: [String: Int64], by client: String) -> UserRecord {
            var record = UserRecord(
                key: key, revision: 1,
                operation: OperationID(client: ClientID(client), counter: 1),
                time: HybridTime(milliseconds: 1))
            record.counterTotals = [
                "n": Dictionary(
                    uniqueKeysWithValues: totals.map {
                        (ClientID($0.key), CounterTotals(added: $0.value))
                    })
            ]
            return record
        }
        let server = counter(["a": 3, "b": 1], by: "a")
        let offered = counter(["a": 2, "b": 5, "c": 1], by: "c")
        let record = try #require(written(judge(offered, on: server, .counter)))
        #expect(record.values == ["n": 9])
        let known = counter(["a": 1], by: "a")
        #expect(judge(known, on: server, .counter) == .alreadyApplied(server))
    }

    @Test func fieldsJoinOneByOne() throws {
        var server = write(["x": 1, "y": 1], by: "a", at: 5)
        server.fields["y"]?.time = HybridTime(milliseconds: 50)
        let offered = write(["x": 2, "y": 2], by: "b", at: 9)
        let record = try #require(written(judge(offered, on: server, .fieldMerge)))
        #expect(record.values == ["x": 2, "y": 1])
        #expect(record.fields["y"]?.revision == 1, "what stays keeps its revision")
        #expect(record.fields["x"]?.revision == 0)
    }

    @Test func aTimeFarAheadIsBounded() {
        var record = write(["x": 1, "y": 1], by: "a", at: 500)
        record.fields["y"]?.time = HybridTime(milliseconds: 5)
        let bound = HybridTime(milliseconds: 100)
        let bounded = record.bounded(by: bound)
        #expect(bounded.time == bound && bounded.fields["x"]?.time == bound)
        #expect(bounded.fields["y"]?.time.milliseconds == 5)
        let offer = ChangeOperation(
            id: record.operation, key: key, change: .restore(record), seenRevision: 0,
            time: record.time
        ).bounded(by: bound)
        #expect(offer.time == bound && offer.change == .restore(bounded))
        #expect(record.bounded(by: HybridTime(milliseconds: 900)) == record)
    }
}
