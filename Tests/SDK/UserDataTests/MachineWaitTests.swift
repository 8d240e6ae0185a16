import Testing
import UserData

/// Waits and retries: the machine alone decides on them.
@Suite struct MachineWaitTests {
    private var script = MachineScript()

    @Test mutating func aStartSendsOneRequest() {
        let effects = script.take(.started)
        let request = ExchangeRequest(
            number: 1, user: "u", client: MachineScript.me, epoch: nil, cursor: 0, operations: [],
            processedBefore: 1)
        #expect(effects == [.send(request)])
        #expect(script.take(.syncWanted) == [], "one request at a time")
    }

    @Test mutating func aMachineThatWasNotStartedSendsNothing() {
        #expect(script.put(MachineScript.star, 1) == [.changed([MachineScript.star])])
        #expect(script.take(.timeCame) == [])
        #expect(script.state.outbox.map(\.wasSent) == [false])
    }

    @Test mutating func aWishOfAStoppedMachineAsksToPrepare() {
        #expect(script.take(.syncWanted) == [.prepare])
        _ = script.take(.started)
        #expect(script.take(.stopped) == [])
        #expect(script.take(.syncWanted) == [.prepare])
    }

    @Test mutating func waitsDoubleUpToTheirLimit() throws {
        var request = try script.request(after: .started)
        var waits: [Int64] = []
        for _ in 0..<12 {
            let wait = try #require(script.wait(script.take(script.offline(request))))
            waits.append(wait)
            script.now += wait
            request = try script.request(after: .timeCame)
        }
        let seconds = waits.map { $0 / 1000 }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
    }

    @Test mutating func chanceSpreadsAWaitOverItsUpperHalf() throws {
        for (jitter, milliseconds) in [(0.0, 500), (0.5, 750), (1.0, 1_000), (7.0, 1_000)] {
            var script = MachineScript()
            let request = try script.request(after: .started)
            let effects = script.take(script.offline(request, jitter: jitter))
            #expect(effects == [.wake(at: script.now + Int64(milliseconds))])
        }
    }

    @Test mutating func aServersWishIsTheLeastWait() throws {
        let request = try script.request(after: .started)
        let effects = script.take(
            .failed(
                number: request.number, .server(retryAfterMilliseconds: 30_000), jitter: 0))
        #expect(effects == [.wake(at: script.now + 30_000)])
    }

    @Test mutating func aServersWishHasALimit() throws {
        let request = try script.request(after: .started)
        let effects = script.take(
            .failed(number: request.number, .server(retryAfterMilliseconds: .max), jitter: 0))
        #expect(effects == [.wake(at: script.now + 24 * 60 * 60 * 1000)])
    }

    @Test mutating func aWriteDuringAWaitIsNotSent() throws {
        let request = try script.request(after: .started)
        let wait = try #require(script.wait(script.take(script.offline(request))))
        #expect(script.put(MachineScript.star, 1) == [.changed([MachineScript.star])])
        script.now += wait - 1
        #expect(script.take(.timeCame) == [], "too early")
        script.now += 1
        let next = try script.request(after: .timeCame)
        #expect(next.operations.map(\.key) == [MachineScript.star])
    }

    @Test mutating func aWishEndsAWait() throws {
        let request = try script.request(after: .started)
        _ = script.take(script.offline(request))
        #expect(try script.request(after: .syncWanted).number == 2)
    }

    @Test mutating func aClockThatWasPutBackHoldsNothingUp() throws {
        let request = try script.request(after: .started)
        _ = script.take(script.offline(request))
        script.now -= 365 * 24 * 60 * 60 * 1000
        #expect(MachineScript.request(script.take(.timeCame)) != nil)
    }

    @Test mutating func successForgetsFailures() throws {
        var request = try script.request(after: .started)
        for _ in 0..<3 {
            let wait = try #require(script.wait(script.take(script.offline(request))))
            script.now += wait
            request = try script.request(after: .timeCame)
        }
        #expect(script.reply(to: request) == [])
        request = try script.request(after: .syncWanted)
        #expect(script.wait(script.take(script.offline(request))) == 1_000)
    }

    @Test mutating func aMissingAccountWaitsAsAnyFailure() throws {
        #expect(
            script.take(.accessFailed(retryAfterMilliseconds: nil, jitter: 1))
                == [.wake(at: script.now + 1_000)])
        #expect(
            script.take(.accessFailed(retryAfterMilliseconds: nil, jitter: 1))
                == [.wake(at: script.now + 2_000)])
        #expect(script.take(.timeCame) == [])
        script.now += 2_000
        #expect(script.take(.timeCame) == [.prepare])
        // Failures of both kinds count together.
        let request = try script.request(after: .started)
        #expect(script.wait(script.take(script.offline(request))) == 4_000)
    }

    @Test mutating func aMissingAccountGivesUpTheRequestInFlight() throws {
        let request = try script.request(after: .started)
        _ = script.take(.accessFailed(retryAfterMilliseconds: 5_000, jitter: 0))
        #expect(script.reply(to: request, changes: []) == [])
        #expect(script.put(MachineScript.star, 1) == [.changed([MachineScript.star])])
    }

    @Test mutating func anExpiredTokenIsRenewedOnce() throws {
        let request = try script.request(after: .started)
        let refused = DeviceMachine.Event.failed(
            number: request.number, .unauthorized, jitter: 0.5)
        #expect(script.take(refused) == [.renewToken])
        #expect(script.take(refused) == [], "the same failure once more")
        #expect(script.put(MachineScript.star, 1) == [.changed([MachineScript.star])])
        let next = try script.request(after: .authorized)
        #expect(next.number == 2 && next.operations.count == 1)
    }

    @Test mutating func aLateFailureSaysNothing() throws {
        let first = try script.request(after: .started)
        _ = script.reply(to: first)
        let second = try script.request(after: .syncWanted)
        #expect(script.take(script.offline(first)) == [])
        #expect(script.reply(to: second) == [])
    }
}
