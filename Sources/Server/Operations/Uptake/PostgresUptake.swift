package import PostgresDriver
package import ServiceAPI
import Tables
package import UserData

/// What content devices have, in PostgreSQL.
package struct PostgresUptake: UptakeStorage {
    private let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    package func note(
        _ content: InstalledContent, of user: String, client: ClientID, now: Int64
    ) async throws {
        do {
            try await pool.transaction { transaction in
                try transaction.commit(after: [
                    UserClaims(of: user).statement, "SELECT underway.enter_1(false)",
                    """
                    INSERT INTO underway.device_content AS known
                        (account, device, release, obstacle, since, day)
                    SELECT account, number, \(content.release), \(content.obstacle?.rawValue ?? ""),
                        \(now), \(now / 86_400_000)::integer
                    FROM underway.device
                    WHERE account = (SELECT underway.claim()) AND name = \(client.text)
                    ON CONFLICT (account, device) DO UPDATE SET
                        since = CASE known.release WHEN excluded.release THEN known.since
                            ELSE excluded.since END,
                        release = excluded.release, obstacle = excluded.obstacle, day = excluded.day
                    """,
                ])
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }

    package func counts(since start: Int64) async throws -> [UptakeCount] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT release, obstacle, count(*) AS devices FROM underway.device_content
                WHERE day >= \(start / 86_400_000)::integer GROUP BY release, obstacle
                """
            ).map { row in
                UptakeCount(
                    release: try row.value("release"), storedObstacle: try row.value("obstacle"),
                    devices: try row.value("devices"))
            }
        }
    }
}
