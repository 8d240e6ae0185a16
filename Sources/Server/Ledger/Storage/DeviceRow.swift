import Foundation
import Tables
import UserData

extension LedgerDevice {
    private static let reading = Statement(
        sqlite: """
            SELECT d.*, CASE
                WHEN d.name = :client THEN (SELECT count(*) FROM {result}
                    WHERE device = d.number AND counter >= max(d.processed_before, :first_unread))
                WHEN :lists THEN (SELECT count(*) FROM {result}
                    WHERE device = d.number AND counter >= d.processed_before)
                ELSE EXISTS (SELECT 1 FROM {result}
                    WHERE device = d.number AND counter >= d.processed_before)
                END AS unread_results
            FROM {device} d WHERE d.account = {me} ORDER BY d.number
            """,
        postgres: """
            SELECT (device).*, unread_results
            FROM underway.ledger_devices_1(:client, :first_unread)
            """)

    /// Reads all devices of the user, in the order in which they came.
    static func reading(_ keys: LedgerReadSet) -> Bound {
        reading([
            "client": keys.client.text, "first_unread": Int64(keys.firstUnread),
            "lists": keys.listsDevices,
        ])
    }

    /// Reads a row.
    init(row: TableRow) throws {
        self.init(client: ClientID(try row.value("name")))
        lastSeenAt = try row.value("last_seen_at")
        isRetired = try row.value("is_retired")
        requestNumber = try row.number("request_number")
        requestHash = try row.value("request_hash")
        processedBefore = try row.number("processed_before")
        headPosition = try row.number("head_position")
        headEpoch = try row.value("head_epoch")
        lastAnswer = try row.number("last_answer")
        digest = SetDigest(
            count: lastAnswer, sum: try row.value("answers_sum"),
            cross: try row.value("answers_cross"))
        unreadResults = try row.value("unread_results")
    }

    /// Writes what an exchange changes of a device's row in SQLite.
    func noting(_ number: Int64) -> Bound {
        Self.noting(Dictionary(uniqueKeysWithValues: noted + [("number", number)]))
    }

    private static let noting = Statement(
        sqlite: "UPDATE {device} SET "
            + LedgerDevice(client: ClientID("")).noted.map { "\($0.0) = :\($0.0)" }
            .joined(separator: ", ") + " WHERE number = :number")

    /// The columns that an exchange changes, with their values.
    var noted: [(String, any TableValue)] {
        [
            ("last_seen_at", lastSeenAt), ("processed_before", Int64(processedBefore)),
            ("request_number", Int64(requestNumber)), ("request_hash", requestHash),
            ("head_position", Int64(headPosition)), ("head_epoch", headEpoch),
        ]
    }
}

extension StoredVerdict {
    private static let reading = Statement(
        sqlite: """
            SELECT counter, kind, revision, refusal, hash FROM {result}
            WHERE device = (SELECT number FROM {device} WHERE account = {me} AND name = :client)
                AND counter {in :counters}
            """,
        postgres: "SELECT * FROM underway.ledger_results_1(:client, :counters)")

    /// Reads the results that `keys` name.
    static func reading(_ keys: LedgerReadSet) -> Bound {
        reading(["client": keys.client.text, "counters": keys.counters.map { Int64($0) }])
    }
}

extension LedgerSnapshot {
    /// Adds the devices, of which one asks.
    ///
    /// - Returns: False when the digest of a device's answers is missing.
    mutating func add(devices rows: Rows, asking client: ClientID) throws -> Bool {
        devices = try rows.map { try LedgerDevice(row: $0) }
        device = devices.first { $0.client == client }
        return devices.allSatisfy { $0.digest != nil }
    }

    /// Adds the results of operations.
    mutating func add(verdicts rows: Rows) throws {
        for row in rows {
            results[try row.number("counter")] = StoredVerdict(
                kind: try row.value("kind"), revision: try row.number("revision"),
                refusal: try row.value("refusal"), hash: try row.value("hash"))
        }
    }
}

extension TableRow {
    /// Returns a number that is never negative.
    ///
    /// - Throws: `Unreadable` or `PostgresDecodingError`, or `StorageError` `damaged` for a negative number.
    func number(_ column: String) throws -> UInt64 {
        guard let number = UInt64(exactly: try value(column, as: Int64.self)) else {
            throw StorageError.damaged(column)
        }
        return number
    }
}
