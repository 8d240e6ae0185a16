import PostgresDriver
import Tables

/// The rows of accounts that do not exist, in the tables whose rows refer to their account by no foreign key.
enum OrphanCheck {
    private static let tables = ["answer", "question_day", "question_domain"]

    /// Reads each table once.
    static func findings(_ transaction: PostgresTransaction) throws -> [DatabaseFinding] {
        try transaction.pipeline([
            UserClaims.keeper, "SELECT set_config('statement_timeout', '0', true)",
        ])
        return try tables.flatMap { table in
            // As upkeep the policy shows no others; a login that no policy binds has to be told.
            try transaction.query(
                """
                SELECT o.account, count(*) AS rows FROM underway.\(identifier: table) o
                WHERE NOT EXISTS (SELECT FROM underway.account a WHERE a.number = o.account)
                GROUP BY o.account ORDER BY o.account
                LIMIT \(DatabaseCheckReport.findingsMax)
                """
            ).map { row in
                let number = try row.value("account", as: Int64.self)
                let count = try row.value("rows", as: Int.self)
                return DatabaseFinding(
                    .orphan, "account \(number), table underway.\(table)",
                    "Rows of an account that does not exist: \(count).",
                    remedy: "Run as a superuser: DELETE FROM underway.\(table)"
                        + " WHERE account = \(number);")
            }
        }
    }
}
