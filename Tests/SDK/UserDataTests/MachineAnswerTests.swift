import Testing
import UserData

/// Answers: numbered without gaps, sent in runs, received once.
@Suite struct MachineAnswerTests {
    private typealias Script = MachineScript
    private var script = Script()

    private func span(_ client: ClientID, _ first: UInt64, _ count: Int) -> AnswerSpan {
        AnswerSpan(client: client, first: first, count: count)
    }

    private func reply(
        _ request: ExchangeRequest, known: [ClientID: UInt64], _ answers: [AnswerSpan] = [],
        hasMore: Bool = false
    ) -> DeviceMachine.Event {
        var response = ExchangeResponse(
            number: request.number, epoch: "e1", cursor: request.cursor, hasMore: hasMore,
            knownAnswers: AnswerVector(known), answers: answers)
        // The rows of these tests have no hashes.
        if !hasMore { response.answersDigest = SetDigest() }
        return .replied(response)
    }

    @Test mutating func answersAreNumberedWithoutGaps() {
        #expect(script.take(.answered(count: 3)) == [])
        #expect(script.take(.answered(count: 2)) == [])
        #expect(script.state.answers == AnswerVector([Script.me: 5]))
        #expect(script.state.waitingCount == 5 && !script.state.isSynced)
    }

    @Test mutating func aRequestCarriesThem() throws {
        _ = script.take(.answered(count: 5))
        let request = try script.request(after: .started)
        #expect(request.answers == [span(Script.me, 1, 5)])
        #expect(request.knownAnswers == AnswerVector([Script.me: 5]))
        #expect(script.state.lastAnswerSent == 5)
        #expect(script.reply(to: request) == [])
        #expect(script.state.waitingCount == 0 && script.state.isSynced)
    }

    @Test mutating func noAnswersAreNoReasonForARequest() throws {
        let request = try script.request(after: .started)
        _ = script.reply(to: request)
        #expect(script.take(.answered(count: 0)) == [])
        #expect(Script.request(script.take(.answered(count: 1)))?.answers.count == 1)
    }

    @Test mutating func theRestFollowsAPartialAcknowledgement() throws {
        _ = script.take(.answered(count: 5))
        let request = try script.request(after: .started)
        let next = try script.request(after: reply(request, known: [Script.me: 2]))
        #expect(next.answers == [span(Script.me, 3, 3)])
        #expect(script.state.answersOnServer[Script.me] == 2)
    }

    @Test mutating func answersThatWereNotStoredWait() throws {
        _ = script.take(.answered(count: 5))
        let request = try script.request(after: .started)
        #expect(script.take(reply(request, known: [:])) == [.wake(at: script.now + 750)])
        script.now += 750
        #expect(try script.request(after: .timeCame).answers == [span(Script.me, 1, 5)])
    }

    @Test mutating func answersOfOthersAreStored() throws {
        let request = try script.request(after: .started)
        let run = span(Script.other, 1, 4)
        let effects = script.take(reply(request, known: [Script.other: 4], [run]))
        #expect(effects == [.storeAnswers([run])])
        #expect(script.state.answers[Script.other] == 4 && script.state.isSynced)
    }

    @Test mutating func aRepeatedRunAddsOnlyItsNewPart() throws {
        var request = try script.request(after: .started)
        _ = script.take(reply(request, known: [Script.other: 4], [span(Script.other, 1, 4)]))
        request = try script.request(after: .syncWanted)
        var effects = script.take(
            reply(request, known: [Script.other: 6], [span(Script.other, 3, 4)]))
        #expect(effects == [.storeAnswers([span(Script.other, 5, 2)])])
        request = try script.request(after: .syncWanted)
        effects = script.take(
            reply(request, known: [Script.other: 6], [span(Script.other, 5, 2)]))
        #expect(effects == [])
    }

    @Test mutating func aRunBehindAGapIsNotStored() throws {
        let request = try script.request(after: .started)
        let effects = script.take(
            reply(request, known: [Script.other: 9], [span(Script.other, 9, 1)]))
        #expect(effects == [])
        #expect(script.state.answers == AnswerVector())
    }

    @Test mutating func runsOfSeveralDevicesArrive() throws {
        let third = ClientID("third")
        let request = try script.request(after: .started)
        let runs = [span(Script.other, 1, 2), span(third, 1, 3)]
        let effects = script.take(reply(request, known: [Script.other: 2, third: 3], runs))
        #expect(effects == [.storeAnswers(runs)])
        #expect(script.state.answers.total == 5)
    }

    @Test mutating func moreAnswersAreFetchedAtOnce() throws {
        let request = try script.request(after: .started)
        let effects = script.take(
            reply(request, known: [Script.other: 9], [span(Script.other, 1, 4)], hasMore: true))
        #expect(effects.first == .storeAnswers([span(Script.other, 1, 4)]))
        #expect(Script.request(effects)?.knownAnswers == AnswerVector([Script.other: 4]))
    }

    @Test mutating func aRequestHasALimitOfAnswers() throws {
        _ = script.take(.answered(count: DeviceMachine.answersMax + 1))
        let request = try script.request(after: .started)
        #expect(request.answers.map(\.count) == [DeviceMachine.answersMax])
        let effects = script.take(
            reply(request, known: [Script.me: UInt64(DeviceMachine.answersMax)]))
        #expect(Script.request(effects)?.answers.map(\.count) == [1])
    }

    @Test mutating func aRequestThatIsTooLongIsHalved() throws {
        _ = script.take(.answered(count: DeviceMachine.answersMax))
        var request = try script.request(after: .started)
        var counts = request.answers.map(\.count)
        for _ in 0..<4 {
            request = try script.request(
                after: .failed(number: request.number, .tooLong, jitter: 1))
            counts += request.answers.map(\.count)
        }
        #expect(counts == [10_000, 5_000, 2_500, 1_250, 625])
    }

    @Test mutating func oneAnswerThatIsTooLongIsAFailureAsAnyOther() throws {
        _ = script.take(.answered(count: 1))
        let request = try script.request(after: .started)
        let effects = script.take(.failed(number: request.number, .tooLong, jitter: 1))
        #expect(effects == [.wake(at: script.now + 1_000)])
    }

    @Test mutating func afterSuccessRequestsAreWholeAgain() throws {
        _ = script.take(.answered(count: 6_000))
        var request = try script.request(after: .started)
        request = try script.request(
            after: .failed(number: request.number, .tooLong, jitter: 1))
        #expect(request.answers.map(\.count) == [5_000])
        request = try script.request(after: reply(request, known: [Script.me: 5_000]))
        #expect(request.answers.map(\.count) == [1_000])
        _ = script.take(reply(request, known: [Script.me: 6_000]))
        request = try script.request(after: .answered(count: 9_000))
        #expect(request.answers.map(\.count) == [9_000])
    }

    @Test mutating func answersDoNotWaitForRecords() throws {
        var request = try script.request(after: .started)
        request = try script.request(
            after: .replied(
                ExchangeResponse(number: request.number, epoch: "e1", isTooOld: true)))
        _ = script.take(.answered(count: 2))
        #expect(request.isReadingAnew && request.answers.isEmpty)
        let next = try #require(Script.request(script.reply(to: request)))
        #expect(next.answers == [span(Script.me, 1, 2)])
    }

    @Test mutating func aServerThatLostAnswersGetsThemAgain() throws {
        _ = script.take(.answered(count: 3))
        let request = try script.request(after: .started)
        _ = script.reply(to: request)
        let again = try script.request(after: .syncWanted)
        #expect(again.answers.isEmpty)
        let effects = script.take(reply(again, known: [Script.me: 1]))
        #expect(Script.request(effects)?.answers == [span(Script.me, 2, 2)])
    }
}
