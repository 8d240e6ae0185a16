import GRDB
import UserData

extension Ledger {
    /// Repairs an account whose digest cannot be read.
    func repairIfNeeded(_ account: inout LedgerAccount) throws {
        if account.isDigestDamaged { try repair(&account) }
    }

    /// Puts every record that cannot be read aside, so that the others can.
    ///
    /// The digest and the count of bytes are computed anew from the records that stay. A device that
    /// still has such a record sees that the digest is another one, reads the log anew, and offers the
    /// record again. `damagedRecord` has what was put aside, for whoever operates the server.
    func repair(_ account: inout LedgerAccount) throws {
        var digest = RecordDigest()
        var bytes: Int64 = 0
        var damaged: [Int64] = []
        let rows = try Row.fetchCursor(
            database, sql: "SELECT json, position FROM record WHERE account = ?",
            arguments: [account.number])
        while let row = try rows.next() {
            let json: String = row[0]
            if let record = StoredJSON.readable(json) {
                digest.add(record)
                bytes += Int64(json.utf8.count)
            } else {
                damaged.append(row[1])
            }
        }
        for position in damaged { try putAside(position, account) }
        try account.repaired(digest: digest, recordBytes: bytes, in: database)
    }

    private func putAside(_ position: Int64, _ account: LedgerAccount) throws {
        try database.execute(
            sql: """
                INSERT OR REPLACE INTO damagedRecord
                    (account, collection, id, position, foundAt, json)
                SELECT account, collection, id, position, ?, json FROM record
                WHERE account = ? AND position = ?
                """,
            arguments: [now, account.number, position])
        try database.execute(
            sql: "DELETE FROM record WHERE account = ? AND position = ?",
            arguments: [account.number, position])
    }
}
