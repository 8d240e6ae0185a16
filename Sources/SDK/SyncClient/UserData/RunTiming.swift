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

    /// Returns true when a poll is due, also after the clock was set back.
    func isPullDue(now: Date) -> Bool {
        now >= nextPoll || nextPoll.timeIntervalSince(now) > pullInterval
    }

    /// Computes the duration of a new sleep.
    ///
    /// It is at most the interval of polls, so that a jump of the clock does no harm.
    /// - Parameters:
    ///   - retryAt: The time for which the machine waits, if any.
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
