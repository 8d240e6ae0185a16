import Testing
import UserData

/// A store that was copied or restored: the device asks what is known and takes a new identity.
@Suite struct MachineIdentityTests {
    private typealias Script = MachineScript
    private let new = ClientID("new")
    private let points = RecordKey("points", "p")
    private var script = Script()

    private func stale(
        _ request: ExchangeRequest, _ results: [OperationID: OperationResult] = [:],
        known: [ClientID: UInt64] = [:]
    ) -> DeviceMachine.Event {
        .replied(
            ExchangeResponse(
                number: request.number, epoch: "e1", results: results,
                knownAnswers: AnswerVector(known), isDeviceStale: true))
    }

    private func renamed(_ counter: UInt64) -> OperationID {
        OperationID(client: new, counter: counter)
    }

    /// The server finds the device stale and knows none of its operations.
    private mutating func renew(known: [ClientID: UInt64] = [:]) throws -> [DeviceMachine.Effect] {
        let request = try script.request(after: .started)
        let question = try script.request(after: stale(request, known: known))
        #expect(question.isCopied)
        #expect(script.take(stale(question, known: known)) == [.renewIdentity])
        return script.take(.identified(new))
    }

    @Test mutating func aStaleDeviceAsksWhatTheServerKnows() throws {
        _ = script.put(Script.star, 1)
        _ = script.take(.answered(count: 2))
        let request = try script.request(after: .started)
        let question = try script.request(after: stale(request))
        #expect(question.isCopied && question.operations.map(\.id) == [Script.mine(1)])
        #expect(question.answers.isEmpty, "a question brings no answers")
        #expect(script.state.isCopied && !script.state.isSynced)
    }

    @Test mutating func knownOperationsLeaveTheOutbox() throws {
        _ = script.put(Script.star, 1)
        _ = script.put(Script.exam, 2)
        let request = try script.request(after: .started)
        let question = try script.request(after: stale(request))
        let record = Script.record(Script.star, 1, revision: 3, by: Script.mine(1))
        let effects = script.take(stale(question, [Script.mine(1): .accepted(record)]))
        #expect(effects == [.renewIdentity])
        #expect(script.state.outbox.map(\.operation.key) == [Script.exam])
        #expect(script.state.bases == [Script.star: record])
    }

    @Test mutating func theOthersGoOutUnderTheNewIdentity() throws {
        _ = script.put(Script.star, 1)
        _ = script.put(Script.exam, 2)
        let effects = try renew()
        #expect(effects.first == .changed([]))
        let request = try #require(Script.request(effects))
        #expect(request.client == new && !request.isCopied)
        #expect(request.operations.map(\.id) == [renamed(3), renamed(4)])
        #expect(request.operations.map(\.change) == [.put(["n": 1]), .put(["n": 2])])
        #expect(request.processedBefore == 3)
        #expect(script.state.client == new && !script.state.isCopied)
    }

    @Test mutating func theSameIdentityChangesNothing() {
        _ = script.put(Script.star, 1)
        let state = script.state
        #expect(script.take(.identified(Script.me)) == [])
        #expect(script.state == state)
    }

    @Test mutating func anOperationFollowsTheRenamedOne() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        _ = script.put(Script.star, 2)
        let question = try script.request(after: stale(request))
        #expect(question.operations.count == 2)
        _ = script.take(stale(question))
        _ = script.take(.identified(new))
        let operations = script.state.outbox.map(\.operation)
        #expect(operations.map(\.id) == [renamed(3), renamed(4)])
        #expect(operations.map(\.follows) == [nil, renamed(3)])
    }

    @Test mutating func aBatchStaysOne() throws {
        let changes = [Script.star, Script.exam].map {
            DeviceMachine.BatchedWrite($0, .put(["n": 1]))
        }
        _ = script.take(.wroteBatch(changes))
        _ = try renew()
        #expect(script.state.outbox.map(\.group) == [3, 3])
    }

    @Test mutating func theTotalsOfTheNewDeviceAreItsSteps() throws {
        var request = try script.request(after: .started)
        var base = UserRecord(
            key: points, revision: 1, operation: Script.theirs(1), time: HybridTime(milliseconds: 1)
        )
        base.counterTotals = ["n": [Script.me: CounterTotals(added: 10)]]
        _ = script.reply(to: request, changes: [base], cursor: 1)
        request = try #require(
            Script.request(script.take(.wrote(points, .count(field: "n", by: 2)))))
        _ = script.take(.wrote(points, .count(field: "n", by: -3)))
        #expect(request.operations.map(\.change) == [.count(field: "n", .init(added: 12))])
        let question = try script.request(after: stale(request))
        _ = script.take(stale(question))
        _ = script.take(.identified(new))
        #expect(
            script.state.outbox.map(\.operation.change) == [
                .count(field: "n", .init(added: 2)),
                .count(field: "n", .init(added: 2, removed: 3)),
            ])
        #expect(script.state.current(points)?.values == ["n": 9], "nothing counts twice")
    }

    @Test mutating func operationsThatCannotBeAskedNowAreAskedAgain() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        var question = try script.request(after: stale(request))
        question = try script.request(
            after: stale(question, [Script.mine(1): .retryLater]))
        #expect(question.isCopied && question.operations.map(\.id) == [Script.mine(1)])
        #expect(script.take(stale(question)) == [.renewIdentity])
    }

    @Test mutating func theServerMayTakeTheDeviceAfterAll() throws {
        _ = script.put(Script.star, 1)
        let request = try script.request(after: .started)
        let question = try script.request(after: stale(request))
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        _ = script.reply(to: question, [.accepted(record)], cursor: 1)
        #expect(!script.state.isCopied && script.state.isSynced)
        #expect(script.state.client == Script.me)
    }

    @Test mutating func aNewerRequestOfAnotherProcessDecides() throws {
        let request = try script.request(after: .started)
        var other = DeviceMachine(script.state)
        _ = other.handle(.started, now: script.now)
        script.machine.reload(other.state)
        let next = try script.request(after: stale(request))
        #expect(!next.isCopied && !script.state.isCopied)
        #expect(next.number == request.number + 2)
    }

    // MARK: Answers

    @Test mutating func unacknowledgedAnswersAreDetached() throws {
        _ = script.take(.answered(count: 3))
        let effects = try renew(known: [:])
        let run = AnswerSpan(client: Script.me, first: 1, count: 3)
        #expect(effects.first == .detachAnswers(run))
        #expect(script.state.detachedCount == 3 && script.state.answers == AnswerVector())
        #expect(script.state.waitingCount == 3 && !script.state.isSynced)
        #expect(Script.request(effects)?.answers == [])
    }

    @Test mutating func acknowledgedAnswersKeepTheirNumbers() throws {
        _ = script.take(.answered(count: 1))
        var request = try script.request(after: .started)
        _ = script.reply(to: request)
        request = try script.request(after: .answered(count: 2))
        let question = try script.request(after: stale(request, known: [Script.me: 1]))
        _ = script.take(stale(question, known: [Script.me: 1]))
        let effects = script.take(.identified(new))
        #expect(
            effects.first == .detachAnswers(AnswerSpan(client: Script.me, first: 2, count: 2)))
        #expect(script.state.answers == AnswerVector([Script.me: 1]))
    }

    @Test mutating func detachedAnswersAreNumberedOnceAllOthersAreHere() throws {
        _ = script.take(.answered(count: 3))
        let request = try #require(Script.request(try renew()))
        #expect(script.reply(to: request) == [.numberAnswers])
        let run = AnswerSpan(client: ClientID("b1"), first: 1, count: 2)
        let next = try script.request(
            after: .numbered([.init(span: run, digest: SetDigest([7, 8]))]))
        #expect(next.answers == [run])
        #expect(script.state.answerDigests[run.client] == SetDigest([7, 8]))
        #expect(script.state.detachedCount == 0)
    }

    @Test mutating func detachedAnswersThatTheServerHasNeedNoNumber() throws {
        _ = script.take(.answered(count: 3))
        let request = try #require(Script.request(try renew()))
        let run = AnswerSpan(client: Script.me, first: 1, count: 3)
        var response = ExchangeResponse(
            number: request.number, epoch: "e1",
            knownAnswers: AnswerVector([Script.me: 3]), answers: [run])
        response.answerHashes = [[4, 5, 6]]
        response.answersDigest = SetDigest([4, 5, 6])
        let effects = script.take(.replied(response))
        #expect(effects == [.storeAnswers([run]), .numberAnswers])
        #expect(script.take(.numbered([])) == [])
        #expect(script.state.isSynced)
    }

    @Test mutating func detachedAnswersWaitForTheRestOfTheServers() throws {
        _ = script.take(.answered(count: 3))
        let request = try #require(Script.request(try renew()))
        let run = AnswerSpan(client: Script.me, first: 1, count: 2)
        let effects = script.take(
            .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e1",
                    knownAnswers: AnswerVector([Script.me: 5]), answers: [run])))
        #expect(effects.first == .storeAnswers([run]) && !effects.contains(.numberAnswers))
        #expect(Script.request(effects) != nil)
        #expect(script.state.detachedCount == 3)
    }

    @Test mutating func aTwinIsFoundByItsAnswers() throws {
        let request = try script.request(after: .started)
        let question = try script.request(
            after: .replied(
                ExchangeResponse(
                    number: request.number, epoch: "e1",
                    knownAnswers: AnswerVector([Script.me: 7]))))
        #expect(question.isCopied && script.state.isCopied)
        #expect(script.state.answersOnServer[Script.me] == 0, "those are the twin's")
    }

    // MARK: A store that is known to be a copy

    @Test mutating func aKnownCopyAsksFirst() throws {
        _ = script.put(Script.star, 1)
        #expect(script.take(.copyFound) == [])
        let question = try script.request(after: .started)
        #expect(question.isCopied && question.client == Script.me)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        #expect(
            script.take(stale(question, [Script.mine(1): .accepted(record)])) == [.renewIdentity])
        _ = script.take(.identified(new))
        #expect(script.state.client == new && script.state.outbox.isEmpty)
    }

    @Test mutating func aCopyThatIsFoundDuringARequestAsksAfterIt() throws {
        let request = try script.request(after: .started)
        #expect(script.take(.copyFound) == [])
        let question = try #require(Script.request(script.reply(to: request)))
        #expect(question.isCopied)
    }

    @Test mutating func aKnownCopyWithNothingToSendIsRenamedAtOnce() throws {
        _ = script.take(.copyFound)
        let question = try script.request(after: .started)
        #expect(question.isCopied && question.operations.isEmpty)
        #expect(script.take(stale(question)) == [.renewIdentity])
    }

    /// Else the device would not find out that the server loses the record again.
    @Test mutating func theFirstRecordOfAnAccountBringsItsHistory() throws {
        _ = script.put(Script.star, 1)
        _ = script.take(.copyFound)
        let question = try script.request(after: .started)
        #expect(question.epoch == nil)
        let record = Script.record(Script.star, 1, revision: 1, by: Script.mine(1))
        let head = LogHead(position: 1, mark: "m")
        _ = script.take(
            .replied(
                ExchangeResponse(
                    number: question.number, epoch: "e1",
                    results: [Script.mine(1): .accepted(record)], head: head, isDeviceStale: true)))
        #expect(script.state.epoch == "e1" && script.state.head == head)
    }
}
