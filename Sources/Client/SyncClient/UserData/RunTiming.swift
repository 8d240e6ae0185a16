import Foundation

/// The sleepers of a running sync: which one wakes first, and when to look for news.
struct RunTiming: Sendable, Hashable {
    /// The seconds between two looks for news.
    let pullInterval: TimeInterval
    private var pullAt = Date.distantPast
    /// The time at which the sleeper that wakes first does so.
    private var wakesAt: Date?

    /// Describes a run that has not looked for news yet.
    init(pullInterval: TimeInterval) { self.pullInterval = pullInterval }

    /// Notes that both sides were compared.
    mutating func looked(now: Date) { pullAt = now.addingTimeInterval(pullInterval) }

    /// Returns true when it is time to look for news; a clock that was put back makes it so, too.
    func isPullDue(now: Date) -> Bool {
        now >= pullAt || pullAt.timeIntervalSince(now) > pullInterval
    }

    /// Computes how long a new sleeper has to sleep.
    ///
    /// Never longer than a look for news, so that a clock that jumped does no harm.
    /// - Parameters:
    ///   - retryAt: The time that the machine waits for, if it does.
    ///   - now: The wall clock.
    /// - Returns: Seconds; `nil` when a sleeper wakes early enough.
    mutating func sleep(retryAt: Date?, now: Date) -> TimeInterval? {
        let next = retryAt ?? pullAt
        if let time = wakesAt, now < time, time <= next { return nil }
        let wait = min(max(0.01, next.timeIntervalSince(now)), max(0.01, pullInterval))
        wakesAt = now.addingTimeInterval(wait)
        return wait
    }
}
