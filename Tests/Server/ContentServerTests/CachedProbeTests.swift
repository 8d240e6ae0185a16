import Synchronization
import Testing

@testable import ContentServer
@testable import ServerApplication

/// A look that many wait for.
@Suite struct CachedProbeTests {
    /// Looks that end when the test says so.
    private final class Looks: Sendable {
        private let open = Mutex<[CheckedContinuation<Int, Never>]>([])
        /// The looks that began.
        let count = Mutex(0)

        func look() async -> Int {
            count.withLock { $0 += 1 }
            return await withCheckedContinuation { look in open.withLock { $0.append(look) } }
        }

        /// Ends the look that runs, once there is one.
        func end(_ value: Int) async {
            while true {
                if let look = open.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    return look.resume(returning: value)
                }
                await Task.yield()
            }
        }
    }

    private let looks = Looks()
    private let now = ContinuousClock.now

    /// A probe whose results hold for 5 s; -1 is an overdue look.
    private func probe(patience: Duration) -> CachedProbe<Int> {
        CachedProbe(lifetime: .seconds(5), patience: patience, overdue: -1) { [looks] in
            await looks.look()
        }
    }

    @Test func manyWhoAskShareOneLookAndItsResult() async {
        let probe = probe(patience: .seconds(600))
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<50 { group.addTask { await probe.value(now: now) } }
            await looks.end(7)
            for await value in group { #expect(value == 7) }
        }
        #expect(await probe.value(now: now.advanced(by: .seconds(4))) == 7)
        #expect(looks.count.withLock { $0 } == 1)
    }

    @Test func aResultIsLookedUpAgainAfterItsTime() async {
        let probe = probe(patience: .seconds(600))
        async let first = probe.value(now: now)
        await looks.end(1)
        #expect(await first == 1)
        async let second = probe.value(now: now.advanced(by: .seconds(6)))
        await looks.end(2)
        #expect(await second == 2)
    }

    @Test func anOverdueLookGoesOnAloneAndItsValueIsTheNext() async {
        let probe = probe(patience: .milliseconds(1))
        #expect(await probe.value(now: now) == -1)
        #expect(await probe.value(now: now.advanced(by: .seconds(6))) == -1)
        #expect(looks.count.withLock { $0 } == 1)
        await looks.end(3)
        // It ends in a task of its own; until it has, a look may be overdue once more.
        var (value, seconds) = (-1, 12)
        while value == -1 {
            value = await probe.value(now: now.advanced(by: .seconds(seconds)))
            seconds += 6
        }
        #expect(value == 3)
        #expect(looks.count.withLock { $0 } == 1)
    }
}
