package import GRDB
import Tables
import UserData

/// An account's row.
package struct AccountRow {
    /// The account's number in its database.
    package let number: Int64
    /// The totals.
    var totals = LedgerAccount()
    /// True when the stored digest cannot be read.
    let isDigestDamaged: Bool

    /// Reads the row of a user.
    ///
    /// - Throws: `StorageError` `noAccount`, or an error of the database.
    package init(_ user: String, in database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, position, purged_through, digest, record_bytes, answer_bytes, answer_count,
                    epoch FROM account WHERE id = ?
                """)
        guard let row = try Row.fetchOne(statement, arguments: [user]) else {
            throw StorageError.noAccount
        }
        number = row["number"]
        totals.position = UInt64(row["position"] as Int64)
        totals.purgedThrough = UInt64(row["purged_through"] as Int64)
        let digest = RecordDigest(text: row["digest"])
        totals.digest = digest ?? RecordDigest()
        isDigestDamaged = digest == nil
        totals.recordBytes = row["record_bytes"]
        totals.answerBytes = row["answer_bytes"]
        totals.answerCount = row["answer_count"]
        totals.epoch = row["epoch"]
    }
}
