import GRDB
package import ServiceAPI
package import Tables
package import UserData

/// What content devices have, in SQLite.
package struct SQLiteUptake: UptakeStorage {
    private let database: UserDatabase

    package init(_ database: UserDatabase) { self.database = database }

    package func note(
        _ content: InstalledContent, of user: String, client: ClientID, now: Int64
    ) async throws {
        try await database.writeTogether { database in
            try database.cachedStatement(
                sql: """
                    INSERT INTO device_content (device, release, obstacle, since, day)
                    SELECT device.number, ?, ?, ?, ? FROM account
                        JOIN device ON device.account = account.number
                    WHERE account.id = ? AND device.name = ?
                    ON CONFLICT (device) DO UPDATE SET
                        since = CASE release WHEN excluded.release THEN since ELSE excluded.since END,
                        release = excluded.release, obstacle = excluded.obstacle, day = excluded.day
                    """
            ).execute(arguments: [
                content.release, content.obstacle?.rawValue ?? "", now, now / 86_400_000, user,
                client.text,
            ])
        }
    }

    package func counts(since start: Int64) async throws -> [UptakeCount] {
        try await database.read { database in
            try Row.fetchAll(
                database.cachedStatement(
                    sql: """
                        SELECT release, obstacle, count(*) AS devices FROM device_content
                        WHERE day >= ? GROUP BY release, obstacle
                        """), arguments: [start / 86_400_000]
            ).map { row in
                UptakeCount(
                    release: row["release"], storedObstacle: row["obstacle"],
                    devices: row["devices"])
            }
        }
    }
}

extension UptakeCount {
    /// Reads an obstacle as it is stored: the empty text is none, and that of a later version another one.
    package init(release: Int, storedObstacle: String, devices: Int) {
        let obstacle = InstalledContent.Obstacle(rawValue: storedObstacle) ?? .other
        self.init(
            release: release, obstacle: storedObstacle.isEmpty ? nil : obstacle, devices: devices)
    }
}
