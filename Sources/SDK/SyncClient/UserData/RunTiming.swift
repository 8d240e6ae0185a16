import Foundation

/// The timing of a running sync: its next poll, and the sleeper that wakes first.
struct RunTiming: Sendable, Hashable {
    /// The seconds between two polls.
    let pullInterval: TimeInterval
    /// The time of the next poll.
    private(set) var nextPoll = Date.distantPast
    /// The time at which the first sleeper wakes.
    private var wakesAt: Date?

    /// Creates a run that has not polled yet, with an interval within its bounds.
    init(pullInterval: TimeInterval) {
        self.pullInterval = min(
            max(pullInterval, UserDataSync.pullIntervalMin.seconds),
            UserDataSync.pullIntervalMax.seconds)
    }

    /// Records that both sides were compared.
    mutating func polled(now: Date) { nextPoll = now.addingTimeInterval(pullInterval) }

    /// Returns true when a poll is due, also after the clock was put back.
    func isPullDue(now: Date) -> Bool {
        now >= nextPoll || nextPoll.timeIntervalSince(now) > pullInterval
    }

    /// Computes the sleep of a new sleeper.
    ///
    /// It is at most the interval of polls, so that a clock that jumped does no harm.
    /// - Parameters:
    ///   - retryAt: The time that the machine waits for, if it does.
    ///   - now: The wall clock.
    /// - Returns: Seconds; `nil` when an earlier sleeper suffices.
    mutating func sleep(retryAt: Date?, now: Date) -> TimeInterval? {
        let next = retryAt ?? nextPoll
        if let time = wakesAt, now < time, time <= next { return nil }
        let wait = min(max(0.01, next.timeIntervalSince(now)), pullInterval)
        wakesAt = now.addingTimeInterval(wait)
        return wait
    }
}
