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
        snapshot.unreadResults = try row.value("unread_results")
        snapshot.recordCounts = try counts(row.value("collections"))
        return (snapshot, digest == nil)
    }

    /// Reads the numbers of records by collection.
    private static func counts(_ text: String) throws -> [String: Int] {
        guard case .object(let members) = try JSONParser.parse(Array(text.utf8)).content else {
            throw LedgerError.damaged("collections")
        }
        var counts: [String: Int] = [:]
        for member in members {
            guard case .integer(let count) = member.value.content else { continue }
            if count > 0 { counts[member.key] = Int(count) }
        }
        return counts
    }

    /// Adds the devices, and what else is known of the one that asks.
    ///
    /// - Returns: False when the digest of a device's answers is missing.
    mutating func add(_ rows: PostgresResult, asking client: ClientID) throws -> Bool {
        for row in rows {
            var device = LedgerDevice(client: ClientID(try row.value("name")))
            device.lastAnswer = try row.number("last_answer")
            device.digest = SetDigest(
                count: device.lastAnswer, sum: try row.value("answers_sum"),
                cross: try row.value("answers_cross"))
            device.lastSeenAt = try row.value("last_seen_at")
            device.isRetired = try row.value("is_retired")
            let unread: Int = try row.value("unread_results")
            device.hasUnreadResults = device.isInUse && unread > 0
            devices.append(device)
            guard device.client == client else { continue }
            self.device = KnownDevice(trail: try RequestHistory(row), lastSeenAt: device.lastSeenAt)
        }
        return devices.allSatisfy { $0.digest != nil }
    }

    /// Adds the results of operations.
    mutating func add(verdicts rows: PostgresResult) throws {
        for row in rows {
            results[try row.number("counter")] = StoredVerdict(
                kind: try row.value("kind"), revision: try row.number("revision"),
                refusal: try row.value("refusal"),
                hash: Data(try row.value("hash", as: [UInt8].self)))
        }
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

extension RequestHistory {
    fileprivate init(_ row: PostgresRow) throws {
        self.init()
        requestNumber = try row.number("request_number")
        requestHash = Data(try row.value("request_hash", as: [UInt8].self))
        processedBefore = try row.number("processed_before")
        headPosition = try row.number("head_position")
        headEpoch = try row.value("head_epoch")
        lastAnswer = try row.number("last_answer")
        isRetired = try row.value("is_retired")
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
    /// Returns a bigint that is never negative.
    ///
    /// - Throws: `PostgresDecodingError`, or `LedgerError` `damaged` for a negative number.
    package func number(_ column: String) throws -> UInt64 {
        guard let number = UInt64(exactly: try value(column, as: Int64.self)) else {
            throw LedgerError.damaged(column)
        }
        return number
    }
}
