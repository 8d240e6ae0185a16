import ContentModel
import Foundation
import GRDB
import ServiceAPI
import UserData

/// Reads and writes a user's answers, within a transaction that the caller opened.
struct AnswerKeeper {
    let database: Database
    let user: String

    /// True when an answer to that question was kept for that moment of the session.
    func has(_ row: AnswerRow) throws -> Bool {
        let statement = try database.cachedStatement(
            sql: """
                SELECT EXISTS (SELECT 1 FROM answer WHERE user = ? AND bank = ?
                    AND milliseconds = ? AND session = ? AND question = ?)
                """)
        return try Bool.fetchOne(
            statement, arguments: [user, row.bank, row.milliseconds, row.session, row.question])
            ?? false
    }

    /// Adds answers with their numbers.
    func add(_ rows: some Collection<AnswerRow?>, _ client: ClientID, first: UInt64) throws {
        let insert = try database.cachedStatement(
            sql: "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        var counter = Int64(first)
        for row in rows {
            try insert.execute(arguments: arguments(row, client.text, counter))
            counter += 1
        }
    }

    private func arguments(
        _ row: AnswerRow?, _ client: String, _ counter: Int64
    ) -> StatementArguments {
        guard let row else {
            return [
                user, client, counter, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil,
                nil, nil,
            ]
        }
        return [
            user, client, counter, row.bank, row.session, row.question, row.domain, row.version,
            StoredTexts.text(row.options), row.isCorrect, row.credit, row.rating,
            row.takenMilliseconds, row.exposuresBefore, row.mode, row.isRandomlySelected,
            row.milliseconds,
        ]
    }

    /// The answers of a run.
    ///
    /// - Throws: `StoreError` `storage` when one is missing.
    func columns(_ span: AnswerSpan) throws -> AnswerColumns {
        let statement = try database.cachedStatement(
            sql: """
                SELECT * FROM answer WHERE user = ? AND client = ? AND counter BETWEEN ? AND ?
                ORDER BY counter
                """)
        let cursor = try Row.fetchCursor(
            statement,
            arguments: [user, span.client.text, Int64(span.first), Int64(span.last)])
        var rows: [AnswerRow?] = []
        rows.reserveCapacity(span.count)
        while let row = try cursor.next() { rows.append(Self.answer(row)) }
        guard rows.count == span.count else {
            throw StoreError(.storage, "Answers are missing in the store.")
        }
        return AnswerColumns(span: span, rows: rows)
    }

    /// All answers to a bank, in the order in which they were given.
    func rows(of bank: String) throws -> [AnswerRow] {
        let cursor = try Row.fetchCursor(
            database,
            sql: """
                SELECT * FROM answer WHERE user = ? AND bank = ?
                ORDER BY milliseconds, client, counter
                """,
            arguments: [user, bank])
        var rows: [AnswerRow] = []
        while let row = try cursor.next() {
            if let answer = Self.answer(row) { rows.append(answer) }
        }
        return rows
    }

    private static func answer(_ row: Row) -> AnswerRow? {
        guard let bank: String = row[3] else { return nil }
        return AnswerRow(
            bank: bank, session: row[4], question: row[5], domain: row[6], version: row[7],
            options: StoredTexts.texts(row[8]), isCorrect: row[9], credit: row[10],
            rating: row[11], takenMilliseconds: row[12], exposuresBefore: row[13], mode: row[14],
            isRandomlySelected: row[15], milliseconds: row[16])
    }
}
