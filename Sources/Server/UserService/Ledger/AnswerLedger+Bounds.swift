import GRDB
import ServiceAPI
import UserData

extension AnswerLedger {
    /// Adds what is new of runs of answers, as far as the account and one request may.
    ///
    /// What is left out of a run is missing from `held`, so the device sends it again.
    /// - Returns: True when the account holds as many answers as it may.
    func take(_ runs: [AnswerColumns]) throws -> Bool {
        guard !runs.isEmpty else { return false }
        var held = try held()
        var room = try AnswerRoom(account, in: database)
        for run in runs {
            let known = held[run.span.client]
            guard run.span.first <= known + 1, run.span.last > known else { continue }
            if known == 0, held.lasts.count >= ServiceLimits.devicesWithAnswersMax {
                room.isFull = true
                continue
            }
            let skipped = Int(known + 1 - run.span.first)
            let count = room.take(run.rows.dropFirst(skipped))
            guard count > 0 else { continue }
            let rows = Array(run.rows.prefix(skipped + count))
            let span = AnswerSpan(
                client: run.span.client, first: run.span.first, count: rows.count)
            try add(AnswerColumns(span: span, rows: rows))
            held.take(span)
        }
        try database.cachedStatement(sql: "UPDATE account SET answerBytes = ? WHERE number = ?")
            .execute(arguments: [room.bytes, account.number])
        return room.isFull
    }

    /// True when a device sends other answers under numbers that it used before.
    ///
    /// - Parameters:
    ///   - columns: The run.
    ///   - last: The number of the device's last stored answer.
    /// - Returns: True when an answer that both sides could read differs.
    /// - Throws: `LedgerError`, or an error of the database.
    func contradicts(_ columns: AnswerColumns, upTo last: UInt64) throws -> Bool {
        let span = columns.span
        guard span.first <= last else { return false }
        let count = Int(min(span.last, last) - span.first + 1)
        let stored = try rows(AnswerSpan(client: span.client, first: span.first, count: count))
        return zip(stored, columns.rows).contains { one, other in
            // What one side could not take says nothing.
            if let one, let other { one != other } else { false }
        }
    }

    /// Reads runs of answers, as many as a reply may have.
    func page(_ spans: [AnswerSpan], _ hasMore: inout Bool) throws -> [AnswerColumns] {
        var (bytes, page) = (0, [AnswerColumns]())
        for span in spans {
            var rows: [AnswerRow?] = []
            reading: while rows.count < span.count {
                let step = min(Self.rowsPerStep, span.count - rows.count)
                let next = AnswerSpan(
                    client: span.client, first: span.first + UInt64(rows.count), count: step)
                for row in try self.rows(next) {
                    bytes += row?.estimatedBytes ?? 1
                    guard bytes <= ServiceLimits.replyBytesMax || rows.isEmpty && page.isEmpty
                    else {
                        hasMore = true
                        break reading
                    }
                    rows.append(row)
                }
            }
            guard !rows.isEmpty else { break }
            let part = AnswerSpan(client: span.client, first: span.first, count: rows.count)
            page.append(AnswerColumns(span: part, rows: rows))
            if hasMore, rows.count < span.count { break }
        }
        return page
    }

    /// The most rows that are in memory beside a page.
    private static let rowsPerStep = 1_000
}

/// The room that an account and a request have for answers.
private struct AnswerRoom {
    /// The bytes of all answers.
    private(set) var bytes: Int
    private var count: Int
    private var requestBytes = 0
    /// True when answers were left out because the account holds as many as it may.
    var isFull = false

    init(_ account: LedgerAccount, in database: Database) throws {
        let row = try Row.fetchOne(
            database.cachedStatement(
                sql: "SELECT answerBytes, answerCount FROM account WHERE number = ?"),
            arguments: [account.number])
        bytes = row?[0] ?? 0
        count = row?[1] ?? 0
    }

    /// Takes rows as long as there is room.
    ///
    /// - Returns: How many were taken.
    mutating func take(_ rows: ArraySlice<AnswerRow?>) -> Int {
        var taken = 0
        for row in rows {
            let size = row?.estimatedBytes ?? 16
            if count >= ServiceLimits.answersPerUserMax
                || bytes + size > ServiceLimits.answerBytesPerUserMax
            {
                isFull = true
                return taken
            }
            guard requestBytes + size <= ServiceLimits.answerBytesPerRequestMax else {
                return taken
            }
            requestBytes += size
            bytes += size
            count += 1
            taken += 1
        }
        return taken
    }
}
