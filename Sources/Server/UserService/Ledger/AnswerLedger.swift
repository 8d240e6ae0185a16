import ContentModel
package import GRDB
import ServiceAPI
package import UserData

/// The answers of one user: those of each device numbered from 1 without gaps, only ever added.
package struct AnswerLedger {
    let database: Database
    let account: LedgerAccount

    package init(_ database: Database, _ account: LedgerAccount) {
        self.database = database
        self.account = account
    }

    /// How many answers of each device are kept.
    package func held() throws -> AnswerVector {
        let statement = try database.cachedStatement(
            sql: "SELECT name, lastAnswer FROM device WHERE account = ? AND lastAnswer > 0")
        var lasts: [ClientID: UInt64] = [:]
        let rows = try Row.fetchCursor(statement, arguments: [account.number])
        while let row = try rows.next() { lasts[ClientID(row[0])] = UInt64(row[1] as Int64) }
        return AnswerVector(lasts)
    }

    /// Adds what is new of a run; a run behind a gap is left for when the gap is filled.
    func add(_ columns: AnswerColumns) throws {
        let device = try LedgerDevice(columns.span.client, of: account, in: database)
        let last =
            try Int64.fetchOne(
                database.cachedStatement(sql: "SELECT lastAnswer FROM device WHERE number = ?"),
                arguments: [device.number]) ?? 0
        let known = UInt64(last)
        let span = columns.span
        guard span.first <= known + 1, span.last > known, try hasRoom(columns.rows.count) else {
            return
        }
        let skipped = Int(known + 1 - span.first)
        let insert = try database.cachedStatement(sql: Self.insertion)
        for (offset, row) in columns.rows.enumerated().dropFirst(skipped) {
            try insert.execute(arguments: arguments(row, device.number, span.first, offset))
        }
        try database.execute(
            sql: "UPDATE device SET lastAnswer = ? WHERE number = ?",
            arguments: [Int64(span.last), device.number])
        try AnswerStatistics(database, account)
            .added(columns.rows.dropFirst(skipped), of: device.number, after: last)
        try database.execute(
            sql: "UPDATE account SET answerCount = answerCount + ? WHERE number = ?",
            arguments: [columns.rows.count - skipped, account.number])
    }

    private func hasRoom(_ count: Int) throws -> Bool {
        let kept = try Int.fetchOne(
            database, sql: "SELECT answerCount FROM account WHERE number = ?",
            arguments: [account.number])
        return (kept ?? 0) + count <= ServiceLimits.answersPerUserMax
    }

    private static let insertion = """
        INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    private func arguments(
        _ row: AnswerRow?, _ device: Int64, _ first: UInt64, _ offset: Int
    ) -> StatementArguments {
        let counter = Int64(first) + Int64(offset)
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

    /// The answers that a device does not have, up to one reply's.
    func rows(
        beyond known: AnswerVector, held: AnswerVector, _ hasMore: inout Bool
    ) throws -> [AnswerColumns] {
        let limit = ServiceLimits.answersPerReplyMax
        let spans = held.beyond(known, limit: limit)
        let sent = spans.reduce(0) { $0 + $1.count }
        if sent == limit, held.beyond(known, limit: limit + 1).reduce(0, { $0 + $1.count }) > limit
        {
            hasMore = true
        }
        return try page(spans, &hasMore)
    }

    func rows(_ span: AnswerSpan) throws -> [AnswerRow?] {
        let statement = try database.cachedStatement(
            sql: """
                SELECT answer.* FROM answer JOIN device ON device.number = answer.device
                WHERE device.account = ? AND device.name = ? AND counter BETWEEN ? AND ?
                ORDER BY counter
                """)
        let cursor = try Row.fetchCursor(
            statement,
            arguments: [
                account.number, span.client.text, Int64(span.first), Int64(span.last),
            ])
        var rows: [AnswerRow?] = []
        rows.reserveCapacity(span.count)
        while let row = try cursor.next() { rows.append(Self.answer(row)) }
        guard rows.count == span.count else { throw LedgerError.damaged("answers") }
        return rows
    }

    static func answer(_ row: Row) -> AnswerRow? {
        guard let bank: String = row[2] else { return nil }
        return AnswerRow(
            bank: bank, session: row[3], question: row[4], domain: row[5], version: row[6],
            options: StoredTexts.texts(row[7]), isCorrect: row[8], credit: row[9],
            rating: row[10], takenMilliseconds: row[11], exposuresBefore: row[12], mode: row[13],
            isRandomlySelected: row[14], milliseconds: row[15])
    }
}
