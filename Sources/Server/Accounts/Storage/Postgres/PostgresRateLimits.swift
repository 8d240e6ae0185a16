import Crypto
import Foundation
package import PostgresDriver

/// The rate counters of several processes on PostgreSQL.
///
/// The database counts attempts to guess a password or a code, so that more processes allow no more guesses. Each
/// process counts the rates of its own requests: a write for each request would cost more than it saves. While the
/// database does not reply, the process counts everything itself.
///
/// ```swift
/// let limits: any RateLimiting = PostgresRateLimits(pool)
/// ```
package struct PostgresRateLimits: RateLimiting {
    /// Takes the role of sign-in, and waits for no disk: attempts count for minutes.
    private static let role: PostgresStatement = """
        SELECT set_config('role', 'underway_accounts', true), set_config('synchronous_commit', 'off', true)
        """

    private let pool: PostgresPool
    private let own = MemoryRateLimits()

    /// Creates counters over connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package func consume(
        _ limit: RateLimit, of name: String, cost: Int, now: Int64
    ) async -> Int? {
        await own.consume(limit, of: name, cost: cost, now: now)
    }

    package func begin(_ limit: FailureLimit, of name: String, now: Int64) async -> Int? {
        do {
            return try await beginShared(limit, name, now)
        } catch {
            // A failure here proves nothing about the one who asks, and must not open the gate either.
            return await own.begin(limit, of: name, now: now)
        }
    }

    /// Counts an attempt under the lock of its row.
    private func beginShared(
        _ limit: FailureLimit, _ name: String, _ now: Int64
    ) async throws -> Int? {
        let (rule, hash) = (limit.rule, Self.hash(name))
        return try await pool.transaction { transaction in
            let window = rule.window(at: now)
            let known = try transaction.pipeline([
                Self.role,
                """
                INSERT INTO underway.failed_attempt AS known
                    (limit_name, name, started_at, current, former, expires_at)
                VALUES (\(limit.name), \(hash), \(window), 0, 0, 0)
                ON CONFLICT (limit_name, name) DO UPDATE SET former = known.former
                RETURNING started_at, current, former
                """,
            ])
            guard let row = known.last?.first else { return nil }
            var counts = rule.advanced(
                AttemptCounts(
                    window: try row.value("started_at"), current: try row.value("current"),
                    former: try row.value("former")), to: now)
            let wait = rule.wait(counts, now: now)
            if wait == nil { counts.current += 1 }
            let end = (counts.window + 2) * rule.windowMilliseconds
            try transaction.commit(after: [
                """
                UPDATE underway.failed_attempt SET started_at = \(counts.window),
                    current = \(Int32(clamping: counts.current)),
                    former = \(Int32(clamping: counts.former)), expires_at = \(end)
                WHERE limit_name = \(limit.name) AND name = \(hash)
                """
            ])
            return wait
        }
    }

    package func withdraw(_ limit: FailureLimit, of name: String) async {
        let hash = Self.hash(name)
        do {
            _ = try await pool.transaction { transaction in
                try transaction.commit(after: [
                    Self.role,
                    """
                    UPDATE underway.failed_attempt SET current = current - 1
                    WHERE limit_name = \(limit.name) AND name = \(hash) AND current > 0
                    """,
                ])
            }
        } catch {
            // Then the attempt was counted here, or it fades with its window.
            await own.withdraw(limit, of: name)
        }
    }

    /// Hashes a name, so that a reader of the table cannot use addresses and emails.
    private static func hash(_ name: String) -> [UInt8] {
        Array(SHA256.hash(data: Data(name.utf8)))
    }
}
