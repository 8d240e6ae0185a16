import GRDB
import ServiceAPI
import UserData

/// The answers of one user: those of each device numbered from 1 without gaps, only ever added.
struct AnswerTable {
    private let database: Database
    /// The account's number.
    private let account: Int64

    init(_ database: Database, _ account: Int64) {
        self.database = database
        self.account = account
    }

    /// The most rows that are in memory beside a page.
    private static let rowsPerStep = 1_000

    // MARK: Adding

    /// Adds a run that begins behind the last stored answer of its device, and counts it.
    ///
    /// - Throws: `LedgerError` `damaged` for a run that begins elsewhere, or an error of the database.
    func append(_ run: AnswerColumns, to device: Int64) throws {
        let last = try Int64.fetchOne(
            database.cachedStatement(sql: "SELECT lastAnswer FROM device WHERE number = ?"),
            arguments: [device])
        guard let last, run.span.first == UInt64(last) + 1, run.rows.count == run.span.count else {
            throw LedgerError.damaged("answers")
        }
        let insert = try database.cachedStatement(sql: Self.insertion)
        for (offset, row) in run.rows.enumerated() {
            try insert.execute(
                arguments: Self.arguments(row, device, last + 1 + Int64(offset)))
        }
        try database.cachedStatement(sql: "UPDATE device SET lastAnswer = ? WHERE number = ?")
            .execute(arguments: [Int64(run.span.last), device])
        try AnswerStatistics(database, account).added(run.rows, of: device, after: last)
    }

    private static let insertion = """
        INSERT INTO answer (device, counter, bank, session, question, domain, version, options,
            isCorrect, credit, rating, takenMilliseconds, exposuresBefore, mode,
            isRandomlySelected, milliseconds)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private static func arguments(
        _ row: AnswerRow?, _ device: Int64, _ counter: Int64
    ) -> StatementArguments {
        guard let row else {
            return [
                device, counter, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil,
                nil,
            ]
        }
        return [
            device, counter, row.bank, row.session, row.question, row.domain, row.version,
            StoredTexts.text(row.options), row.isCorrect, row.credit, row.rating,
            row.takenMilliseconds, row.exposuresBefore, row.mode, row.isRandomlySelected,
            row.milliseconds,
        ]
    }

    // MARK: Reading

    /// Reads runs of answers, as many as the limit on bytes allows, at least one.
    func page(_ spans: [AnswerSpan], bytesMax: Int) throws -> AnswerPage {
        var (bytes, page) = (0, AnswerPage())
        for span in spans {
            var rows: [AnswerRow?] = []
            reading: while rows.count < span.count {
                let step = min(Self.rowsPerStep, span.count - rows.count)
                let next = AnswerSpan(
                    client: span.client, first: span.first + UInt64(rows.count), count: step)
                for row in try self.rows(next) {
                    bytes += row?.estimatedBytes ?? 1
                    guard bytes <= bytesMax || rows.isEmpty && page.runs.isEmpty else {
                        page.hasMore = true
                        break reading
                    }
                    rows.append(row)
                }
            }
            guard !rows.isEmpty else { break }
            let part = AnswerSpan(client: span.client, first: span.first, count: rows.count)
            page.runs.append(AnswerColumns(span: part, rows: rows))
            if rows.count < span.count { break }
        }
        return page
    }

    /// Reads a run of stored answers.
    ///
    /// - Throws: `LedgerError` `damaged` when one is missing, or an error of the database.
    func rows(_ span: AnswerSpan) throws -> [AnswerRow?] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(StoredAnswer.columns) FROM answer
                JOIN device ON device.number = answer.device
                WHERE device.account = ? AND device.name = ? AND counter BETWEEN ? AND ?
                ORDER BY counter
                """)
        let reader = try StoredAnswer(statement)
        let cursor = try Row.fetchCursor(
            statement,
            arguments: [account, span.client.text, Int64(span.first), Int64(span.last)])
        var rows: [AnswerRow?] = []
        rows.reserveCapacity(span.count)
        while let row = try cursor.next() { rows.append(reader.answer(row)) }
        guard rows.count == span.count else { throw LedgerError.damaged("answers") }
        return rows
    }
}
