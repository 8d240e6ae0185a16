import Testing
import UserData

/// The digests of answers: a device says that it is synced only when they agree.
@Suite struct MachineComparingTests {
    private typealias Script = MachineScript
    private var script = Script()

    private func reply(
        _ request: ExchangeRequest, known: [ClientID: UInt64], digest: SetDigest?,
        sums: [ClientID: SetDigest]? = nil, _ answers: [(AnswerSpan, [UInt64])] = []
    ) -> DeviceMachine.Event {
        var response = ExchangeResponse(
            number: request.number, epoch: "e1", cursor: request.cursor,
            knownAnswers: AnswerVector(known), answers: answers.map(\.0))
        response.answerHashes = answers.map(\.1)
        response.answersDigest = digest
        response.sums = sums
        return .replied(response)
    }

    /// A device that has two answers of another one, with the digest that its rows have.
    private mutating func begin() throws -> ExchangeRequest {
        let request = try script.request(after: .started)
        let run = AnswerSpan(client: Script.other, first: 1, count: 2)
        _ = script.take(
            reply(
                request, known: [Script.other: 2], digest: SetDigest([1, 2]), [(run, [1, 2])]))
        #expect(script.state.isSynced)
        return try script.request(after: .syncWanted)
    }

    @Test mutating func equalDigestsAreSynced() throws {
        let request = try begin()
        #expect(!request.wantsSums)
        let effects = script.take(
            reply(request, known: [Script.other: 2], digest: SetDigest([2, 1])))
        #expect(effects.isEmpty && script.state.isSynced)
    }

    @Test mutating func aReplyWithoutADigestSaysNothing() throws {
        let request = try begin()
        _ = script.take(reply(request, known: [Script.other: 2], digest: nil))
        #expect(!script.state.isSynced && script.state.waitingCount == 0)
    }

    @Test mutating func aDifferentDigestAsksForSumsAndReadsTheNameAnew() throws {
        var request = try begin()
        let (known, theirs) = ([Script.other: UInt64(2)], SetDigest([1, 3]))
        request = try #require(
            Script.request(script.take(reply(request, known: known, digest: theirs))))
        #expect(request.wantsSums && !script.state.isSynced)
        let run = AnswerSpan(client: Script.other, first: 1, count: 2)
        let effects = script.take(
            reply(request, known: known, digest: theirs, sums: [Script.other: theirs]))
        #expect(effects.first == .detachAnswers(run))
        request = try #require(Script.request(effects))
        #expect(request.knownAnswers == AnswerVector() && script.state.detachedCount == 2)
        #expect(
            script.take(
                reply(request, known: known, digest: theirs, sums: [:], [(run, [1, 3])])
            )
            .prefix(2) == [.storeAnswers([run]), .numberAnswers])
        #expect(!script.state.isSynced)
        // One of the two is on the server; the other becomes a branch.
        let branch = AnswerSpan(client: ClientID("b1"), first: 1, count: 1)
        let event = DeviceMachine.Event.numbered([
            .init(span: branch, digest: SetDigest([9]))
        ])
        request = try script.request(after: event)
        #expect(request.answers == [branch])
        _ = script.take(
            reply(
                request, known: [Script.other: 2, branch.client: 1],
                digest: SetDigest([1, 3, 9])))
        #expect(script.state.isSynced && !script.state.wantsSums)
    }

    @Test mutating func theOwnNameIsLeftBeforeItIsReadAnew() throws {
        _ = script.take(.answered(count: 2))
        script.machine.stored(SetDigest([1, 2]), of: Script.me)
        var request = try script.request(after: .started)
        let (known, theirs) = ([Script.me: UInt64(2)], SetDigest([1, 3]))
        request = try #require(
            Script.request(script.take(reply(request, known: known, digest: theirs))))
        request = try #require(
            Script.request(
                script.take(
                    reply(request, known: known, digest: theirs, sums: [Script.me: theirs]))))
        #expect(request.isCopied && request.client == Script.me)
        var stale = ExchangeResponse(
            number: request.number, epoch: "e1", knownAnswers: AnswerVector(known))
        stale.isDeviceStale = true
        #expect(script.take(.replied(stale)) == [.renewIdentity])
        let new = ClientID("new")
        request = try script.request(after: .identified(new))
        let run = AnswerSpan(client: Script.me, first: 1, count: 2)
        let effects = script.take(
            reply(request, known: known, digest: theirs, sums: [Script.me: theirs]))
        #expect(effects.first == .detachAnswers(run) && script.state.client == new)
    }

    @Test mutating func aDeviceGivesUpAfterThreeRepairsAndSaysHowManyDiffer() throws {
        var request = try begin()
        let (known, theirs) = ([Script.other: UInt64(2)], SetDigest([1, 3]))
        let run = AnswerSpan(client: Script.other, first: 1, count: 2)
        request = try #require(
            Script.request(script.take(reply(request, known: known, digest: theirs))))
        for _ in 0..<3 {
            request = try #require(
                Script.request(
                    script.take(
                        reply(
                            request, known: known, digest: theirs, sums: [Script.other: theirs]))))
            // The server sends the same again, which has another digest than it says.
            _ = script.take(
                reply(request, known: known, digest: theirs, sums: [:], [(run, [1, 2])]))
            request = try script.request(after: .numbered([]))
        }
        let effects = script.take(
            reply(request, known: known, digest: theirs, sums: [Script.other: theirs]))
        #expect(Script.request(effects) == nil && script.wait(effects) != nil)
        #expect(script.state.differingAnswerCount == 2 && !script.state.isSynced)
    }
}
