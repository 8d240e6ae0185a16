import Foundation
import Testing

@testable import SyncClient

/// When a running sync wakes: never later than a look for news, and one sleeper at a time.
@Suite struct RunTimingTests {
    private let start = Date(timeIntervalSince1970: 1_800_000_000)
    private var timing = RunTiming(pullInterval: 900)

    @Test mutating func itSleepsUntilTheNextLookForNews() {
        timing.polled(now: start)
        #expect(timing.sleep(retryAt: nil, now: start) == 900)
        #expect(timing.sleep(retryAt: nil, now: start + 10) == nil, "somebody sleeps already")
        #expect(!timing.isPullDue(now: start + 899))
        #expect(timing.isPullDue(now: start + 900))
    }

    @Test mutating func anEarlierRetryNeedsASleeperOfItsOwn() {
        timing.polled(now: start)
        _ = timing.sleep(retryAt: nil, now: start)
        #expect(timing.sleep(retryAt: start + 5, now: start) == 5)
        #expect(timing.sleep(retryAt: start + 5, now: start + 1) == nil)
        #expect(timing.sleep(retryAt: start + 20, now: start + 5) == 15)
    }

    @Test mutating func aLongWaitIsSleptInPieces() {
        timing.polled(now: start)
        #expect(timing.sleep(retryAt: start + 5_000, now: start) == 900)
        #expect(timing.sleep(retryAt: start + 5_000, now: start + 900) == 900)
    }

    @Test mutating func aPastTimeIsSleptForAMoment() {
        timing.polled(now: start)
        #expect(timing.sleep(retryAt: start - 5, now: start) == 0.01)
    }

    @Test mutating func aClockThatWasPutBackMakesALookDue() {
        timing.polled(now: start)
        #expect(timing.isPullDue(now: start - 365 * 24 * 60 * 60))
    }
}
