import Ledger
import Tables
import UserData

extension ReviewStorage {
    // MARK: What users sent

    static let changes = Statement(
        """
        SELECT c.number, a.id FROM {review_change} c
            LEFT JOIN {account} a ON a.number = c.member AND a.deleted_at IS NULL
        ORDER BY c.number LIMIT :limit
        """)

    static let applied = Statement("DELETE FROM {review_change} WHERE number {in :numbers}")

    static let records = Statement(
        """
        SELECT collection, id, json FROM {record} WHERE account = {me} AND deleted_at IS NULL
            AND collection IN ('consents', 'questionReports')
        ORDER BY position DESC
        """)

    static let membership = Statement("SELECT number FROM {contributor} WHERE account = {me}")

    static let joining = Statement("INSERT INTO {contributor} (account, since) VALUES ({me}, :now)")

    static let leaving = Statement("DELETE FROM {contributor} WHERE account = {me}")

    // MARK: First answers

    static let answers = Statement(
        """
        SELECT number, contributor, item, response, flags FROM {first_answer}
        WHERE number > :number ORDER BY number LIMIT :limit
        """)

    /// Finds a row while answers have no number yet.
    static let waiting = Statement(postgres: "SELECT number FROM {first_answer_inbox} LIMIT 1")

    /// Takes the lock of those who number first answers, which is this program's own: "first" in ASCII.
    static let numberingAlone = Statement(
        postgres: "SELECT pg_try_advisory_xact_lock(\(0x66_6972_7374 as Int64)) AS taken")

    static let numbering = Statement(
        postgres: """
            WITH taken AS (
                DELETE FROM {first_answer_inbox} WHERE number = ANY (ARRAY(
                    SELECT number FROM {first_answer_inbox} WHERE NOT is_retracted
                    ORDER BY number LIMIT :limit))
                RETURNING number, account, item, response, flags),
            giving AS (
                SELECT account, number FROM {contributor}
                WHERE account IN (SELECT account FROM taken) FOR KEY SHARE)
            INSERT INTO {first_answer} (contributor, item, response, flags)
            SELECT contributor, item, response, flags FROM (
                SELECT DISTINCT ON (g.number, t.item) g.number AS contributor, t.item,
                    t.response, t.flags, t.number
                FROM taken t JOIN giving g ON g.account = t.account
                ORDER BY g.number, t.item, t.number) AS new
            ORDER BY new.number
            ON CONFLICT (contributor, item) DO NOTHING
            """)

    /// Replaces first answers that were taken back by rows without a response, which get a later number.
    ///
    /// An answer is numbered before: the account's lock orders both in the inbox.
    static let retracting = Statement(
        postgres: """
            WITH taken AS (
                DELETE FROM {first_answer_inbox} WHERE number = ANY (ARRAY(
                    SELECT number FROM {first_answer_inbox}
                    WHERE is_retracted AND number < coalesce((SELECT min(number)
                        FROM {first_answer_inbox} WHERE NOT is_retracted), 9223372036854775807)
                    ORDER BY number LIMIT :limit))
                RETURNING account, item, response, flags)
            UPDATE {first_answer} f SET number = DEFAULT, response = ''
            FROM taken t JOIN {contributor} c ON c.account = t.account
            WHERE f.contributor = c.number AND f.item = t.item AND f.response = t.response
                AND f.flags = t.flags
            """)

    static let contributorCount = Statement(
        """
        SELECT count(*) AS count, coalesce(max(number), 0) AS highest
        FROM {contributor} WHERE number <= :highest
        """)

    static let contributors = Statement("SELECT number FROM {contributor}")

    // MARK: Reports

    static let ownReports = Statement(
        """
        SELECT bank, question, version, reason, text FROM {question_report} WHERE account = {me}
        """)

    private static let removing = Statement(
        """
        DELETE FROM {question_report}
        WHERE account = {me} AND bank = :bank AND question = :question
        """)

    static func removing(_ report: QuestionReport) -> Bound {
        removing(["bank": report.bank, "question": report.question])
    }

    /// One that was there keeps the time at which it came.
    private static let adding = Statement(
        """
        INSERT INTO {question_report} (account, bank, question, version, reason, text, at)
        VALUES ({me}, :bank, :question, :version, :reason, :text, :at)
        ON CONFLICT (account, bank, question) DO UPDATE SET version = excluded.version,
            reason = excluded.reason, text = excluded.text
        """)

    static func adding(_ report: QuestionReport, _ now: Int64) -> Bound {
        adding([
            "bank": report.bank, "question": report.question, "version": report.version,
            "reason": report.reason.rawValue, "text": report.text, "at": now,
        ])
    }

    static let reportCounts = Statement(
        """
        SELECT bank, question, version, count(*) AS learners FROM {question_report}
        GROUP BY bank, question, version
        """)

    static let reports = Statement(
        """
        SELECT bank, question, version, reason, text, at FROM {question_report}
        WHERE bank = coalesce(:bank, bank) AND question = coalesce(:question, question)
        ORDER BY at DESC, bank, question, text LIMIT :limit
        """)
}

extension StoredFirstAnswer {
    init(row: TableRow) throws {
        self.init(
            number: try row.value("number"), contributor: try row.value("contributor"),
            answer: FirstAnswer(
                item: try row.value("item"), response: try row.value("response"),
                flags: try row.value("flags")))
    }
}

extension QuestionReport {
    init(row: TableRow) throws {
        self.init(
            bank: try row.value("bank"), question: try row.value("question"),
            version: try row.value("version"),
            reason: Reason(rawValue: try row.value("reason")) ?? .other,
            text: try row.value("text"))
    }
}
