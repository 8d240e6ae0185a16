/// A moment that never runs backwards on a device: the wall clock with a counter for what happens
/// within a millisecond (Kulkarni and others, 2014).
///
/// Clocks break ties between writes that did not see each other. They never decide whether there is
/// a conflict; revisions do.
public struct HybridTime: Sendable, Hashable, Codable, Comparable {
    /// Milliseconds since 1970.
    public var milliseconds: Int64
    /// What comes later in the same millisecond has more.
    public var counter: UInt32

    /// Names a moment.
    public init(milliseconds: Int64, counter: UInt32 = 0) {
        self.milliseconds = milliseconds
        self.counter = counter
    }

    /// Before everything.
    public static let zero = HybridTime(milliseconds: 0)

    /// Orders by the clock, then by the counter.
    public static func < (left: HybridTime, right: HybridTime) -> Bool {
        (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
    }

    /// The first moment after this one.
    public var successor: HybridTime {
        counter == .max
            ? HybridTime(milliseconds: milliseconds + 1)
            : HybridTime(milliseconds: milliseconds, counter: counter + 1)
    }
}

/// A device's clock: at least the wall clock, later than everything it gave or saw.
public struct HybridClock: Sendable, Hashable, Codable {
    /// A moment that is further ahead of the wall clock than this is not believed.
    public static let aheadMillisecondsMax: Int64 = 5 * 60 * 1000

    /// The latest moment that it gave or saw.
    public private(set) var latest: HybridTime

    /// Starts before everything.
    public init() { latest = .zero }

    /// The moment of something that happens now.
    ///
    /// A wall clock that was set back does not set it back, but what lies ahead beyond the bound is
    /// given up: a clock that was ten years ahead once must not stay so for ever.
    public mutating func now(wallMilliseconds: Int64) -> HybridTime {
        let bounded = min(latest, Self.bound(wallMilliseconds))
        let wall = HybridTime(milliseconds: wallMilliseconds)
        latest = wall > bounded ? wall : bounded.successor
        return latest
    }

    /// Takes note of a moment that another device gave, as far as it is believed.
    public mutating func see(_ time: HybridTime, wallMilliseconds: Int64) {
        latest = max(latest, min(time, Self.bound(wallMilliseconds)))
    }

    private static func bound(_ wallMilliseconds: Int64) -> HybridTime {
        HybridTime(
            milliseconds: wallMilliseconds.addingReportingOverflow(aheadMillisecondsMax)
                .partialValue)
    }
}
