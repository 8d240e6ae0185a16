package import GRDB
import ServiceAPI

/// Forgets deleted records after their time.
package struct Purge {
    /// The wall clock, in milliseconds since 1970.
    package let now: Int64

    package init(now: Int64) { self.now = now }

    /// The most records that are forgotten in one transaction.
    private static let batchMax = 1_000

    /// Forgets a batch; who asks later from before it reads the log anew.
    ///
    /// - Parameter database: The writer's, within a transaction.
    /// - Returns: How many records were forgotten; 0 when there are no more.
    /// - Throws: An error of the database.
    package func run(in database: Database) throws -> Int {
        let end = now - Int64(ServiceLimits.tombstoneDays) * 86_400_000
        let rows = try Row.fetchAll(
            database,
            sql: """
                SELECT account, collection, id, position, length(CAST(json AS BLOB)) FROM record
                WHERE deletedAt < ? ORDER BY deletedAt LIMIT ?
                """,
            arguments: [end, Self.batchMax])
        for row in rows {
            let (account, collection, id, position): (Int64, String, String, Int64) = (
                row[0], row[1], row[2], row[3]
            )
            let bytes: Int64 = row[4]
            try database.execute(
                sql: "DELETE FROM record WHERE account = ? AND collection = ? AND id = ?",
                arguments: [account, collection, id])
            try database.execute(
                sql: """
                    UPDATE account SET purgedThrough = max(purgedThrough, ?),
                        recordBytes = recordBytes - ? WHERE number = ?
                    """,
                arguments: [position, bytes, account])
        }
        return rows.count
    }
}
