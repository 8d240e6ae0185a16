package import ServiceAPI
package import Tables
package import UserData

/// The storage of the content that devices have.
package struct UptakeStorage: Sendable {
    private static let dayMilliseconds: Int64 = 86_400_000
    private let database: any TableDatabase

    package init(_ database: any TableDatabase) { self.database = database }

    /// Replaces the stored content of a user's device.
    ///
    /// For an unknown device it does nothing.
    /// - Parameters:
    ///   - content: The content.
    ///   - user: The account.
    ///   - client: The device.
    ///   - now: The wall clock, in milliseconds since 1970.
    /// - Throws: `StorageError`, including `noAccount`.
    package func note(
        _ content: InstalledContent, of user: String, client: ClientID, now: Int64
    ) async throws {
        try await database.write(as: .user(user, locks: false), together: true) { transaction in
            _ = try transaction.commit(after: [
                Self.noting([
                    "release": content.release, "obstacle": content.obstacle?.rawValue ?? "",
                    "now": now, "day": now / Self.dayMilliseconds, "name": client.text,
                ])
            ])
        }
    }

    private static let noting = Statement(
        sqlite: noting(key: "device", number: "number"),
        postgres: noting(key: "account, device", number: "account, number"))

    /// Returns the statement for a database: SQLite numbers devices across accounts, PostgreSQL within each.
    private static func noting(key: String, number: String) -> String {
        """
        INSERT INTO {device_content} AS known (\(key), release, obstacle, since, day)
        SELECT \(number), :release, :obstacle, :now, :day FROM {device}
        WHERE account = {me} AND name = :name
        ON CONFLICT (\(key)) DO UPDATE SET
            since = CASE known.release WHEN excluded.release THEN known.since
                ELSE excluded.since END,
            release = excluded.release, obstacle = excluded.obstacle, day = excluded.day
        """
    }

    /// Counts the devices that reported since a time, by their content.
    ///
    /// - Parameter start: The time, in milliseconds since 1970; its whole day is included.
    /// - Returns: A count for each release and obstacle, in any order.
    /// - Throws: `StorageError`.
    package func counts(since start: Int64) async throws -> [UptakeCount] {
        try await database.read(as: .keeper) { transaction in
            try transaction.commit(after: [Self.counting(["day": start / Self.dayMilliseconds])])[0]
                .map { row in
                    let obstacle: String = try row.value("obstacle")
                    return UptakeCount(
                        release: try row.value("release"),
                        obstacle: obstacle.isEmpty
                            ? nil : InstalledContent.Obstacle(rawValue: obstacle) ?? .other,
                        devices: try row.value("devices"))
                }
        }
    }

    /// The empty text is no obstacle, and that of a later version another one.
    private static let counting = Statement(
        """
        SELECT release, obstacle, count(*) AS devices FROM {device_content}
        WHERE day >= :day GROUP BY release, obstacle
        """)

    // MARK: Releases

    /// Returns the spread of releases, the newest first.
    ///
    /// - Throws: `StorageError`.
    package func spread(limit: Int) async throws -> [ReleaseSpread] {
        try await database.read(as: .keeper) {
            try $0.commit(after: [Self.spread(["limit": limit])])[0].map(ReleaseSpread.init)
        }
    }

    private static let spread = Statement(
        """
        SELECT release, served_at, half, most, nearly_all FROM {release_spread}
        ORDER BY release DESC LIMIT :limit
        """)

    /// Replaces the stored spread of a release.
    ///
    /// - Throws: `StorageError`.
    package func set(_ spread: ReleaseSpread) async throws {
        try await database.write(as: .keeper) {
            _ = try $0.commit(after: [
                Self.spreading([
                    "release": spread.release, "served_at": spread.servedAt,
                    "half": spread.reachedAt[0], "most": spread.reachedAt[1],
                    "nearly_all": spread.reachedAt[2],
                ])
            ])
        }
    }

    private static let spreading = Statement(
        """
        INSERT INTO {release_spread} (release, served_at, half, most, nearly_all)
        VALUES (:release, :served_at, :half, :most, :nearly_all)
        ON CONFLICT (release) DO UPDATE SET served_at = excluded.served_at,
            half = excluded.half, most = excluded.most, nearly_all = excluded.nearly_all
        """)
}
