import GRDB
import Ledger
import UserData

/// The check of one account, within a transaction that the caller opened.
struct SQLiteAccountCheck {
    private let database: Database
    private let number: Int64

    init(_ database: Database, _ number: Int64) {
        self.database = database
        self.number = number
    }

    /// Reads all rows of the account; returns `nil` if it was deleted since.
    func run() throws -> AccountAudit? {
        guard
            let row = try Row.fetchOne(
                database,
                sql: """
                    SELECT position, digest, record_bytes, answer_count FROM account
                    WHERE number = ? AND deleted_at IS NULL
                    """, arguments: [number])
        else { return nil }
        var audit = AccountAudit(
            AccountAudit.Totals(
                number: number, position: row["position"], digest: row["digest"],
                recordBytes: row["record_bytes"], collections: nil, answerCount: row["answer_count"]
            ),
            .sqlite)
        try addRecords(to: &audit)
        let unnamed = try count(Self.unnamedAnswers)
        try addDevices(to: &audit, comparesDigests: unnamed == 0)
        audit.add(orphans: unnamed, in: "answerRow")
        if try AnswerStatistics(database, number).isComplete() {
            try audit.add(wrongSums: count(Self.wrongDays) + count(Self.wrongDomains))
        }
        try audit.add(wrongSessions: count(Self.wrongSessions))
        return audit
    }

    private func count(_ sql: String) throws -> Int {
        try Int.fetchOne(database, sql: sql, arguments: ["account": number]) ?? 0
    }

    private func addRecords(to audit: inout AccountAudit) throws {
        let records = try Row.fetchCursor(
            database, sql: "SELECT json, collection, position FROM record WHERE account = ?",
            arguments: [number])
        while let row = try records.next() {
            audit.add(json: row["json"], collection: row["collection"], position: row["position"])
        }
        let mark = try Int64.fetchOne(
            database, sql: "SELECT max(position) FROM mark WHERE account = ?", arguments: [number])
        audit.add(mark: mark ?? 0)
    }

    /// Adds the devices; answers without their names have no digest, and are a finding of their own.
    private func addDevices(to audit: inout AccountAudit, comparesDigests: Bool) throws {
        let devices = try Row.fetchCursor(
            database,
            sql: """
                SELECT number, name, last_answer, answers_sum, answers_cross,
                    (SELECT count(*) FROM answerRow WHERE device = number) AS count,
                    (SELECT coalesce(max(counter), 0) FROM answerRow WHERE device = number)
                        AS greatest
                FROM device WHERE account = ?
                """, arguments: [number])
        let answers = SQLiteAnswers(database, number)
        while let row = try devices.next() {
            let (device, last): (Int64, Int64) = (row["number"], row["last_answer"])
            let stored: SetDigest? = SetDigest(
                count: UInt64(last), sum: row["answers_sum"], cross: row["answers_cross"])
            let computed =
                comparesDigests
                ? try answers.digest(of: device, ClientID(row["name"]), through: last)
                : stored ?? SetDigest()
            audit.add(
                AccountAudit.Device(
                    number: device, last: last, count: row["count"], greatest: row["greatest"],
                    digest: stored, computed: computed))
        }
    }

    // MARK: Statements

    private static let unnamedAnswers = """
        SELECT count(*) FROM answerRow JOIN device ON device.number = answerRow.device
        WHERE device.account = :account AND answerRow.question IS NOT NULL AND (
            NOT EXISTS (SELECT 1 FROM answerQuestion
                WHERE number = answerRow.question AND account = :account)
            OR NOT EXISTS (SELECT 1 FROM answerSession
                WHERE number = answerRow.session AND account = :account)
            OR typeof(answerRow.response) = 'integer' AND NOT EXISTS (SELECT 1 FROM answerResponse
                WHERE number = answerRow.response AND account = :account))
        """

    private static let wrongDays = difference(
        """
        SELECT day, answers, correct, questions, taken_milliseconds FROM day_statistics
            WHERE account = :account
        """,
        """
        SELECT min(milliseconds / 86400000, \(AnswerTally.dayMax)), count(*), sum(isCorrect),
                count(DISTINCT bank || char(10) || question), coalesce(sum(takenMilliseconds), 0)
            FROM counted_answer WHERE account = :account GROUP BY 1
        """)

    private static let wrongDomains = difference(
        """
        SELECT bank, domain, answers, correct, questions, last_milliseconds FROM domain_statistics
            WHERE account = :account
        """,
        """
        SELECT bank, coalesce(domain, ''), count(*), sum(isCorrect), count(DISTINCT question),
                max(milliseconds)
            FROM counted_answer WHERE account = :account GROUP BY 1, 2
        """)

    private static let wrongSessions = difference(
        """
        SELECT bank, sum(answers), sum(first_answers) FROM session_score
            WHERE account = :account GROUP BY 1
        """,
        """
        SELECT bank, count(*), sum(coalesce(exposuresBefore, 0) = 0)
            FROM counted_answer WHERE account = :account AND mode IS NOT 'repeat' GROUP BY 1
        """)

    /// Counts the rows that one query has and the other has not.
    private static func difference(_ stored: String, _ computed: String) -> String {
        """
        SELECT (SELECT count(*) FROM (\(stored) EXCEPT \(computed)))
            + (SELECT count(*) FROM (\(computed) EXCEPT \(stored)))
        """
    }
}
