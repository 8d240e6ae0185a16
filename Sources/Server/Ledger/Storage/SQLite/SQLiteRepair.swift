import GRDB
import UserData

/// Moves every unreadable record of an account aside, so that the others can be read, and computes missing digests of
/// answers.
///
/// The digest and the size are recomputed from the remaining records. A device that still has such a record sees
/// another digest, reads the log again, and offers the record again. `damagedRecord` contains the moved records, for
/// the operator.
struct SQLiteRepair {
    private let database: Database
    /// The account's number.
    private let account: Int64
    /// The wall clock, in milliseconds since 1970.
    private let now: Int64

    init(_ database: Database, _ account: Int64, now: Int64) {
        self.database = database
        self.account = account
        self.now = now
    }

    /// Repairs the account within the caller's transaction.
    func run() throws {
        var (digest, bytes, damaged) = (RecordDigest(), 0, [Int64]())
        let rows = try Row.fetchCursor(
            database, sql: "SELECT json, position FROM record WHERE account = ?",
            arguments: [account])
        while let row = try rows.next() {
            let json: String = row["json"]
            if let record = StoredJSON.readable(json) {
                digest.add(record)
                bytes += json.utf8.count
            } else {
                damaged.append(row["position"])
            }
        }
        for position in damaged { try putAside(position) }
        try database.execute(
            sql: "UPDATE account SET digest = ?, record_bytes = ? WHERE number = ?",
            arguments: [digest.text, bytes, account])
        try SQLiteAnswers(database, account).computeMissingDigests()
    }

    private func putAside(_ position: Int64) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO damaged_record
                    (account, collection, id, position, found_at, json)
                SELECT account, collection, id, position, ?, json FROM record
                WHERE account = ? AND position = ?
                """,
            arguments: [now, account, position])
        try database.execute(
            sql: "DELETE FROM record WHERE account = ? AND position = ?",
            arguments: [account, position])
    }
}
