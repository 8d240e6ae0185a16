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

    @Test(arguments: [-1, 0, .leastNonzeroMagnitude, 1, .greatestFiniteMagnitude])
    func anIntervalOutsideItsBoundsCountsAsTheNearestBound(interval: TimeInterval) {
        var timing = RunTiming(pullInterval: interval)
        var (now, polls) = (start, 0)
        while now < start + 3600 {
            if timing.isPullDue(now: now) {
                timing.polled(now: now)
                polls += 1
            }
            guard let wait = timing.sleep(retryAt: nil, now: now) else { break }
            now += wait
        }
        #expect(polls <= 360, "a poll each ten seconds at most")
        #expect(polls >= 1)
    }

    @Test func settingsOfAnyNumbersGiveWaitsThatCanBeSlept() {
        for duration in [Duration.zero, .seconds(-5), .seconds(Int64.max), .seconds(Int64.min)] {
            for jitter in [Double.nan, -3, .infinity] {
                var settings = SyncSettings()
                settings.manifestCooldown = duration
                settings.backoff = duration
                settings.downloadDeadline = duration
                settings.jitter = jitter
                settings.slowestBytesPerSecond = .max
                #expect(settings.bytesMinPerDeadline >= 1)
                let bounded = settings.bounded
                #expect(bounded.manifestCooldown >= .zero && (0...1).contains(bounded.jitter))
                #expect(bounded.backoff <= .seconds(365 * 24 * 60 * 60))
            }
        }
    }
}
