/// A hybrid logical time: the wall clock with a counter for events within a millisecond.
///
/// It never runs backwards on a device (Kulkarni and others, 2014). Times break ties between writes that did not see
/// each other. They never determine a conflict; revisions do.
public struct HybridTime: Sendable, Hashable, Codable, Comparable {
    /// Milliseconds since 1970.
    public var milliseconds: Int64
    /// The order of events within the same millisecond.
    public var counter: UInt32

    /// Creates a time.
    public init(milliseconds: Int64, counter: UInt32 = 0) {
        self.milliseconds = milliseconds
        self.counter = counter
    }

    /// The earliest time.
    public static let zero = HybridTime(milliseconds: 0)

    /// Orders by the clock, then by the counter.
    public static func < (left: HybridTime, right: HybridTime) -> Bool {
        (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
    }

    /// The next time after this one.
    public var successor: HybridTime { advanced(by: 1) }

    fileprivate func advanced(by step: UInt32) -> HybridTime {
        let (next, isOver) = counter.addingReportingOverflow(step)
        return isOver
            ? HybridTime(milliseconds: milliseconds + 1)
            : HybridTime(milliseconds: milliseconds, counter: next)
    }
}

/// A device's hybrid logical clock: at least the wall clock, and later than every time that it gave
/// or observed.
package struct HybridClock: Sendable, Hashable, Codable {
    /// The bound, in milliseconds, beyond which a time ahead of the wall clock is ignored: 5
    /// minutes.
    package static let aheadMillisecondsMax: Int64 = 5 * 60 * 1000

    /// The latest time that the clock gave or observed.
    package private(set) var latest: HybridTime

    /// Creates a clock before all times.
    package init() { latest = .zero }

    /// Returns the time of an event that happens now.
    ///
    /// A wall clock that was set back does not set this clock back, but a time ahead beyond the bound is dropped: a
    /// clock that once was ten years ahead must not remain so.
    /// - Parameters:
    ///   - wallMilliseconds: The wall clock in milliseconds since 1970.
    ///   - salt: A number of the process, by which the counter advances faster: two copies of a store that are behind
    ///     the latest time would otherwise give the same times to different events.
    /// - Returns: The time.
    package mutating func now(wallMilliseconds: Int64, salt: UInt16 = 0) -> HybridTime {
        let bounded = min(latest, Self.bound(wallMilliseconds))
        let wall = HybridTime(milliseconds: wallMilliseconds)
        latest = wall > bounded ? wall : bounded.advanced(by: 1 + UInt32(salt))
        return latest
    }

    /// Observes a time that another device gave; a time ahead beyond the bound is ignored.
    package mutating func observe(_ time: HybridTime, wallMilliseconds: Int64) {
        latest = max(latest, min(time, Self.bound(wallMilliseconds)))
    }

    private static func bound(_ wallMilliseconds: Int64) -> HybridTime {
        HybridTime(
            milliseconds: wallMilliseconds.addingReportingOverflow(aheadMillisecondsMax)
                .partialValue)
    }
}
