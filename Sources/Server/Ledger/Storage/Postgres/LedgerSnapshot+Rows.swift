import ContentModel
import Foundation
import PostgresDriver
import Tables
import UserData

extension LedgerSnapshot {
    /// Makes a snapshot of the row of `ledger_open_1`; its counts of records are always there.
    static func opened(_ row: PostgresRow) throws -> (snapshot: LedgerSnapshot, isDamaged: Bool) {
        var account = LedgerAccount()
        account.position = try row.number("position")
        account.purgedThrough = try row.number("purged_through")
        let digest = RecordDigest(text: try row.value("digest"))
        account.digest = digest ?? RecordDigest()
        account.epoch = try row.value("epoch")
        account.recordBytes = try row.value("record_bytes")
        account.answerBytes = try row.value("answer_bytes")
        account.answerCount = try row.value("answer_count")
        var snapshot = LedgerSnapshot(account: account)
        snapshot.generation = try row.value("generation")
        snapshot.endMark = try row.value("end_mark")
        snapshot.namedMark = try row.value("named_mark")
        snapshot.oldestMark = UInt64(try row.value("oldest_mark", as: Int64?.self) ?? 0)
        snapshot.markCount = try row.value("mark_count", as: Int?.self) ?? 0
        snapshot.recordCounts = try counts(row.value("collections"))
        return (snapshot, digest == nil)
    }

    /// Reads the numbers of records by collection.
    private static func counts(_ text: String) throws -> [String: Int] {
        guard case .object(let members) = try JSONParser.parse(Array(text.utf8)).content else {
            throw StorageError.damaged("collections")
        }
        var counts: [String: Int] = [:]
        for member in members {
            guard case .integer(let count) = member.value.content else { continue }
            if count > 0 { counts[member.key] = Int(count) }
        }
        return counts
    }

    /// Adds the named records; false when one of them cannot be read.
    mutating func add(records rows: PostgresResult) throws -> Bool {
        var isWhole = true
        for row in rows {
            let key = RecordKey(try row.value("collection"), try row.value("id"))
            if let record = try LogRow(row) { records[key] = record } else { isWhole = false }
        }
        return isWhole
    }

    /// Adds the page of the log; false when a record of it cannot be read.
    mutating func add(page rows: PostgresResult, _ key: LedgerReadSet.PageKey) throws -> Bool {
        var (page, size) = (
            LogPage(), PageSize(recordsMax: key.recordsMax, bytesMax: key.bytesMax)
        )
        var isWhole = true
        page.through = key.after
        for row in rows {
            let json: String = try row.value("json")
            guard size.takes(json.utf8.count, batch: try row.number("batch")) else {
                page.hasMore = true
                break
            }
            page.through = try row.number("position")
            if let record = try LogRow(row) { page.rows.append(record) } else { isWhole = false }
        }
        self.page = page
        return isWhole
    }
}

extension LogRow {
    /// Reads a row of position, batch, deleted_at and json; `nil` for a record that cannot be read.
    fileprivate init?(_ row: PostgresRow) throws {
        let json: String = try row.value("json")
        guard let record = StoredJSON.readable(json) else { return nil }
        self.init(
            record: record, json: json, position: try row.number("position"),
            batch: try row.number("batch"), deletedAt: try row.value("deleted_at"))
    }
}

extension PostgresRow {
    /// Decodes a non-negative bigint.
    ///
    /// - Throws: `PostgresDecodingError`, or `StorageError` `damaged` for a negative number.
    package func number(_ column: String) throws -> UInt64 {
        try TableRow(self).number(column)
    }
}
