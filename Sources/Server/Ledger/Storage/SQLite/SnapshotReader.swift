import GRDB
import Tables
import UserData

/// Reads what a decision needs to see of an account.
struct SnapshotReader {
    private let database: Database
    private let account: AccountRow
    private let keys: LedgerReadSet

    init(_ database: Database, _ account: AccountRow, _ keys: LedgerReadSet) {
        self.database = database
        self.account = account
        self.keys = keys
    }

    /// Reads the snapshot; records that cannot be read are put aside before.
    func repaired() throws -> LedgerSnapshot {
        let (snapshot, isDamaged) = try read()
        guard isDamaged else { return snapshot }
        try SQLiteRepair(database, account.number, now: keys.now).run()
        let again = try SnapshotReader(
            database, AccountRow(keys.user, in: database), keys
        ).read()
        guard !again.isDamaged else { throw LedgerError.damaged("records") }
        return again.snapshot
    }

    /// Reads the snapshot without what cannot be read, and whether there was any of that.
    func read() throws -> (snapshot: LedgerSnapshot, isDamaged: Bool) {
        var snapshot = LedgerSnapshot(account: account.totals)
        var isDamaged = account.isDigestDamaged
        snapshot.generation = try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = 'generation'"))
        snapshot.devices = try devices()
        if snapshot.devices.contains(where: { $0.digest == nil }) { isDamaged = true }
        if keys.bringsAnswers {
            snapshot.contributes = try ContributorTable(database, account.number).number != nil
        }
        try readDevice(&snapshot)
        try readRecords(&snapshot, &isDamaged)
        try readMarks(&snapshot)
        if let page = keys.page { snapshot.page = try self.page(page, &isDamaged) }
        return (snapshot, isDamaged)
    }

    // MARK: Devices

    private func devices() throws -> [LedgerDevice] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT name, last_answer, answers_sum, answers_cross, last_seen_at, is_retired,
                    last_seen_at > 0 AND is_retired = 0 AND EXISTS (SELECT 1 FROM result
                        WHERE device = device.number AND counter >= device.processed_before)
                        AS hasUnreadResults
                FROM device WHERE account = ? ORDER BY number
                """)
        return try Row.fetchAll(statement, arguments: [account.number]).map { row in
            var device = LedgerDevice(client: ClientID(row["name"]))
            device.lastAnswer = UInt64(row["last_answer"] as Int64)
            device.digest = SetDigest(
                count: device.lastAnswer, sum: row["answers_sum"], cross: row["answers_cross"])
            device.lastSeenAt = row["last_seen_at"]
            device.isRetired = row["is_retired"]
            device.hasUnreadResults = row["hasUnreadResults"]
            return device
        }
    }

    private func readDevice(_ snapshot: inout LedgerSnapshot) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT number, request_number, request_hash, processed_before, head_position, head_epoch,
                    last_answer, is_retired, last_seen_at
                FROM device WHERE account = ? AND name = ?
                """)
        let arguments: StatementArguments = [account.number, keys.client.text]
        guard let row = try Row.fetchOne(statement, arguments: arguments) else { return }
        let device = KnownDevice(trail: RequestHistory(row), lastSeenAt: row["last_seen_at"])
        snapshot.device = device
        let number: Int64 = row["number"]
        for counter in keys.counters {
            snapshot.results[counter] = try result(counter, of: number)
        }
        let unread = try database.cachedStatement(
            sql: "SELECT count(*) FROM result WHERE device = ? AND counter >= ?")
        let from = Int64(max(keys.processedBefore, device.trail.processedBefore))
        snapshot.unreadResults = try Int.fetchOne(unread, arguments: [number, from]) ?? 0
        let answers = SQLiteAnswers(database, account.number)
        for run in keys.runs where run.first <= device.trail.lastAnswer {
            let count = Int(min(run.last, device.trail.lastAnswer) - run.first + 1)
            let known = AnswerSpan(client: run.client, first: run.first, count: count)
            snapshot.answers[run.first] = try answers.rows(known)
        }
    }

    private func result(_ counter: UInt64, of device: Int64) throws -> StoredVerdict? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT kind, revision, refusal, hash FROM result
                WHERE device = ? AND counter = ?
                """)
        return try Row.fetchOne(statement, arguments: [device, Int64(counter)]).map { row in
            StoredVerdict(
                kind: row["kind"], revision: UInt64(row["revision"] as Int64),
                refusal: row["refusal"], hash: row["hash"])
        }
    }

    // MARK: Records

    private func readRecords(_ snapshot: inout LedgerSnapshot, _ isDamaged: inout Bool) throws {
        let statement = try database.cachedStatement(
            sql: """
                SELECT json, position, batch, deleted_at FROM record
                WHERE account = ? AND collection = ? AND id = ?
                """)
        for key in keys.records {
            let arguments: StatementArguments = [account.number, key.collection, key.id]
            guard let row = try Row.fetchOne(statement, arguments: arguments) else { continue }
            if let known = LogRow(row) {
                snapshot.records[key] = known
            } else {
                isDamaged = true
            }
        }
        guard snapshot.records.count < keys.records.count else { return }
        let counts = try database.cachedStatement(
            sql: """
                SELECT collection, count(*) AS records FROM record WHERE account = ?
                GROUP BY collection
                """)
        snapshot.recordCounts = try Row.fetchAll(counts, arguments: [account.number])
            .reduce(into: [:]) { $0[$1["collection"]] = $1["records"] }
    }

    /// Reads the log behind a position, up to the end of a request.
    private func page(_ key: LedgerReadSet.PageKey, _ isDamaged: inout Bool) throws -> LogPage {
        let statement = try database.cachedStatement(
            sql: """
                SELECT json, position, batch, deleted_at FROM record
                WHERE account = ? AND position > ? ORDER BY position
                """)
        let rows = try Row.fetchCursor(
            statement, arguments: [account.number, Int64(key.after)])
        var (page, size) = (
            LogPage(), PageSize(recordsMax: key.recordsMax, bytesMax: key.bytesMax)
        )
        page.through = key.after
        while let row = try rows.next() {
            let json: String = row["json"]
            guard size.takes(json.utf8.count, batch: UInt64(row["batch"] as Int64)) else {
                page.hasMore = true
                break
            }
            page.through = UInt64(row["position"] as Int64)
            if let known = LogRow(row) {
                page.rows.append(known)
            } else {
                isDamaged = true
            }
        }
        return page
    }

    // MARK: Marks

    private func readMarks(_ snapshot: inout LedgerSnapshot) throws {
        snapshot.endMark = try mark(at: account.totals.position)
        guard let head = keys.head else { return }
        snapshot.namedMark = try mark(at: head)
        guard snapshot.namedMark == nil else { return }
        let marks = try Row.fetchOne(
            database.cachedStatement(
                sql: """
                    SELECT count(*) AS marks, coalesce(min(position), 0) AS oldest FROM mark
                    WHERE account = ?
                    """),
            arguments: [account.number])
        snapshot.markCount = marks?["marks"] ?? 0
        snapshot.oldestMark = UInt64(marks?["oldest"] as Int64? ?? 0)
    }

    private func mark(at position: UInt64) throws -> String? {
        try String.fetchOne(
            database.cachedStatement(
                sql: "SELECT text FROM mark WHERE account = ? AND position = ?"),
            arguments: [account.number, Int64(position)])
    }
}

extension RequestHistory {
    fileprivate init(_ row: Row) {
        self.init()
        requestNumber = UInt64(row["request_number"] as Int64)
        requestHash = row["request_hash"]
        processedBefore = UInt64(row["processed_before"] as Int64)
        headPosition = UInt64(row["head_position"] as Int64)
        headEpoch = row["head_epoch"]
        lastAnswer = UInt64(row["last_answer"] as Int64)
        isRetired = row["is_retired"]
    }
}

extension LogRow {
    /// Reads a row of json, position, batch and deletedAt; `nil` for a record that cannot be read.
    fileprivate init?(_ row: Row) {
        let json: String = row["json"]
        guard let record = StoredJSON.readable(json) else { return nil }
        self.init(
            record: record, json: json, position: UInt64(row["position"] as Int64),
            batch: UInt64(row["batch"] as Int64), deletedAt: row["deleted_at"])
    }
}
