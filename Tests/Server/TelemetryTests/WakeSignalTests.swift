import Testing

@testable import Telemetry

@Suite(.timeLimit(.minutes(1))) struct WakeSignalTests {
    @Test func aRaiseBeforeTheWaitIsRemembered() async {
        let signal = WakeSignal()
        signal.raise()
        signal.raise()

        await signal.wait()
    }

    @Test func aRaiseIsUsedUpByOneWait() async {
        let signal = WakeSignal()
        signal.raise()
        await signal.wait()

        let second = Task { await signal.wait() }
        second.cancel()
        await second.value
    }

    @Test func aWaitThatIsCancelledReturns() async {
        for _ in 0..<1_000 {
            let signal = WakeSignal()
            let task = Task { await signal.wait() }
            task.cancel()
            await task.value
        }
    }

    @Test func everyRaiseWakesWhoWaits() async {
        for _ in 0..<1_000 {
            let signal = WakeSignal()
            async let waiting: Void = signal.wait()
            signal.raise()
            await waiting
        }
    }

    @Test func twoThatWaitAreAProgrammersMistake() async {
        await #expect(processExitsWith: .failure) {
            let signal = WakeSignal()
            async let one: Void = signal.wait()
            async let two: Void = signal.wait()
            _ = await (one, two)
        }
    }
}
