import AnswerStorage
package import GRDB
package import ServiceAPI
import Tables
package import UserData

/// The answers of one user: append-only, numbered from 1 without gaps for each device.
package struct SQLiteAnswers {
    private let database: Database
    /// The account's number.
    private let account: Int64

    package init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// Appends a run after the last stored answer of its device, and counts it.
    ///
    /// - Parameters:
    ///   - run: The run.
    ///   - device: The number of its device.
    ///   - digest: The digest of all answers of the device, including the run; `nil` to let the next exchange compute
    ///     it.
    ///   - uncounted: The answers of the run that are taken back.
    /// - Throws: `StorageError` `damaged` for a run with a gap or overlap, or an error of the database.
    package func append(
        _ run: AnswerColumns, to device: Int64, digest: SetDigest?,
        uncounted: Set<AnswerID> = []
    ) throws {
        let last = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT last_answer FROM device WHERE number = ?"),
            arguments: [device])
        guard let last, run.span.first == UInt64(last) + 1, run.count == run.span.count else {
            throw StorageError.damaged("answers")
        }
        try AnswerWriter(database, account: account)
            .append(run.encoded, to: device, first: last + 1)
        try database.cachedStatement(
            sql: """
                UPDATE device SET last_answer = ?, answers_sum = ?, answers_cross = ?
                WHERE number = ?
                """
        ).execute(arguments: [
            Int64(run.span.last), digest.map { Int64(bitPattern: $0.sum) },
            digest.map { Int64(bitPattern: $0.cross) }, device,
        ])
        try AnswerStatistics(database, account)
            .added(run.counted(without: uncounted), of: device, after: last)
    }

    /// Returns the number of the last answer of each device that has any.
    func lastAnswers() throws -> [(client: ClientID, last: Int64)] {
        try Row.fetchAll(
            database,
            sql: "SELECT name, last_answer FROM device WHERE account = ? AND last_answer > 0",
            arguments: [account]
        ).map { (ClientID($0[0]), $0[1]) }
    }

    /// Returns the answers that are taken back.
    func retracted() throws -> Set<AnswerID> {
        let transaction = TableTransaction(database, account: account)
        return try Set(
            transaction.run([StoredRetraction.allHolding()])[0]
                .map { try StoredRetraction(row: $0).target })
    }

    /// Computes the digests of devices that have none from their answers.
    func computeMissingDigests() throws {
        let devices = try Row.fetchAll(
            database,
            sql: """
                SELECT number, name, last_answer FROM device
                WHERE account = ? AND last_answer > 0 AND answers_sum IS NULL
                """,
            arguments: [account])
        for row in devices {
            let (device, last): (Int64, Int64) = (row["number"], row["last_answer"])
            let digest = try digest(of: device, ClientID(row["name"]), through: last)
            try database.execute(
                sql: "UPDATE device SET answers_sum = ?, answers_cross = ? WHERE number = ?",
                arguments: [
                    Int64(bitPattern: digest.sum), Int64(bitPattern: digest.cross), device,
                ])
        }
    }

    /// Computes the digest of a device's answers, in constant memory.
    package func digest(of device: Int64, _ client: ClientID, through last: Int64) throws
        -> SetDigest
    {
        let reader = try AnswerReader(database)
        var digest = SetDigest()
        for first in stride(from: 1, through: last, by: 10_000) {
            let page = try reader.answers(
                of: device, from: first, through: min(last, first + 9_999))
            digest.add(SetDigest(page.answers.hashes(of: client, first: UInt64(first))))
        }
        return digest
    }

    /// Reads runs of answers, as many as the limit on bytes allows, at least one.
    func page(_ spans: [AnswerSpan], bytesMax: Int) throws -> AnswerPage {
        var (bytesLeft, page) = (bytesMax, AnswerPage())
        for span in spans {
            let run = try answers(span, bytesMax: bytesLeft)
            bytesLeft -= run.bytes
            if bytesLeft < 0, !page.runs.isEmpty {
                page.hasMore = true
                break
            }
            let part = AnswerSpan(
                client: span.client, first: span.first, count: run.answers.rows.count)
            page.runs.append(AnswerColumns(span: part, encoded: run.answers))
            if part.count < span.count {
                page.hasMore = true
                break
            }
        }
        return page
    }

    /// Reads a run of stored answers.
    ///
    /// - Throws: `StorageError` `damaged` when one is missing, or an error of the database.
    func rows(_ span: AnswerSpan) throws -> [AnswerRow?] {
        try answers(span, bytesMax: .max).answers.answers
    }

    /// Reads a run, or as much of it as the limit on bytes allows, at least one answer.
    private func answers(
        _ span: AnswerSpan, bytesMax: Int
    ) throws -> (answers: EncodedAnswers, bytes: Int) {
        let device = try Int64.fetchOne(
            database.cachedStatement(
                sql: "SELECT number FROM device WHERE account = ? AND name = ?"),
            arguments: [account, span.client.text])
        guard let device else { throw StorageError.damaged("answers") }
        let read = try AnswerReader(database).answers(
            of: device, from: Int64(span.first), through: Int64(span.last), bytesMax: bytesMax)
        let isWhole = read.answers.rows.count == span.count
        guard isWhole || read.hasMore else { throw StorageError.damaged("answers") }
        return (read.answers, read.bytes)
    }
}
