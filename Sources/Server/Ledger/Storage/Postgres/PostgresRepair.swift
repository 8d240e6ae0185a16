import PostgresDriver
import UserData

/// Puts every record of an account that cannot be read aside, so that the others can, and computes the digests of
/// answers that are missing.
///
/// The digest and the counts are computed anew from the records that stay. A device that still has such a record sees
/// that the digest is another one, reads the log anew, and offers the record again.
struct PostgresRepair {
    /// The wall clock, in milliseconds since 1970.
    let now: Int64

    /// Repairs the account that the transaction has locked.
    func run(in transaction: PostgresTransaction) throws {
        var (digest, bytes, damaged) = (RecordDigest(), 0, [Int64]())
        let rows = try transaction.query(
            "SELECT position, json::text AS json FROM underway.record WHERE account = underway.claim()"
        )
        for row in rows {
            let json: String = try row.value("json")
            if let record = StoredJSON.readable(json) {
                digest.add(record)
                bytes += json.utf8.count
            } else {
                damaged.append(try row.value("position"))
            }
        }
        try transaction.pipeline([
            """
            INSERT INTO underway.damaged_record (account, collection, id, position, found_at, json)
            SELECT account, collection, id, position, \(now), json FROM underway.record
            WHERE account = underway.claim() AND position = ANY (\(damaged))
            ON CONFLICT DO NOTHING
            """,
            """
            DELETE FROM underway.record
            WHERE account = underway.claim() AND position = ANY (\(damaged))
            """,
            """
            UPDATE underway.account SET digest = \(digest.text), record_bytes = \(Int64(bytes)),
                collections = (SELECT coalesce(jsonb_object_agg(collection, records), '{}') FROM (
                    SELECT collection, count(*) AS records FROM underway.record
                    WHERE account = underway.claim() GROUP BY collection) AS counts)
            WHERE number = underway.claim()
            """,
        ])
        try computeDigests(in: transaction)
    }

    private func computeDigests(in transaction: PostgresTransaction) throws {
        let devices = try transaction.query(
            """
            SELECT name, last_answer::bigint AS last_answer FROM underway.device
            WHERE account = underway.claim() AND last_answer > 0 AND answers_sum IS NULL
            """)
        for row in devices {
            let client = ClientID(try row.value("name"))
            let digest = try AnswerLoader.digest(
                of: client, through: try row.number("last_answer"), in: transaction)
            try transaction.query(
                """
                SELECT underway.ledger_digests_1(\([client.text]),
                    \([Int64(bitPattern: digest.sum)]), \([Int64(bitPattern: digest.cross)]))
                """)
        }
    }
}
