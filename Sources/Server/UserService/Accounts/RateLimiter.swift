import Synchronization

/// Lets each name do so much in a burst, and then so much a minute (a token bucket).
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var filledAt: Int64
    }

    /// How many names are remembered; beyond it, those that are full again are forgotten.
    private static let namesMax = 100_000

    private let perMinute: Double
    private let buckets = Mutex<[String: Bucket]>([:])

    init(perMinute: Int) { self.perMinute = Double(perMinute) }

    /// Takes one, when there is one left.
    ///
    /// - Parameters:
    ///   - name: Whose.
    ///   - now: In milliseconds; it may jump.
    /// - Returns: `nil` when it may be done; else how many seconds to wait.
    func wait(_ name: String, now: Int64) -> Int? {
        buckets.withLock { buckets in
            if buckets.count >= Self.namesMax { forget(&buckets, now) }
            var bucket = buckets[name] ?? Bucket(tokens: perMinute, filledAt: now)
            bucket = filled(bucket, now)
            defer { buckets[name] = bucket }
            guard bucket.tokens >= 1 else {
                return max(1, Int(((1 - bucket.tokens) * 60 / perMinute).rounded(.up)))
            }
            bucket.tokens -= 1
            return nil
        }
    }

    private func filled(_ bucket: Bucket, _ now: Int64) -> Bucket {
        let minutes = Double(max(0, now - bucket.filledAt)) / 60_000
        return Bucket(tokens: min(perMinute, bucket.tokens + minutes * perMinute), filledAt: now)
    }

    private func forget(_ buckets: inout [String: Bucket], _ now: Int64) {
        buckets = buckets.filter { filled($0.value, now).tokens < perMinute }
        if buckets.count >= Self.namesMax { buckets = [:] }
    }
}
