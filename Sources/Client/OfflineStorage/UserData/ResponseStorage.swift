import ContentModel
import Foundation
import GRDB
import ServiceAPI
import UserData

/// Reads and writes a user's answers, within a transaction that the caller opened.
struct ResponseStorage {
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

    /// Adds answers with their numbers, and counts them in schedules and statistics.
    func add(_ rows: some Collection<AnswerRow?>, _ client: ClientID, first: UInt64) throws {
        var counter = Int64(first)
        var counted: [CountedAnswer] = []
        counted.reserveCapacity(rows.count)
        var values: [DatabaseValue] = []
        var rest = rows[...]
        while !rest.isEmpty {
            // Many rows share the cost of a statement.
            let count = rest.count < Self.rowsPerInsert ? 1 : Self.rowsPerInsert
            values.removeAll(keepingCapacity: true)
            values.append(user.databaseValue)
            values.append(client.text.databaseValue)
            for row in rest.prefix(count) {
                append(row, counter, to: &values)
                if let row { counted.append(CountedAnswer(row, counter: counter)) }
                counter += 1
            }
            try database.cachedStatement(sql: Self.insertion(rows: count))
                .execute(arguments: StatementArguments(values))
            rest = rest.dropFirst(count)
        }
        try CountingProgress(database: database, user: user)
            .added(counted, of: client, first: first, last: UInt64(counter - 1))
    }

    private static let rowsPerInsert = 32
    private static let singleInsertion = insertion(1)
    private static let multipleInsertion = insertion(rowsPerInsert)

    private static func insertion(rows: Int) -> String {
        rows == 1 ? singleInsertion : multipleInsertion
    }

    /// The user and the device are bound once for all rows.
    private static func insertion(_ rows: Int) -> String {
        let columns = String(repeating: ", ?", count: 15)
        return "INSERT INTO answer VALUES "
            + Array(repeating: "(?1, ?2\(columns))", count: rows).joined(separator: ", ")
    }

    private func append(_ row: AnswerRow?, _ counter: Int64, to values: inout [DatabaseValue]) {
        values.append(counter.databaseValue)
        guard let row else {
            values += repeatElement(.null, count: 14)
            return
        }
        // One by one, since arrays of a few values and key paths cost as much as binding them.
        values.append(row.bank.databaseValue)
        values.append(row.session.databaseValue)
        values.append(row.question.databaseValue)
        values.append(row.domain?.databaseValue ?? .null)
        values.append(row.version.databaseValue)
        values.append(StoredTexts.text(row.options).databaseValue)
        values.append(row.isCorrect.databaseValue)
        values.append(row.credit.databaseValue)
        values.append(row.rating?.databaseValue ?? .null)
        values.append(row.takenMilliseconds.databaseValue)
        values.append(row.exposuresBefore.databaseValue)
        values.append(row.mode.databaseValue)
        values.append(row.isRandomlySelected.databaseValue)
        values.append(row.milliseconds.databaseValue)
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
