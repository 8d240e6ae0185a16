import GRDB
import ServiceAPI
import Tables
import UserData

/// Writes what was decided about one account.
struct ChangeWriter {
    private let database: Database
    /// The account's number.
    private let account: Int64

    init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// Writes changes.
    ///
    /// - Returns: The records that the database refused; then the caller undoes everything.
    /// - Throws: An error of the database.
    func write(_ changes: LedgerChanges) throws -> Set<RecordKey> {
        for client in changes.retired { try retire(client) }
        for client in changes.forgotten { try forgetResults(of: client) }
        if let device = changes.device { try write(device, changes) }
        let rejected = try write(changes.records)
        if let mark = changes.mark { try add(mark, keeping: changes.marksMax) }
        let answers = SQLiteAnswers(database, account)
        for run in changes.runs {
            try answers.append(
                run, to: number(of: run.span.client), digest: changes.digests[run.span.client],
                uncounted: changes.retractions.uncounted)
        }
        try SessionScoreTable(database, account).add(changes.sessions)
        try write(changes.retractions)
        let contributor = ContributorTable(database, account)
        try contributor.remove(changes.retractedFirstAnswers)
        try contributor.add(changes.firstAnswers)
        if changes.concernsReview {
            try database.cachedStatement(sql: "INSERT INTO review_change (member) VALUES (?)")
                .execute(arguments: [account])
        }
        if let totals = changes.account { try write(totals) }
        return rejected
    }

    /// Stores retractions after the sums of sessions, and subtracts what they take back.
    private func write(_ changes: RetractionChanges) throws {
        let statements =
            StoredRetraction.writing(changes) + StoredRetraction.clearing(changes.takenBack)
        try TableTransaction(database, account: account).run(statements)
        try AnswerStatistics(database, account).recount(changes.takenBack.map(\.row))
    }

    private func write(_ totals: LedgerAccount) throws {
        try database.cachedStatement(
            sql: """
                UPDATE account SET position = ?, digest = ?, record_bytes = ?, answer_bytes = ?,
                    answer_count = ?, epoch = ? WHERE number = ?
                """
        ).execute(arguments: [
            Int64(totals.position), totals.digest.text, totals.recordBytes, totals.answerBytes,
            totals.answerCount, totals.epoch, account,
        ])
    }

    // MARK: Devices

    /// Returns the number of a device, which is added if there is none of this name.
    private func number(of client: ClientID) throws -> Int64 {
        let known = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT number FROM device WHERE account = ? AND name = ?"),
            arguments: [account, client.text])
        if let known { return known }
        try database.cachedStatement(sql: "INSERT INTO device (account, name) VALUES (?, ?)")
            .execute(arguments: [account, client.text])
        return database.lastInsertedRowID
    }

    private func write(_ device: LedgerDevice, _ changes: LedgerChanges) throws {
        let number = try number(of: device.client)
        try TableTransaction(database).run([device.noting(number)])
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO result (device, counter, hash, kind, revision, refusal)
                VALUES (?, ?, ?, ?, ?, ?)
                """)
        for (counter, verdict) in changes.results {
            try insert.execute(arguments: [
                number, Int64(counter), verdict.hash, verdict.kind.rawValue,
                Int64(verdict.revision), verdict.refusal,
            ])
        }
        guard changes.resultsBefore > 0 else { return }
        try database.cachedStatement(sql: "DELETE FROM result WHERE device = ? AND counter < ?")
            .execute(arguments: [number, Int64(changes.resultsBefore)])
    }

    /// Retires a device; it is remembered which of its operations were applied.
    private func retire(_ client: ClientID) throws {
        let arguments: StatementArguments = [account, client.text]
        try database.execute(
            sql: "UPDATE device SET is_retired = 1 WHERE account = ? AND name = ?",
            arguments: arguments)
        try database.execute(
            sql: """
                DELETE FROM result WHERE kind IN ('conflict', 'refused') AND device IN
                    (SELECT number FROM device WHERE account = ? AND name = ?)
                """,
            arguments: arguments)
        try deleteIfEmpty(client)
    }

    private func forgetResults(of client: ClientID) throws {
        try database.execute(
            sql: """
                DELETE FROM result WHERE device IN
                    (SELECT number FROM device WHERE account = ? AND name = ?)
                """,
            arguments: [account, client.text])
        try deleteIfEmpty(client)
    }

    /// Deletes a device that has neither answers nor results.
    private func deleteIfEmpty(_ client: ClientID) throws {
        try database.execute(
            sql: """
                DELETE FROM device WHERE account = ? AND name = ? AND last_answer = 0
                    AND NOT EXISTS (SELECT 1 FROM result WHERE device = device.number)
                """,
            arguments: [account, client.text])
    }

    // MARK: Records

    /// Writes records, and returns those that a constraint of the database refuses: SQLite undoes the one
    /// statement.
    private func write(_ rows: [LogRow]) throws -> Set<RecordKey> {
        var rejected: Set<RecordKey> = []
        for row in rows {
            do {
                try write(row)
            } catch let error as DatabaseError where error.isConfined(in: database) {
                rejected.insert(row.record.key)
            }
        }
        return rejected
    }

    private func write(_ row: LogRow) throws {
        // A statement that failed once fails again: it is asked for each time.
        try database.cachedStatement(
            sql: """
                INSERT INTO record (account, collection, id, position, batch, deleted_at, json)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (account, collection, id) DO UPDATE SET position = excluded.position,
                    batch = excluded.batch, deleted_at = excluded.deleted_at, json = excluded.json
                """
        ).execute(arguments: [
            account, row.record.key.collection, row.record.key.id, Int64(row.position),
            Int64(row.batch), row.deletedAt, row.json,
        ])
    }

    /// Names the position that was just written.
    private func add(_ mark: LogHead, keeping count: Int) throws {
        try database.cachedStatement(
            sql: "INSERT INTO mark (account, position, text) VALUES (?, ?, ?)"
        ).execute(arguments: [account, Int64(mark.position), mark.mark])
        try database.cachedStatement(
            sql: """
                DELETE FROM mark WHERE account = ? AND position <=
                    (SELECT position FROM mark WHERE account = ?
                    ORDER BY position DESC LIMIT 1 OFFSET ?)
                """
        ).execute(arguments: [account, account, count])
    }
}
