import Testing

@testable import UserData

/// The writes that a record remembers, and the state of one field or record.
@Suite struct RecordHistoryTests {
    private let key = RecordKey("c", "r")

    private func id(_ client: String, _ counter: UInt64) -> OperationID {
        OperationID(client: ClientID(client), counter: counter)
    }

    private func operation(
        _ change: Change, by id: OperationID, seen: UInt64 = 0, at milliseconds: Int64 = 1
    ) -> ChangeOperation {
        ChangeOperation(
            id: id, key: key, change: change, seenRevision: seen,
            time: HybridTime(milliseconds: milliseconds))
    }

    private func applied(
        _ change: Change, by id: OperationID, to record: UserRecord? = nil,
        _ policy: Policy = .lastWriteWins
    ) -> UserRecord {
        MergeRules.applied(operation(change, by: id), to: record, policy: policy)
            .committed(at: (record?.revision ?? 0) + 1)
    }

    @Test func aRecordRemembersWhatItReplaced() {
        let one = applied(.put(["n": 1]), by: id("a", 1))
        let two = applied(.put(["n": 2]), by: id("b", 4), to: one)
        let three = applied(.put(["n": 3]), by: id("a", 2), to: two)
        #expect(one.replaced.isEmpty && two.replaced == [ClientID("a"): 1])
        #expect(three.replaced == [ClientID("b"): 4], "an own later write says it all")
        #expect(three.history == [ClientID("a"): 2, ClientID("b"): 4])
        #expect(three.includes(id("a", 1)) && three.includes(id("b", 4)))
        #expect(!three.includes(id("b", 5)) && !three.includes(id("c", 1)))
    }

    @Test func writersOfFieldsBelongToTheHistory() {
        let one = applied(.put(["x": 1]), by: id("a", 3), .fieldMerge)
        let two = applied(.put(["y": 1]), by: id("b", 1), to: one, .fieldMerge)
        #expect(two.history == [ClientID("a"): 3, ClientID("b"): 1])
        #expect(two.replaced.isEmpty, "both writes stand in the record")
        #expect(two.includes(id("a", 2)) && !two.includes(id("a", 4)))
    }

    @Test func theHistoryHasALimit() {
        var record: UserRecord?
        for number in 0..<UserRecord.replacedMax + 9 {
            let name = String(repeating: "d", count: number + 1)
            record = applied(.put(["n": 1]), by: id(name, 1), to: record)
        }
        #expect(record?.replaced.count == UserRecord.replacedMax)
        #expect(record?.replaced[ClientID("d")] == 1, "the first names stay")
    }

    @Test func overwrittenWritesHaveALimitToo() {
        var record = applied(.put(["n": 1]), by: id("z", 1))
        for number in 0..<UserRecord.replacedMax + 9 {
            record.rememberOverwritten(id("d\(1_000 + number)", 1))
        }
        #expect(record.overwritten.count == UserRecord.replacedMax)
        #expect(record.overwrote(id("d1000", 1)) && !record.overwrote(id("d1040", 1)))
        #expect(!record.overwrote(id("z", 1)), "nobody overwrites the own write")
    }

    @Test func anAuthorSawWhatItSays() {
        let record = applied(.put(["n": 1]), by: id("a", 1))
        #expect(operation(.delete, by: id("b", 1)).hasSeen(nil))
        #expect(operation(.delete, by: id("b", 1), seen: 1).hasSeen(record))
        #expect(!operation(.delete, by: id("b", 1), seen: 2).hasSeen(record))
        var next = operation(.delete, by: id("b", 1))
        #expect(!next.hasSeen(record))
        next.follows = id("a", 1)
        #expect(next.hasSeen(record))
        next.follows = nil
        next.seenWrites = [ClientID("a"): 4]
        #expect(next.hasSeen(record) && next.hasSeen(id("a", 4)) && !next.hasSeen(id("a", 5)))
    }

    @Test func aCommitGivesItsRevisionToNewFieldsAlone() {
        let one = applied(.put(["x": 1]), by: id("a", 1), .fieldMerge)
        let two = MergeRules.applied(
            operation(.put(["y": 1]), by: id("b", 1)), to: one, policy: .fieldMerge
        ).committed(at: 7)
        #expect(two.revision == 7)
        #expect(two.fields.mapValues(\.revision) == ["x": 1, "y": 7])
        #expect(two.committed(at: 3).fields.mapValues(\.revision) == ["x": 1, "y": 3])
    }

    @Test func removedFieldsAreForgottenWhenThereAreTooMany() {
        var record: UserRecord?
        for number in 0..<UInt64(Validity.fieldsMax) {
            record = applied(
                .put(["f\(number)": number < 3 ? .null : 1]), by: id("a", number + 1),
                to: record, .fieldMerge)
        }
        record = applied(.put(["more": 1]), by: id("a", 100), to: record, .fieldMerge)
        #expect(record?.fields.count == Validity.fieldsMax)
        #expect(record?.fields["f0"] == nil, "the one that was removed first")
        #expect(record?.fields["f1"]?.value == .null && record?.fields["more"]?.value == 1)
    }

    @Test func aWriteIsNeverOlderThanWhatItReplaces() {
        let one = applied(.put(["n": 1]), by: id("a", 1))
        let late = MergeRules.applied(
            operation(.put(["n": 2]), by: id("b", 1), at: -500), to: one, policy: .askUser)
        #expect(late.time > one.time)
        #expect((late.fields["n"]?.time ?? .zero) > one.time)
    }

    @Test func aDeletionEmptiesTheRecord() {
        let one = applied(.put(["n": 1]), by: id("a", 1))
        let gone = applied(.delete, by: id("b", 1), to: one)
        #expect(gone.isDeleted && gone.values.isEmpty && gone.includes(id("a", 1)))
        let back = applied(.put(["m": 2]), by: id("a", 2), to: gone)
        #expect(!back.isDeleted && back.values == ["m": 2])
        #expect(!back.hasSameContent(as: gone) && !back.hasSameContent(as: one))
    }

    @Test func aNumberIsTheBaseOfALaterCounter() {
        let number = applied(.put(["n": -4]), by: id("a", 1))
        let counted = applied(
            .count(field: "n", CounterTotals(added: 10)), by: id("b", 1), to: number, .counter)
        #expect(counted.values == ["n": 6])
        #expect(counted.counterTotals["n"]?[.server] == CounterTotals(removed: 4))
        let set = applied(.put(["n": 1]), by: id("b", 2), to: counted)
        #expect(set.values == ["n": 1] && set.counterTotals.isEmpty)
    }

    @Test func sumsStopAtTheGreatestNumber() {
        var record = applied(
            .count(field: "n", CounterTotals(added: .max)), by: id("a", 1), .counter)
        record.counterTotals["n"]?[ClientID("b")] = CounterTotals(added: 5, removed: -3)
        #expect(record.values == ["n": .integer(.max)])
    }

    @Test func totalsOnlyGrow() {
        let one = CounterTotals(added: 5, removed: 1)
        let two = CounterTotals(added: 3, removed: 4)
        #expect(one.joined(two) == CounterTotals(added: 5, removed: 4))
        #expect(one.joined(two) == two.joined(one) && one.joined(one) == one)
        #expect(one.minus(two) == CounterTotals(added: 2))
        #expect(one.minus(one) == CounterTotals())
    }

    @Test func theEstimateIsNoLessThanTheTexts() {
        let text = String(repeating: "x", count: 1_000)
        let small = applied(.put(["n": 1]), by: id("a", 1))
        let large = applied(.put(["n": .text(text)]), by: id("a", 1))
        #expect(large.estimatedBytes >= small.estimatedBytes + 1_000)
        let put = operation(.put(["n": .text(text)]), by: id("a", 1))
        #expect(WireSize.bytes(put) > WireSize.bytes(operation(.delete, by: id("a", 1))) + 999)
        #expect(
            WireSize.bytes(operation(.restore(large), by: id("a", 1))) > large.estimatedBytes)
    }
}
