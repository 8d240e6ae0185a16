import Crypto
import Foundation
package import RedisDriver

/// The request rates of all processes of a server, counted on Redis.
///
/// Attempts to guess stay in the database, which loses nothing when Redis does. If Redis does not reply within 100 ms,
/// this process counts alone and retries Redis after a second. A rate limit therefore never fails or delays a request
/// for long.
///
/// ```swift
/// let client = RedisClient(try RedisAddress("redis://127.0.0.1"), limits: RedisRateLimits.limits)
/// let limits: any RateLimiting = RedisRateLimits(client, attempts: MemoryRateLimits())
/// ```
package final class RedisRateLimits: RateLimiting {
    /// The limits of the Redis client for rates.
    package static var limits: RedisLimits {
        var limits = RedisLimits()
        limits.timeout = .milliseconds(100)
        limits.silenceMax = .seconds(1)
        return limits
    }

    private let client: RedisClient
    private let attempts: any RateLimiting
    private let own = MemoryRateLimits()
    private let pause = RedisPause()

    /// Creates counters: rates on Redis, attempts elsewhere.
    package init(_ client: RedisClient, attempts: any RateLimiting) {
        self.client = client
        self.attempts = attempts
    }

    /// A token bucket, as `RateLimiter` has it, by the clock of Redis, which all processes share.
    ///
    /// A bucket that is full again is forgotten. The reply is 0, or the seconds to wait.
    private static let bucket = RedisScript(
        """
        local time = redis.call('TIME')
        local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
        local rate = tonumber(ARGV[1])
        local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
        local tokens = rate
        if known[1] then
            local passed = math.max(0, now - tonumber(known[2]))
            tokens = math.min(rate, tonumber(known[1]) + passed / 60 * rate)
        end
        local wait = 0
        if tokens >= 1 then
            tokens = math.max(tokens - tonumber(ARGV[2]), -60 * rate)
        else
            wait = math.max(1, math.ceil((1 - tokens) * 60 / rate))
        end
        redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens),
            'at', string.format('%.6f', now))
        redis.call('PEXPIRE', KEYS[1], 61000 + math.ceil(math.max(0, -tokens) / rate * 60000))
        return wait
        """)

    package func consume(
        _ limit: RateLimit, of name: String, cost: Int, now: Int64
    ) async -> Int? {
        guard pause.isOver else {
            return await own.consume(limit, of: name, cost: cost, now: now)
        }
        do {
            let reply = try await client.evaluate(
                Self.bucket, keys: [Self.key(limit, name)],
                arguments: [String(limit.perMinute), String(cost)])
            guard let wait = reply.integer else {
                throw RedisError(.protocolViolation, "The script replied with no number.")
            }
            return wait == 0 ? nil : Int(wait)
        } catch {
            if error is RedisError { pause.begin() }
            return await own.consume(limit, of: name, cost: cost, now: now)
        }
    }

    /// Names are hashed: a reader of Redis cannot use the addresses and users, and all keys have one length.
    private static func key(_ limit: RateLimit, _ name: String) -> String {
        let text = "\(limit.name)\0\(name)"
        let hash = SHA256.hash(data: Data(text.utf8)).prefix(16)
        return "underway:rate:" + hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    package func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? {
        await attempts.begin(limit, of: name, now: now)
    }

    package func withdraw(_ limit: FailureLimit, of name: String) async {
        await attempts.withdraw(limit, of: name)
    }
}
