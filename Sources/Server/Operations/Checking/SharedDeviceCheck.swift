import PostgresDriver
import Tables

/// The devices that are in two accounts.
enum SharedDeviceCheck {
    /// Reads the names of all devices once.
    static func findings(_ transaction: PostgresTransaction) throws -> [DatabaseFinding] {
        try transaction.pipeline([
            UserClaims.keeper, "SELECT set_config('statement_timeout', '0', true)",
        ])
        return try transaction.query(
            """
            SELECT DISTINCT min(d.account) AS one, max(d.account) AS other
            FROM underway.device d JOIN underway.account a
                ON a.number = d.account AND a.deleted_at IS NULL
            WHERE d.name ~ '^d[A-Za-z0-9_-]{22}$'
            GROUP BY d.name HAVING count(*) > 1 ORDER BY one, other
            LIMIT \(DatabaseCheckReport.findingsMax)
            """
        ).map { .sharedDevice(try $0.value("one"), try $0.value("other")) }
    }
}
