import TestSupport
import Testing

@testable import UserData

@Suite struct MergeLawTests {
    private func record(_ policy: Policy, using random: inout SeededGenerator) -> UserRecord {
        let client = ClientID("d\(Int.random(in: 0..<3, using: &random))")
        let time = HybridTime(milliseconds: Int64.random(in: 0..<5, using: &random))
        // A writer uses each time once, and writes on top of its earlier writes.
        var record: UserRecord?
        for counter in 1...UInt64(time.milliseconds) + 1 {
            let id = OperationID(client: client, counter: counter)
            let value = FieldValue.integer(Int64(counter) * 10 + (client.text == "d0" ? 0 : 1))
            let field = ["x", "y"][Int(counter) % 2]
            let change: Change =
                policy == .counter
                ? .count(field: "n", CounterTotals(added: Int64(counter), removed: 0))
                : .put([field: value])
            let operation = ChangeOperation(
                id: id, key: RecordKey("c", "r"), change: change, seenRevision: 0,
                time: HybridTime(milliseconds: Int64(counter) - 1))
            record = MergeRules.applied(operation, to: record, policy: policy)
        }
        return record!
    }

    @Test(arguments: Policy.allCases, 0..<60)
    func joiningCommutesAssociatesAndRepeatsHarmlessly(policy: Policy, seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let a = record(policy, using: &random)
        let b = record(policy, using: &random)
        let c = record(policy, using: &random)
        func join(_ one: UserRecord, _ other: UserRecord) -> [String: FieldValue] {
            one.joined(with: other, policy: policy).values
        }
        #expect(join(a, b) == join(b, a), "seed \(seed)")
        #expect(join(a, a) == a.values, "seed \(seed)")
        let left = a.joined(with: b, policy: policy).joined(with: c, policy: policy)
        let right = a.joined(with: b.joined(with: c, policy: policy), policy: policy)
        #expect(left.values == right.values, "seed \(seed)")
        #expect(left.joined(with: b, policy: policy).values == left.values, "seed \(seed)")
    }

    @Test(arguments: 0..<100)
    func countersAddUpInAnyOrderAndAnyNumberOfTimes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var totals: [ClientID: Int64] = [:]
        var operations: [ChangeOperation] = []
        for number in 0..<12 {
            let client = ClientID("d\(number % 3)")
            totals[client, default: 0] += Int64.random(in: 1...5, using: &random)
            operations.append(
                ChangeOperation(
                    id: OperationID(client: client, counter: UInt64(number)),
                    key: RecordKey("points", "r"),
                    change: .count(field: "n", CounterTotals(added: totals[client] ?? 0)),
                    seenRevision: 0, time: .zero))
        }
        var record: UserRecord?
        for operation in (operations + operations).shuffled(using: &random) {
            if case .write(let new, _) = MergeRules.judge(operation, on: record, policy: .counter) {
                record = new.committed(at: 1)
            }
        }
        #expect(record?.values["n"] == .integer(totals.values.reduce(0, +)), "seed \(seed)")
    }

    private func operation(
        _ change: Change, seen: UInt64 = 0, at milliseconds: Int64 = 1, by client: String = "a",
        counter: UInt64 = 1
    ) -> ChangeOperation {
        ChangeOperation(
            id: OperationID(client: ClientID(client), counter: counter),
            key: RecordKey("c", "r"), change: change, seenRevision: seen,
            time: HybridTime(milliseconds: milliseconds))
    }

    private func stored(_ values: [String: FieldValue], at milliseconds: Int64 = 5) -> UserRecord {
        MergeRules.applied(
            operation(.put(values), at: milliseconds, by: "s"), to: nil, policy: .lastWriteWins
        ).committed(at: 3)
    }

    @Test func clocksNeverDecideWhetherThereIsAConflict() {
        let record = stored(["n": 1])
        for time in [Int64.min / 2, 0, 5, 900, Int64.max / 2] {
            let stale = operation(.put(["n": 2]), seen: 2, at: time)
            #expect(MergeRules.judge(stale, on: record, policy: .askUser) == .conflict(record))
            let fresh = operation(.put(["n": 2]), seen: 3, at: time)
            guard
                case .write(let new, false) = MergeRules.judge(fresh, on: record, policy: .askUser)
            else {
                Issue.record("a change that saw the record is no conflict")
                continue
            }
            #expect(new.time > record.time)
        }
    }

    @Test func eachPolicySettlesAStaleChangeInItsWay() {
        let record = stored(["n": 1])
        let later = operation(.put(["n": 2]), seen: 1, at: 9)
        let earlier = operation(.put(["n": 2]), seen: 1, at: 2)
        #expect(MergeRules.judge(later, on: record, policy: .serverWins) == .superseded(record))
        #expect(
            MergeRules.judge(earlier, on: record, policy: .lastWriteWins) == .superseded(record))
        guard
            case .write(_, let overwrote) = MergeRules.judge(
                later, on: record, policy: .lastWriteWins)
        else { return #expect(Bool(false), "the later write stays") }
        #expect(overwrote)
        #expect(MergeRules.judge(later, on: record, policy: .appendOnly) == .refuse(.immutable))
        let same = operation(.put(["n": 1]), seen: 1, at: 2)
        for policy in [Policy.appendOnly, .askUser, .serverWins, .lastWriteWins] {
            #expect(MergeRules.judge(same, on: record, policy: policy) == .alreadyApplied(record))
        }
        #expect(
            MergeRules.judge(operation(.delete), on: nil, policy: .appendOnly)
                == .refuse(.notAllowed))
        #expect(
            MergeRules.judge(operation(.delete), on: nil, policy: .counter) == .refuse(.notAllowed))
    }

    /// Found by the simulation (seed 52015): an own write to one field does not mean that the
    /// other fields, which were merged beside it, were seen.
    @Test func anOwnWriteToAnotherFieldIsNoSightOfThisOne() {
        let theirs = MergeRules.applied(
            operation(.put(["y": 5]), at: 100, by: "b"), to: nil, policy: .fieldMerge
        ).committed(at: 1)
        let first = operation(.put(["x": 1]), at: 50, counter: 1)
        guard case .write(let merged, _) = MergeRules.judge(first, on: theirs, policy: .fieldMerge)
        else { return #expect(Bool(false), "another field is no conflict") }
        var second = operation(.put(["y": 6]), at: 60, counter: 2)
        second.follows = first.id
        let record = merged.committed(at: 2)
        var told = record
        told.overwrittenFields = [ClientID("a"): ["y": 2]]
        #expect(MergeRules.judge(second, on: record, policy: .fieldMerge) == .writePart(told))
        #expect(MergeRules.judge(second, on: told, policy: .fieldMerge) == .superseded(told))
    }

    @Test func fieldsOfTwoPeopleMeet() {
        let record = stored(["x": 1, "y": 1])
        let mine = operation(.put(["x": 2]), seen: 3, at: 2)
        guard case .write(let one, false) = MergeRules.judge(mine, on: record, policy: .fieldMerge)
        else { return #expect(Bool(false), "a field that nobody else changed is taken") }
        #expect(one.values == ["x": 2, "y": 1])
        let changed = one.committed(at: 4)
        let theirs = operation(.put(["y": 3]), seen: 3, at: 1, by: "b")
        guard
            case .write(let two, false) = MergeRules.judge(theirs, on: changed, policy: .fieldMerge)
        else { return #expect(Bool(false), "another field is no conflict") }
        #expect(two.values == ["x": 2, "y": 3])
        let delete = operation(.delete, seen: 3, by: "b", counter: 2)
        #expect(
            MergeRules.judge(delete, on: two.committed(at: 5), policy: .fieldMerge)
                == .superseded(two.committed(at: 5)))
    }
}

@Suite struct HybridClockTests {
    @Test func timeNeverRunsBack() {
        var clock = HybridClock()
        let walls: [Int64] = [100, 100, 90, 101, 101, 50]
        let times = walls.map { clock.now(wallMilliseconds: $0) }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func whatLiesTooFarAheadIsNotBelieved() {
        var clock = HybridClock()
        let tenYears: Int64 = 315_000_000_000
        clock.observe(HybridTime(milliseconds: tenYears), wallMilliseconds: 1_000)
        #expect(clock.latest.milliseconds == 1_000 + HybridClock.aheadMillisecondsMax)
        // The clock drops its own time that was ahead.
        _ = clock.now(wallMilliseconds: tenYears)
        let back = clock.now(wallMilliseconds: 2_000)
        #expect(back.milliseconds <= 2_000 + HybridClock.aheadMillisecondsMax)
    }

    @Test func theCounterOverflowsIntoTheClock() {
        let full = HybridTime(milliseconds: 7, counter: .max)
        #expect(full.successor == HybridTime(milliseconds: 8))
        var clock = HybridClock()
        clock.observe(full, wallMilliseconds: 1)
        #expect(clock.now(wallMilliseconds: 1, salt: .max) == HybridTime(milliseconds: 8))
    }

    /// Two copies of a store whose clocks are behind would take an event of one for an event of the other.
    @Test func processesBehindTheLatestTimeGiveTimesOfTheirOwn() {
        var one = HybridClock()
        one.observe(HybridTime(milliseconds: 200_000), wallMilliseconds: 100)
        var two = one
        let times = (0..<5).flatMap { _ in
            [
                one.now(wallMilliseconds: 100, salt: 7),
                two.now(wallMilliseconds: 100, salt: 40_000),
            ]
        }
        #expect(Set(times).count == 10 && times.allSatisfy { $0.milliseconds == 200_000 })
    }
}
