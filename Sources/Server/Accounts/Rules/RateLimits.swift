import Synchronization

/// A rate limit by name: a burst, then a rate per minute.
package struct RateLimit: Sendable, Hashable {
    /// The limit's unique name.
    package let name: String
    /// The size of a burst, and the rate per minute.
    package let perMinute: Int

    package init(_ name: String, perMinute: Int) {
        self.name = name
        self.perMinute = perMinute
    }
}

/// A limit on a name's failures in a sliding window.
package struct FailureLimit: Sendable, Hashable {
    /// The limit's unique name.
    package let name: String
    /// The maximum number of failures in a window.
    package let countMax: Int
    /// The window's length, in seconds.
    package let windowSeconds: Int64

    package init(_ name: String, _ countMax: Int, windowSeconds: Int64 = 60) {
        self.name = name
        self.countMax = countMax
        self.windowSeconds = windowSeconds
    }

    /// The rule of the limit.
    package var rule: AttemptRule {
        AttemptRule(countMax: countMax, windowMilliseconds: windowSeconds * 1000)
    }
}

/// The counters of a server's rate limits, of one process or shared by several.
///
/// An unreachable counter never fails a request: the adapter then counts in its own process.
package protocol RateLimiting: Sendable {
    /// Consumes tokens of a name if at least one is left.
    ///
    /// A cost above the remaining tokens is allowed once. The excess becomes a debt, of at most an hour's tokens,
    /// during which the name must wait. Work of any size can be charged by its size.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - name: The name that the limit applies to.
    ///   - cost: The number of tokens; 0 checks whether one is left.
    ///   - now: The wall clock, in milliseconds since 1970; it may jump.
    /// - Returns: `nil` when the tokens were consumed; otherwise the seconds until one is left.
    func consume(_ limit: RateLimit, of name: String, cost: Int, now: Int64) async -> Int?

    /// Begins an attempt, which counts as a failure until it is withdrawn.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - name: The name that the limit applies to.
    ///   - now: The wall clock, in milliseconds since 1970; it may jump.
    /// - Returns: `nil` when the attempt is allowed; otherwise the seconds to wait.
    func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int?

    /// Withdraws an attempt that succeeded or proved nothing.
    func withdraw(_ limit: FailureLimit, of name: String) async
}

extension RateLimiting {
    /// Consumes one token of a name if one is left.
    ///
    /// - Parameters:
    ///   - limit: The limit.
    ///   - name: The name that the limit applies to.
    ///   - now: The wall clock, in milliseconds since 1970; it may jump.
    /// - Returns: `nil` when the token was consumed; otherwise the seconds to wait.
    package func consume(_ limit: RateLimit, of name: String, now: Int64) async -> Int? {
        await consume(limit, of: name, cost: 1, now: now)
    }
}

/// The counters of one process, in bounded memory.
package final class MemoryRateLimits: RateLimiting {
    private let rates = Mutex<[RateLimit: RateLimiter]>([:])
    private let failures = Mutex<[FailureLimit: FailedAttempts]>([:])

    package init() {}

    package func consume(
        _ limit: RateLimit, of name: String, cost: Int, now: Int64
    ) async -> Int? {
        rates.withLock {
            $0.value(of: limit) { RateLimiter(perMinute: limit.perMinute) }
        }.wait(name, cost: cost, now: now)
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
    /// Returns the value of a key, created if missing; the keys are limits, of which a program has
    /// few.
    fileprivate mutating func value(of key: Key, _ make: () -> Value) -> Value {
        if let known = self[key] { return known }
        let value = make()
        self[key] = value
        return value
    }
}
