import Testing

@testable import Accounts

/// The count of failed sign-ins over a sliding minute.
@Suite struct FailedAttemptsTests {
    private let attempts = FailedAttempts(2)
    /// The begin of a window, in milliseconds.
    private let start: Int64 = 60_000 * 1_000

    private func begin(_ name: String = "x", after seconds: Int64) -> Int? {
        attempts.begin(name, now: start + seconds * 1_000)
    }

    @Test func attemptsCountUntilTheySucceed() {
        #expect(begin(after: 0) == nil && begin(after: 0) == nil)
        #expect(begin(after: 20) == 41)
        #expect(begin("y", after: 20) == nil, "each name by itself")
        attempts.succeeded("x")
        #expect(begin(after: 20) == nil && begin(after: 20) != nil)
        // Nothing was begun here: a success takes nothing from the others.
        attempts.succeeded("z")
        #expect(begin("z", after: 20) == nil && begin("z", after: 20) == nil)
        #expect(begin("z", after: 20) != nil)
    }

    @Test func aWindowFadesThroughTheNext() {
        #expect(begin(after: 59) == nil && begin(after: 59) == nil)
        #expect(begin(after: 60) != nil, "the turn of a minute forgets nothing")
        #expect(begin(after: 90) == nil, "half of two, and this one")
        #expect(begin(after: 91) == nil)
        #expect(begin(after: 92) != nil)
    }

    /// Whoever waits as long as was said gets an attempt, and nobody is told to wait a window longer.
    @Test func theWaitThatIsSaidIsEnoughAndNoLonger() throws {
        #expect(begin(after: 59) == nil && begin(after: 59) == nil)
        #expect(begin(after: 60) == 1)
        #expect(begin(after: 61) == nil)
        // One attempt of this window, so one of the former two must have faded: half a minute.
        #expect(begin(after: 70) == 21)
        #expect(begin(after: 91) == nil)
        let wait = try #require(begin(after: 100).map(Int64.init))
        #expect(begin(after: 100 + wait) == nil)
    }

    /// The table of `AttemptRule`, whose counts may lie in a database.
    @Test func theRuleNeedsNoMoreThanTwoCounts() {
        let rule = AttemptRule(countMax: 3, windowMilliseconds: 60_000)
        let full = AttemptCounts(window: 1_000, current: 3)
        for (seconds, wait) in [(0, 61), (60, 1), (80, nil)] as [(Int64, Int?)] {
            let now = start + seconds * 1_000
            #expect(rule.wait(rule.advanced(full, to: now), now: now) == wait)
        }
        let later = start + 120_000
        #expect(rule.advanced(full, to: later) == AttemptCounts(window: 1_002))
    }

    /// Two processes share counts, and the clock of one is an hour ahead: asking them in turn gives no more attempts.
    @Test func countsOfALaterClockStay() {
        let rule = AttemptRule(countMax: 3, windowMilliseconds: 60_000)
        let full = AttemptCounts(window: 1_060, current: 3)
        #expect(rule.advanced(full, to: start) == full)
        #expect(rule.wait(full, now: start) == 61)
        let wrong = AttemptCounts(window: 1_000_000, current: 3)
        #expect(rule.advanced(wrong, to: start) == AttemptCounts(window: 1_000))
    }

    @Test func aClockThatJumpsLocksNobodyOut() {
        #expect(begin(after: 0) == nil && begin(after: 0) == nil)
        #expect(begin(after: -3_600) == nil)
        #expect(begin(after: 86_400) == nil)
    }
}
