import Synchronization

/// A pause after a failure of Redis, so that requests do not wait for it one by one.
package final class RedisPause: Sendable {
    private static let length = Duration.seconds(1)
    private let until = Mutex(ContinuousClock.now)

    package init() {}

    /// True when Redis may be tried again.
    package var isOver: Bool { until.withLock { ContinuousClock.now >= $0 } }

    /// Begins a pause.
    package func begin() { until.withLock { $0 = .now + Self.length } }
}
