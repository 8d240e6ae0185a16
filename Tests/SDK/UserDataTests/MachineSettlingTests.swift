import Testing
import UserData

/// A store that leaves its name settles the steps of counters that wait, so that each copy counts them once.
@Suite struct MachineSettlingTests {
    private typealias Script = MachineScript
    private let points = RecordKey("points", "p")
    private let branch = ClientID("b1")
    private var script = Script()

    private func reply(
        _ request: ExchangeRequest, _ results: [UInt64: OperationResult] = [:]
    ) -> DeviceMachine.Event {
        let named = results.map { counter, result in
            (OperationID(client: request.client, counter: counter), result)
        }
        return .replied(
            ExchangeResponse(
                number: request.number, epoch: "e1",
                results: Dictionary(uniqueKeysWithValues: named), isDeviceStale: true))
    }

    private mutating func count(_ step: Int64) {
        _ = script.take(.wrote(points, .count(field: "n", by: step)))
    }

    private func record(_ totals: [ClientID: CounterTotals], _ revision: UInt64) -> UserRecord {
        var record = UserRecord(
            key: points, revision: revision, operation: Script.theirs(1),
            time: HybridTime(milliseconds: 1))
        record.counterTotals = ["n": totals]
        return record
    }

    private static func named(_ effects: [DeviceMachine.Effect]) -> ChangeOperation? {
        if case .nameBranch(let operation)? = effects.last { operation } else { nil }
    }

    /// Makes a copy that has 10 on the server, and a change and two steps that wait.
    private mutating func question() throws -> ExchangeRequest {
        let request = try script.request(after: .started)
        let base = record([Script.me: CounterTotals(added: 10)], 1)
        _ = script.reply(to: request, changes: [base], cursor: 1)
        _ = script.take(.stopped)
        _ = script.put(Script.star, 1)
        count(2)
        count(-3)
        #expect(script.take(.copyFound) == [])
        let question = try script.request(after: .started)
        #expect(question.isCopied && question.client == Script.me)
        #expect(question.operations.map(\.id.counter) == [1, 2, 3])
        return question
    }

    @Test mutating func aStepSaysWhichTotalsItContinues() throws {
        let question = try question()
        #expect(
            question.operations.map(\.from)
                == [nil, CounterTotals(added: 10), CounterTotals(added: 12)])
        #expect(
            script.state.outbox.map(\.operation.from) == [nil, nil, nil], "requests alone say it")
    }

    @Test mutating func stepsThatTheServerTookAreDone() throws {
        let question = try question()
        let taken = record([Script.me: CounterTotals(added: 12, removed: 3)], 3)
        let effects = script.take(reply(question, [2: .accepted(taken), 3: .accepted(taken)]))
        #expect(effects == [.renewIdentity])
        #expect(script.state.outbox.map(\.operation.key) == [Script.star])
        #expect(script.state.current(points)?.values == ["n": 9])
        #expect(Set(script.machine.settled.keys) == [Script.mine(2), Script.mine(3)])
    }

    /// Each copy with the same rest makes the same branch, whatever else waits.
    @Test mutating func theRestOfTheStepsIsSettledUnderABranch() throws {
        var request = try question()
        let taken = record([Script.me: CounterTotals(added: 12)], 3)
        let effects = script.take(reply(request, [2: .accepted(taken)]))
        #expect(Self.named(effects)?.id == Script.mine(3))
        request = try script.request(after: .branched(branch))
        #expect(request.isCopied && request.client == branch && request.processedBefore == 1)
        #expect(request.operations.map(\.id) == [OperationID(client: branch, counter: 1)])
        #expect(request.operations.map(\.change) == [.count(field: "n", .init(removed: 3))])
        #expect(request.operations.map(\.from) == [CounterTotals()])
        let known = [
            Script.me: CounterTotals(added: 12), branch: CounterTotals(removed: 3),
        ]
        let end = script.take(reply(request, [1: .accepted(record(known, 4))]))
        #expect(end == [.renewIdentity])
        #expect(script.state.outbox.map(\.operation.key) == [Script.star])
        #expect(script.state.client == Script.me, "the branch was no name of this store")
        #expect(script.state.current(points)?.values == ["n": 9])
    }

    @Test mutating func aStepThatIsRefusedIsToldAndStopsNone() throws {
        let question = try question()
        let taken = record([Script.me: CounterTotals(added: 12, removed: 3)], 3)
        let effects = script.take(reply(question, [2: .refused(.quota), 3: .accepted(taken)]))
        #expect(effects == [.renewIdentity])
        #expect(script.state.rejected.map(\.id) == [Script.mine(2)])
        #expect(script.state.outbox.map(\.operation.key) == [Script.star])
    }

    /// It contains the step that differs.
    @Test mutating func whatIsWrittenOnTopOfAStepThatDiffersIsNotAskedAbout() throws {
        let request = try question()
        count(5)
        let effects = script.take(reply(request))
        #expect(Self.named(effects)?.id == Script.mine(2))
        let next = try script.request(after: .branched(branch))
        #expect(
            next.operations.map(\.change) == [
                .count(field: "n", .init(added: 2)),
                .count(field: "n", .init(added: 2, removed: 3)),
                .count(field: "n", .init(added: 7, removed: 3)),
            ])
    }

    /// Processes have names of their own there.
    @Test mutating func aStoreWithoutAnAccountHasNoNameToLeave() {
        var local = Script(
            DeviceState(
                user: DeviceState.localUser, client: Script.me, declarations: Script.collections))
        #expect(local.take(.copyFound) == [] && !local.state.isCopied)
    }

    /// A part of the branch was another copy's: what is left has the next branch.
    @Test mutating func aBranchThatDiffersHasABranch() throws {
        _ = script.take(reply(try question()))
        let first = try script.request(after: .branched(branch))
        #expect(first.operations.map(\.id.counter) == [1, 2])
        let taken = record([branch: CounterTotals(added: 2)], 4)
        let effects = script.take(reply(first, [1: .accepted(taken)]))
        #expect(Self.named(effects) == first.operations[1])
        let second = try script.request(after: .branched(ClientID("b2")))
        #expect(second.operations.map(\.id) == [OperationID(client: ClientID("b2"), counter: 1)])
        #expect(second.operations.map(\.change) == [.count(field: "n", .init(removed: 3))])
    }

    /// It would ask under ever new names.
    @Test mutating func aServerThatTakesNoStepGetsThemUnderTheNewName() throws {
        _ = script.take(reply(try question()))
        let asked = try script.request(after: .branched(branch))
        #expect(script.take(reply(asked)) == [.renewIdentity])
        _ = script.take(.identified(ClientID("new")))
        let steps = script.state.outbox.filter { $0.operation.key == points }
        #expect(
            steps.map(\.operation.change) == [
                .count(field: "n", .init(added: 2)),
                .count(field: "n", .init(added: 2, removed: 3)),
            ])
    }

    /// A kill forgets the branch; its name follows from the content, so it is found again.
    @Test mutating func anotherProcessBeginsWithTheFormerName() throws {
        _ = script.take(reply(try question()))
        _ = try script.request(after: .branched(branch))
        var next = Script(script.state)
        let again = try next.request(after: .started)
        #expect(again.isCopied && again.client == Script.me)
        #expect(again.operations.map(\.id.counter) == [1, 2, 3])
    }

    /// Another process ended the settling: the reply to this one's question changes nothing.
    @Test mutating func aReplyAboutABranchThatIsLeftChangesNothing() throws {
        _ = script.take(reply(try question()))
        let asked = try script.request(after: .branched(branch))
        var other = DeviceMachine(script.state)
        _ = other.handle(.started, now: script.now)
        _ = other.handle(.identified(ClientID("new")), now: script.now)
        script.machine.reload(other.state)
        let taken = record([branch: CounterTotals(added: 2)], 4)
        let effects = script.take(reply(asked, [1: .accepted(taken), 2: .accepted(taken)]))
        let request = try #require(Script.request(effects))
        #expect(request.client == ClientID("new") && !request.isCopied)
        #expect(script.state.outbox.count == 3)
    }

    // MARK: A moved account

    @Test mutating func aMovedAccountSettlesWithoutATransaction() throws {
        _ = script.take(.wrote(points, .count(field: "n", by: 2)))
        let request = try #require(Script.request(script.machine.settleMoved()))
        #expect(request.isCopied && request.operations.map(\.from) == [CounterTotals()])
        var empty = Script()
        #expect(empty.machine.settleMoved() == [.renewIdentity])
    }
}
