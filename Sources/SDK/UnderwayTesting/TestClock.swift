public import Foundation
import Synchronization

/// A clock that a test advances.
///
/// ```swift
/// let clock = TestClock()
/// let sync = ContentSync(store: store, transport: transport, releaseURL: address, clock: { clock.now })
/// clock.advance(by: .seconds(31 * 60))  // the next check is due
/// ```
public final class TestClock: Sendable {
    private let date: Mutex<Date>

    /// Creates a clock; by default at 2027-01-15 08:00 UTC.
    public init(_ date: Date = Date(timeIntervalSince1970: 1_800_000_000)) {
        self.date = Mutex(date)
    }

    /// The time on the clock.
    public var now: Date { date.withLock { $0 } }

    /// Moves the clock forward.
    public func advance(by duration: Duration) {
        let (seconds, attoseconds) = duration.components
        date.withLock { $0 += Double(seconds) + Double(attoseconds) / 1e18 }
    }
}
