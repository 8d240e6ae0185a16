/// The counts of a name's attempts in two consecutive windows.
package struct AttemptCounts: Sendable, Hashable {
    /// The number of the current window.
    package var window: Int64
    /// The attempts in the current window.
    package var current = 0
    /// The attempts in the previous window.
    package var former = 0

    package init(window: Int64, current: Int = 0, former: Int = 0) {
        self.window = window
        self.current = current
        self.former = former
    }
}

/// The rule of a limit on attempts in a sliding window; a process or a database stores the counts.
///
/// With three attempts a minute, after three in the first second of a window:
///
/// | seconds since then | wait |
/// |---|---|
/// | 0 | 61 s: until the next window has begun |
/// | 60 | 1 s: until the previous window counts for less than three |
/// | 80 | none: the previous window counts for two |
package struct AttemptRule: Sendable, Hashable {
    /// The maximum number of attempts in a window.
    package let countMax: Int
    /// The length of a window.
    package let windowMilliseconds: Int64

    package init(countMax: Int, windowMilliseconds: Int64) {
        self.countMax = countMax
        self.windowMilliseconds = windowMilliseconds
    }

    /// Returns the number of the window at a time (milliseconds since 1970).
    package func window(at now: Int64) -> Int64 { now / windowMilliseconds }

    /// The furthest that the clock of another process may be ahead, in milliseconds; counts of a later time are
    /// wrong, and dropped.
    private static let aheadMax: Int64 = 86_400_000

    /// Returns counts as of a time: the counts of a window that has ended become the previous counts, and older counts
    /// are dropped.
    ///
    /// Counts of a later window stay unchanged. Otherwise two processes whose clocks differ would reset each other's
    /// counts.
    package func advanced(_ counts: AttemptCounts, to now: Int64) -> AttemptCounts {
        let window = window(at: now)
        let ahead = counts.window - window
        guard ahead < 0 || ahead > Self.aheadMax / windowMilliseconds else { return counts }
        let former = window == counts.window + 1 ? counts.current : 0
        return AttemptCounts(window: window, former: former)
    }

    /// Decides on one more attempt.
    ///
    /// - Parameters:
    ///   - counts: The counts, advanced to the time.
    ///   - now: In milliseconds since 1970.
    /// - Returns: `nil` when it is allowed; else the seconds to wait.
    package func wait(_ counts: AttemptCounts, now: Int64) -> Int? {
        let length = Double(windowMilliseconds)
        let age = Double(max(0, now - counts.window * windowMilliseconds))
        // The former window counts in proportion to its overlap with the last window's length.
        let share = max(0, 1 - age / length)
        let room = Double(countMax - counts.current)
        let former = Double(counts.former)
        guard former * share >= room else { return nil }
        // Where there is room, so much of the former window has to fade; else this one to end.
        let end = room > 0 ? 1 - room / former : 1
        return max(1, Int((length * end - age) / 1000) + 1)
    }
}
