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
        guard !again.isDamaged else { throw StorageError.damaged("records") }
        return again.snapshot
    }

    /// Reads the snapshot without what cannot be read, and whether there was any of that.
    func read() throws -> (snapshot: LedgerSnapshot, isDamaged: Bool) {
        var snapshot = LedgerSnapshot(account: account.totals)
        var isDamaged = account.isDigestDamaged
        snapshot.generation = try String.fetchOne(
            database.cachedStatement(sql: "SELECT value FROM setting WHERE name = 'generation'"))
        if try !readDevices(&snapshot) { isDamaged = true }
        if keys.bringsAnswers { try readArrival(&snapshot) }
        try readRecords(&snapshot, &isDamaged)
        try readMarks(&snapshot)
        if let page = keys.page { snapshot.page = try self.page(page, &isDamaged) }
        return (snapshot, isDamaged)
    }

    // MARK: Devices

    /// Reads all devices; false when the digest of one's answers is missing.
    private func readDevices(_ snapshot: inout LedgerSnapshot) throws -> Bool {
        let transaction = TableTransaction(database, account: account.number)
        let isWhole = try snapshot.add(
            devices: transaction.run([LedgerDevice.reading(keys)])[0], asking: keys.client)
        guard let device = snapshot.device else { return isWhole }
        if !keys.counters.isEmpty {
            try snapshot.add(verdicts: transaction.run([StoredVerdict.reading(keys)])[0])
        }
        let answers = SQLiteAnswers(database, account.number)
        for run in keys.runs where run.first <= device.lastAnswer {
            let count = Int(min(run.last, device.lastAnswer) - run.first + 1)
            let known = AnswerSpan(client: run.client, first: run.first, count: count)
            snapshot.answers[run.first] = try answers.rows(known)
        }
        return isWhole
    }

    /// Reads what new answers concern beside their devices.
    private func readArrival(_ snapshot: inout LedgerSnapshot) throws {
        let transaction = TableTransaction(database, account: account.number)
        try snapshot.add(arrival: transaction.run([StoredRetraction.arrival(keys)])[0])
        try snapshot.addRetractions(keys, run: { try transaction.run([$0])[0] }) {
            try SQLiteAnswers(database, account.number).page($0, bytesMax: .max)
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
