import Synchronization

/// A rate to which names are held: so much in a burst, and then so much a minute.
package struct RateLimit: Sendable, Hashable {
    /// The limit's own name, unlike that of every other.
    package let name: String
    /// The size of a burst, and what may follow in each minute.
    package let perMinute: Int

    package init(_ name: String, perMinute: Int) {
        self.name = name
        self.perMinute = perMinute
    }
}

/// A number of failures that a name may have in a sliding window.
package struct FailureLimit: Sendable, Hashable {
    /// The limit's own name, unlike that of every other.
    package let name: String
    /// The most failures in a window.
    package let countMax: Int
    /// The window's length, in seconds.
    package let windowSeconds: Int64

    package init(_ name: String, _ countMax: Int, windowSeconds: Int64 = 60) {
        self.name = name
        self.countMax = countMax
        self.windowSeconds = windowSeconds
    }
}

/// The counters behind a server's limits: those of one process, or of several that serve together.
///
/// A counter that cannot be reached never fails a request: an adapter counts for itself then.
package protocol RateLimiting: Sendable {
    /// Takes one from a name, when there is one left.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - name: The name that is held to it.
    ///   - now: The wall clock, in milliseconds since 1970; it may jump.
    /// - Returns: `nil` when it may be done; else the seconds to wait.
    func take(_ limit: RateLimit, of name: String, now: Int64) async -> Int?

    /// Begins an attempt, which counts as failed until it is withdrawn.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - name: The name that is held to it.
    ///   - now: The wall clock, in milliseconds since 1970; it may jump.
    /// - Returns: `nil` when the attempt may be made; else the seconds to wait.
    func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int?

    /// Withdraws an attempt that succeeded, or that says nothing.
    func withdraw(_ limit: FailureLimit, of name: String) async
}

/// The counters of one process, in bounded memory.
package final class MemoryRateLimits: RateLimiting {
    private let rates = Mutex<[RateLimit: RateLimiter]>([:])
    private let failures = Mutex<[FailureLimit: FailedAttempts]>([:])

    package init() {}

    package func take(_ limit: RateLimit, of name: String, now: Int64) async -> Int? {
        rates.withLock {
            $0.value(of: limit) { RateLimiter(perMinute: limit.perMinute) }
        }.wait(name, now: now)
    }

    package func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? {
        attempts(limit).begin(name, now: now)
    }

    package func withdraw(_ limit: FailureLimit, of name: String) async {
        attempts(limit).succeeded(name)
    }

    private func attempts(_ limit: FailureLimit) -> FailedAttempts {
        failures.withLock {
            $0.value(of: limit) {
                FailedAttempts(limit.countMax, windowSeconds: limit.windowSeconds)
            }
        }
    }
}

extension Dictionary {
    /// Returns the value of a key, made if there is none; the keys are limits, of which a program has few.
    fileprivate mutating func value(of key: Key, _ make: () -> Value) -> Value {
        if let known = self[key] { return known }
        let value = make()
        self[key] = value
        return value
    }
}
