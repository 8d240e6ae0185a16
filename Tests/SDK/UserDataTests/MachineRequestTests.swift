import Testing
import UserData

/// The bounds of a request, and the results that come back.
@Suite struct MachineRequestTests {
    private typealias Script = MachineScript
    private var script = Script()

    private func star(_ number: Int) -> RecordKey { RecordKey("stars", "s\(number)") }

    private mutating func putStars(_ count: Int) {
        for number in 0..<count { _ = script.put(star(number), 1) }
    }

    private func accepted(_ request: ExchangeRequest) -> [OperationResult] {
        request.operations.map {
            .accepted(Script.record($0.key, 1, revision: $0.id.counter, by: $0.id))
        }
    }

    /// Writes one record of about so many bytes in 16 KiB texts.
    private mutating func putLarge(_ key: RecordKey, kibibytes: Int) {
        let text = String(repeating: "x", count: 16 * 1024 - 64)
        let values = (0..<kibibytes / 16).map { ("f\($0)", FieldValue.text(text)) }
        _ = script.take(
            .wrote(key, .put(Dictionary(values, uniquingKeysWith: { $1 }))))
    }

    @Test mutating func aRequestHasALimitOfOperations() throws {
        putStars(DeviceMachine.operationsMax + 1)
        let request = try script.request(after: .started)
        #expect(request.operations.count == DeviceMachine.operationsMax)
        let next = try #require(
            Script.request(script.reply(to: request, accepted(request), cursor: 500)))
        #expect(next.operations.map(\.id) == [Script.mine(501)])
        #expect(next.processedBefore == 501)
        _ = script.reply(to: next, accepted(next), cursor: 501)
        #expect(script.state.isSynced)
    }

    @Test mutating func operationsGoInTheirOrder() throws {
        putStars(5)
        let request = try script.request(after: .started)
        #expect(request.operations.map(\.id.counter) == [1, 2, 3, 4, 5])
        #expect(script.state.outbox.allSatisfy { $0.wasSent })
    }

    @Test mutating func aBatchThatDoesNotFitGoesNext() throws {
        putStars(DeviceMachine.operationsMax - 1)
        let batch = (0..<3).map {
            DeviceMachine.BatchedWrite(RecordKey("notes", "\($0)"), .put(["n": 1]))
        }
        _ = script.take(.wroteBatch(batch))
        let request = try script.request(after: .started)
        #expect(request.operations.count == DeviceMachine.operationsMax - 1)
        let next = try #require(
            Script.request(script.reply(to: request, accepted(request), cursor: 499)))
        #expect(next.operations.map(\.key.collection) == ["notes", "notes", "notes"])
    }

    @Test mutating func aRequestHasALimitOfBytes() throws {
        for number in 0..<40 { putLarge(star(number), kibibytes: 64) }
        let request = try script.request(after: .started)
        #expect((14...16).contains(request.operations.count))
        let next = try #require(
            Script.request(script.reply(to: request, accepted(request), cursor: 40)))
        #expect(next.operations.first?.key == star(request.operations.count))
    }

    @Test mutating func aSingleOperationIsAlwaysSent() throws {
        putLarge(Script.star, kibibytes: 1_536)
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        #expect(request.operations.map(\.key) == [Script.star])
    }

    @Test mutating func anOperationThatIsTooLongIsRejected() throws {
        putLarge(Script.star, kibibytes: 1_536)
        _ = script.put(Script.exam, 1)
        let request = try script.request(after: .started)
        let effects = script.take(.failed(number: request.number, .tooLong, jitter: 1))
        #expect(effects.first == .changed([Script.star]))
        #expect(script.state.rejected.map(\.refusal) == [.tooLong])
        #expect(script.state.rejected.map(\.operation.key) == [Script.star])
        #expect(Script.request(effects)?.operations.map(\.key) == [Script.exam])
    }

    @Test mutating func aBatchThatIsTooLongIsRejectedWhole() throws {
        let text = FieldValue.text(String(repeating: "x", count: 16 * 1024 - 64))
        let values = Dictionary(uniqueKeysWithValues: (0..<40).map { ("f\($0)", text) })
        let batch = [star(0), star(1)].map {
            DeviceMachine.BatchedWrite($0, .put(values))
        }
        _ = script.take(.wroteBatch(batch))
        let request = try script.request(after: .started)
        #expect(request.operations.count == 2)
        let effects = script.take(.failed(number: request.number, .tooLong, jitter: 1))
        #expect(effects.first == .changed([star(0), star(1)]))
        #expect(script.state.rejected.map(\.refusal) == [.tooLong, .tooLong])
        #expect(script.state.outbox.isEmpty)
    }

    @Test mutating func aShorterRequestSendsTheFirstHalf() throws {
        putStars(400)
        let request = try script.request(after: .started)
        let half = try script.request(
            after: .failed(number: request.number, .tooLong, jitter: 1))
        #expect(half.operations.count == 250 && half.number == request.number + 1)
        #expect(half.operations == Array(request.operations.prefix(250)))
    }

    @Test mutating func anOperationWithoutResultIsSentAgain() throws {
        putStars(2)
        let request = try script.request(after: .started)
        let one = Script.record(star(0), 1, revision: 1, by: Script.mine(1))
        let effects = script.reply(to: request, [.accepted(one)], cursor: 1)
        let next = try #require(Script.request(effects))
        #expect(next.operations == [request.operations[1]])
    }

    @Test mutating func resultsOfOtherOperationsAreIgnored() throws {
        putStars(1)
        let request = try script.request(after: .started)
        let record = Script.record(star(7), 1, revision: 1, by: Script.mine(7))
        let effects = script.take(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e1",
                    results: [Script.mine(7): .accepted(record)])))
        #expect(Script.request(effects)?.operations == request.operations)
        #expect(script.state.bases.isEmpty)
    }

    @Test mutating func aMergedResultShowsTheServersRecord() throws {
        putStars(1)
        let request = try script.request(after: .started)
        let merged = Script.record(star(0), 9, revision: 4, by: Script.theirs(2))
        let effects = script.reply(to: request, [.merged(merged)], cursor: 4)
        #expect(effects == [.changed([star(0)])])
        #expect(script.state.current(star(0))?.values == ["n": 9])
        #expect(script.state.outbox.isEmpty)
    }

    @Test(arguments: [
        Refusal.immutable, .notAllowed, .unknownCollection, .badField, .quota, .tooLong,
    ])
    mutating func eachRefusalIsShown(refusal: Refusal) throws {
        putStars(1)
        let request = try script.request(after: .started)
        #expect(script.reply(to: request, [.refused(refusal)]) == [.changed([star(0)])])
        #expect(script.state.rejected.map(\.refusal) == [refusal])
        #expect(script.state.rejected.map(\.id) == [Script.mine(1)])
        #expect(script.state.waitingCount == 0 && !script.state.isSynced)
    }

    @Test mutating func changedRecordsAreNamedOnceAndInOrder() throws {
        putStars(2)
        let request = try script.request(after: .started)
        let records = [1, 0, 2].map {
            Script.record(star($0), 1, revision: UInt64($0 + 1), by: Script.theirs(UInt64($0)))
        }
        let effects = script.reply(to: request, accepted(request), changes: records, cursor: 3)
        #expect(effects == [.changed([star(0), star(1), star(2)])])
    }

    @Test mutating func requestsAreNumbered() throws {
        var numbers: [UInt64] = []
        for _ in 0..<3 {
            let request = try script.request(after: .syncWantedOrStarted(script))
            numbers.append(request.number)
            _ = script.reply(to: request)
        }
        #expect(numbers == [1, 2, 3])
        #expect(script.state.nextRequest == 4)
    }

    @Test mutating func aReplyToAnotherRequestIsIgnored() throws {
        let request = try script.request(after: .started)
        let reply = ExchangeResponse(number: request.number + 1, epoch: "e1", cursor: 9)
        #expect(script.take(.replied(reply)) == [])
        #expect(script.state.cursor == 0 && script.state.epoch == nil)
    }

    @Test mutating func aStoppedMachineIgnoresLateReplies() throws {
        putStars(1)
        let request = try script.request(after: .started)
        _ = script.take(.stopped)
        #expect(script.reply(to: request, accepted(request), cursor: 1) == [])
        #expect(script.state.outbox.count == 1)
        let again = try script.request(after: .started)
        #expect(again.operations == request.operations, "sent again as it was")
    }

    @Test mutating func theServersTimesMoveTheClock() throws {
        let request = try script.request(after: .started)
        let ahead = script.now + 60_000
        let record = Script.record(
            Script.star, 1, revision: 1, by: Script.theirs(1), at: ahead)
        _ = script.reply(to: request, changes: [record], cursor: 1)
        _ = script.put(Script.star, 2)
        let operation = try #require(script.state.outbox.first?.operation)
        #expect(operation.time > record.time, "a write is later than what it replaces")
    }
}

extension DeviceMachine.Event {
    /// The event that leads to a request of an idle machine.
    fileprivate static func syncWantedOrStarted(_ script: MachineScript) -> Self {
        script.state.nextRequest == 1 ? .started : .syncWanted
    }
}
