import Testing
import UserData

/// The operations that follow from what the user writes.
@Suite struct MachineWritingTests {
    private typealias Script = MachineScript
    private let profile = RecordKey("profile", "me")
    private let points = RecordKey("points", "p")
    private let note = RecordKey("notes", "n")
    private var script = Script()

    /// The server has a record with these fields.
    private mutating func known(_ key: RecordKey, _ values: [String: FieldValue]) throws {
        let request = try script.request(after: .started)
        var record = Script.record(key, 0, revision: 3, by: Script.theirs(1))
        record.fields = values.mapValues {
            UserRecord.Field(
                value: $0, time: record.time, revision: 3, writer: Script.theirs(1))
        }
        _ = script.reply(to: request, changes: [record], cursor: 3)
        _ = script.take(.stopped)
    }

    private mutating func write(_ key: RecordKey, _ values: [String: FieldValue])
        -> [DeviceMachine.Effect]
    {
        script.take(.wrote(key, .put(values)))
    }

    private var changes: [Change] { script.state.outbox.map(\.operation.change) }

    @Test mutating func anUnknownCollectionTakesNothing() {
        #expect(script.put(RecordKey("unknown", "x"), 1) == [])
        #expect(script.state.outbox.isEmpty && script.state.nextCounter == 1)
    }

    @Test mutating func aChangeSaysWhatItsAuthorSaw() throws {
        try known(Script.star, ["n": 1])
        _ = script.put(Script.star, 2)
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.seenRevision == 3 && operation.follows == nil)
        #expect(operation.schemaVersion == 1 && operation.key == Script.star)
        #expect(script.state.outbox.map(\.madeAt) == [script.now])
    }

    @Test mutating func writesThatWereNotSentAreOne() throws {
        try known(Script.star, ["n": 1])
        _ = script.put(Script.star, 2)
        script.now += 1_000
        _ = script.put(Script.star, 3)
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(changes == [.put(["n": 3])] && operation.seenRevision == 3)
        #expect(operation.time.milliseconds == script.now)
    }

    @Test mutating func aDeletionIsAnOperationOfItsOwn() throws {
        _ = script.put(Script.star, 2)
        _ = script.take(.wrote(Script.star, .delete))
        _ = script.put(Script.star, 3)
        #expect(changes == [.put(["n": 2]), .delete, .put(["n": 3])])
        let follows = script.state.outbox.map(\.operation.follows)
        #expect(follows == [nil, Script.mine(1), Script.mine(2)])
        #expect(script.state.current(Script.star)?.values == ["n": 3])
    }

    @Test mutating func anAppendOnlyRecordIsWrittenOnce() {
        _ = write(note, ["t": "a"])
        _ = write(note, ["t": "b"])
        #expect(changes == [.put(["t": "a"]), .put(["t": "b"])])
        #expect(script.take(.wrote(note, .delete)) == [])
    }

    @Test mutating func timesOnlyGrow() {
        for number in 0..<4 {
            _ = write(RecordKey("notes", "\(number)"), [:])
            script.now -= 10
        }
        let times = script.state.outbox.map(\.operation.time)
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    // MARK: Fields

    @Test mutating func onlyFieldsThatDifferAreSent() throws {
        try known(profile, ["a": 1, "b": 2])
        _ = write(profile, ["a": 1, "b": 3])
        #expect(changes == [.put(["b": 3])])
        #expect(script.state.current(profile)?.values == ["a": 1, "b": 3])
    }

    @Test mutating func aMissingFieldIsRemoved() throws {
        try known(profile, ["a": 1, "b": 2])
        _ = write(profile, ["a": 1])
        #expect(changes == [.put(["b": .null])])
    }

    @Test mutating func aWriteThatChangesNothingIsNone() throws {
        try known(profile, ["a": 1])
        #expect(write(profile, ["a": 1]) == [])
        #expect(script.state.outbox.isEmpty)
    }

    /// With the time of the later one the first field would win against a later write of another device.
    @Test mutating func writesOfOtherFieldsKeepTheirTimes() {
        let morning = script.now
        _ = write(profile, ["a": 1])
        script.now += 1_000
        _ = write(profile, ["a": 1, "b": 2])
        #expect(changes == [.put(["a": 1]), .put(["b": 2])])
        #expect(
            script.state.outbox.map(\.operation.time.milliseconds) == [morning, script.now])
        script.now += 1_000
        _ = write(profile, ["a": 3, "b": 2])
        #expect(changes == [.put(["a": 3]), .put(["b": 2])], "however often it is changed")
        #expect(script.state.outbox.map(\.operation.time.milliseconds)[0] == script.now)
        script.now += 1_000
        _ = write(profile, ["a": 4, "b": 5])
        #expect(changes == [.put(["a": 3]), .put(["a": 4, "b": 5])])
        _ = write(profile, ["a": 6, "b": 5])
        #expect(changes == [.put(["a": 3]), .put(["a": 4, "b": 5]), .put(["a": 6])])
    }

    @Test mutating func whatWasSentIsNotChanged() throws {
        _ = try script.request(after: .started)
        _ = script.take(.stopped)
        _ = write(profile, ["a": 1])
        _ = try script.request(after: .started)
        _ = write(profile, ["a": 1, "b": 2])
        _ = write(profile, ["a": 2, "b": 2])
        #expect(changes == [.put(["a": 1]), .put(["b": 2]), .put(["a": 2])])
    }

    @Test mutating func fieldsOfANewerVersionAreNotRemoved() throws {
        script = Script(
            DeviceState(
                user: "u", client: Script.me,
                declarations: [
                    CollectionDeclaration("profile", .fieldMerge, fields: ["a", "b"])
                ]))
        try known(profile, ["a": 1, "b": 2, "later": 5])
        _ = write(profile, ["a": 7])
        #expect(changes == [.put(["a": 7, "b": .null])])
    }

    @Test mutating func fieldsOfANewerVersionAreCarriedAlong() throws {
        script = Script(
            DeviceState(
                user: "u", client: Script.me,
                declarations: [CollectionDeclaration("stars", .lastWriteWins, fields: ["n"])]))
        try known(Script.star, ["n": 1, "later": 5])
        _ = write(Script.star, ["n": 2])
        #expect(changes == [.put(["n": 2, "later": 5])])
    }

    // MARK: Counters

    @Test mutating func aCounterTakesStepsAlone() {
        #expect(write(points, ["n": 1]) == [])
        #expect(script.take(.wrote(points, .delete)) == [])
        #expect(script.take(.wrote(Script.star, .count(field: "n", by: 1))) == [])
        #expect(script.take(.wrote(points, .count(field: "n", by: 1))) == [.changed([points])])
    }

    @Test mutating func aCounterStopsAtTheGreatestNumber() {
        let most = FieldValue.integerMax
        _ = script.take(.wrote(points, .count(field: "n", by: most)))
        #expect(script.state.current(points)?.values == ["n": .integer(most)])
        #expect(script.take(.wrote(points, .count(field: "n", by: 1))) == [])
        #expect(script.take(.wrote(points, .count(field: "n", by: .max))) == [])
        #expect(script.take(.wrote(points, .count(field: "n", by: .min))) == [])
        #expect(script.state.outbox.count == 1)
        _ = script.take(.wrote(points, .count(field: "n", by: -1)))
        #expect(script.state.current(points)?.values == ["n": .integer(most - 1)])
    }

    @Test mutating func fieldsCountForThemselves() {
        _ = script.take(.wrote(points, .count(field: "a", by: 2)))
        _ = script.take(.wrote(points, .count(field: "b", by: -1)))
        #expect(script.state.current(points)?.values == ["a": 2, "b": -1])
        #expect(script.state.outbox.map(\.step) == [.init(added: 2), .init(removed: 1)])
    }

    // MARK: Batches

    @Test mutating func anEmptyBatchIsNothing() {
        #expect(script.take(.wroteBatch([])) == [])
    }

    @Test mutating func aBatchHasALimit() {
        let writes = (0...DeviceMachine.batchedWritesMax).map {
            DeviceMachine.BatchedWrite(RecordKey("notes", "\($0)"), .put(["n": 1]))
        }
        _ = script.take(.wroteBatch(writes))
        #expect(script.state.outbox.count == DeviceMachine.batchedWritesMax)
        #expect(Set(script.state.outbox.map(\.group)) == [1])
    }

    @Test mutating func aBatchIsNotMergedIntoAnEarlierWrite() {
        _ = script.put(Script.star, 1)
        _ = script.take(.wroteBatch([.init(Script.star, .put(["n": 2]))]))
        #expect(changes == [.put(["n": 1]), .put(["n": 2])])
        #expect(script.state.outbox.map(\.group) == [nil, 2])
    }

    @Test mutating func aBatchSkipsWhatIsNotAllowed() {
        let writes: [DeviceMachine.BatchedWrite] = [
            .init(note, .delete), .init(Script.star, .put(["n": 1])),
            .init(RecordKey("unknown", "x"), .delete),
        ]
        #expect(script.take(.wroteBatch(writes)) == [.changed([Script.star])])
        #expect(script.state.outbox.count == 1)
    }

    // MARK: Rejected changes

    /// The server rejects the only change.
    private mutating func reject(_ refusal: Refusal = .badField) throws {
        let request = try script.request(after: .started)
        _ = script.reply(to: request, [.refused(refusal)])
        _ = script.take(.stopped)
        #expect(script.state.rejected.count == 1)
    }

    @Test mutating func aWriteReplacesTheRejectedOne() throws {
        _ = script.put(Script.star, 1)
        try reject()
        _ = script.put(Script.star, 2)
        #expect(script.state.rejected.isEmpty && changes == [.put(["n": 2])])
    }

    @Test mutating func rejectedFieldsGoWithTheNextWrite() throws {
        _ = write(profile, ["a": 1])
        try reject()
        _ = write(profile, ["a": 1, "b": 2])
        #expect(script.state.rejected.isEmpty && changes == [.put(["a": 1, "b": 2])])
    }

    @Test mutating func aRejectedCountGoesWithTheNext() throws {
        _ = script.take(.wrote(points, .count(field: "n", by: 2)))
        try reject(.quota)
        _ = script.take(.wrote(points, .count(field: "n", by: 3)))
        #expect(changes == [.count(field: "n", .init(added: 5))])
        #expect(script.state.outbox.map(\.step) == [.init(added: 5)])
        #expect(script.state.current(points)?.values == ["n": 5])
    }

    @Test mutating func aRejectedCountOfAnotherFieldStays() throws {
        _ = script.take(.wrote(points, .count(field: "a", by: 2)))
        try reject(.quota)
        _ = script.take(.wrote(points, .count(field: "b", by: 3)))
        #expect(script.state.rejected.count == 1 && script.state.outbox.count == 1)
    }

    @Test mutating func aRetriedChangeSaysTheSame() throws {
        try known(Script.star, ["n": 1])
        _ = script.put(Script.star, 2)
        try reject()
        #expect(script.take(.retried(Script.mine(1))) == [.changed([Script.star])])
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.change == .put(["n": 2]) && operation.seenRevision == 3)
        #expect(operation.id == Script.mine(2) && script.state.rejected.isEmpty)
    }

    @Test mutating func anUnknownChangeIsNotRetried() {
        #expect(script.take(.retried(Script.mine(7))) == [])
        #expect(script.take(.dismissed(Script.mine(7))) == [])
    }

    @Test mutating func aDismissedChangeIsShownNoMore() throws {
        try known(Script.star, ["n": 1])
        _ = script.put(Script.star, 2)
        try reject()
        #expect(script.state.current(Script.star)?.values == ["n": 2])
        #expect(script.take(.dismissed(Script.mine(1))) == [.changed([Script.star])])
        #expect(script.state.current(Script.star)?.values == ["n": 1])
    }
}
