import TestSupport
import Testing

@testable import Accounts

@Suite struct RateLimiterTests {
    @Test func aBurstIsFollowedByASteadyRate() {
        let limiter = RateLimiter(perMinute: 3)
        for _ in 0..<3 { #expect(limiter.wait("a", now: 0) == nil) }
        #expect(limiter.wait("a", now: 0) == 20)
        #expect(limiter.wait("a", now: 19_999) == 1)
        #expect(limiter.wait("a", now: 20_001) == nil)
        #expect(limiter.wait("b", now: 0) == nil)
    }

    @Test func aClockThatGoesBackGivesAndTakesNothing() {
        let limiter = RateLimiter(perMinute: 1)
        #expect(limiter.wait("a", now: 1_000_000) == nil)
        #expect(limiter.wait("a", now: 0) != nil)
        #expect(limiter.wait("a", now: 60_000) == nil)
    }

    /// A stranger with many names must not free the others of their limits.
    @Test func theNameLeastRecentlySeenIsForgottenAndNoOther() {
        let limiter = RateLimiter(perMinute: 1, namesMax: 3)
        for name in ["a", "b", "c"] { _ = limiter.wait(name, now: 0) }
        _ = limiter.wait("a", now: 1)
        _ = limiter.wait("d", now: 2)
        #expect(limiter.names == 3)
        // "b" was forgotten, and is new; "a", "c" and "d" are still at their limits.
        for name in ["a", "c", "d"] { #expect(limiter.wait(name, now: 3) != nil) }
        #expect(limiter.wait("b", now: 3) == nil)
    }

    @Test func namesThatAreFullAgainMakeRoom() {
        let limiter = RateLimiter(perMinute: 60)
        for name in 0..<1000 { _ = limiter.wait("\(name)", now: 0) }
        #expect(limiter.names == 1000)
        for name in 0..<500 { _ = limiter.wait("late \(name)", now: 61_000) }
        #expect(limiter.names == 500)
    }

    /// The whole against a table that forgets nothing, in a world small enough for it.
    @Test func itCountsAsATableWould() {
        var random = SeededGenerator(seed: 11)
        let limiter = RateLimiter(perMinute: 5)
        var table: [Int: (tokens: Double, at: Int64)] = [:]
        var now: Int64 = 0
        for _ in 0..<20_000 {
            now += Int64.random(in: 0...2_000, using: &random)
            let name = Int.random(in: 0..<40, using: &random)
            var bucket = table[name] ?? (5, now)
            bucket.tokens = min(5, bucket.tokens + Double(now - bucket.at) / 60_000 * 5)
            bucket.at = now
            let isAllowed = bucket.tokens >= 1
            if isAllowed { bucket.tokens -= 1 }
            table[name] = bucket
            #expect((limiter.wait("\(name)", now: now) == nil) == isAllowed)
        }
    }
}
