import Foundation
import Ledger
import PostgresDriver
import Tables
import UserData

/// The check of one account, as its own user.
struct PostgresAccountCheck: Sendable {
    /// The accounts whose numbers are read at once.
    private static let accountsPerPage = 1_000

    /// Transactions that see one state of the database.
    static let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)

    /// The account's number.
    let number: Int64
    private let id: String
    /// The subject of its user's tokens; a live account has one.
    private let user: UUID?

    /// Reads which accounts there are, in the order of their numbers.
    static func page(
        after last: Int64, in transaction: PostgresTransaction
    ) throws -> [PostgresAccountCheck] {
        try transaction.query(UserClaims.keeper)
        return try transaction.query(
            """
            SELECT number, id, user_id FROM underway.account
            WHERE number > \(last) AND (user_id IS NOT NULL OR deleted_at IS NULL)
                AND id NOT LIKE 'moving %' ORDER BY number
            LIMIT \(accountsPerPage)
            """
        ).map { row in
            PostgresAccountCheck(
                number: try row.value("number"), id: try row.value("id"),
                user: try row.value("user_id"))
        }
    }

    private var isForeign: Bool { UserClaims(of: id).user != user }

    /// The findings that need no row of the account.
    var findings: [DatabaseFinding] {
        guard isForeign else { return [] }
        return [
            DatabaseFinding(
                .identity, "account \(number)",
                "Its user_id is not that of its id: nobody can open it.",
                remedy: "Run as a superuser: UPDATE underway.account SET user_id ="
                    + " '\(UserClaims(of: id).user.uuidString.lowercased())' WHERE number = \(number);"
            )
        ]
    }

    /// Reads all rows of the account; returns `nil` if it was deleted since, or cannot be opened.
    func run(in transaction: PostgresTransaction) throws -> AccountAudit? {
        guard !isForeign else { return nil }
        do {
            try transaction.pipeline([
                UserClaims(of: id).statement, "SELECT underway.enter_1(false)",
                // Names and sums are joined for all answers at once, whatever the planner expects of few.
                """
                SELECT set_config('statement_timeout', '0', true),
                    set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)
                """,
            ])
        } catch let error as PostgresError where error.code == .noAccount {
            return nil
        }
        guard let row = try transaction.query(Self.totals).first,
            try row.value("number", as: Int64.self) == number
        else { return nil }
        var audit = AccountAudit(try Self.totals(row), .postgres)
        try transaction.forEachRow(of: Self.records) { row in
            audit.add(
                json: try row.value("json"), collection: try row.value("collection"),
                position: try row.value("position"))
        }
        for row in try transaction.query(Self.devices) {
            audit.add(try device(row, in: transaction))
        }
        let results = try transaction.pipeline(
            [Self.mark, Self.orphans, Self.wrongSessions] + Self.wrongSums)
        audit.add(mark: try results[0][0].value("position"))
        audit.add(
            orphans: try results[1][0].value("unowned"), in: "underway.answer")
        audit.add(orphans: try results[1][0].value("unnamed"), in: "underway.own_name")
        audit.add(wrongSessions: try results[2][0].value("rows"))
        let wrong = try results.dropFirst(3).map { try $0[0].value("rows", as: Int.self) }
        audit.add(wrongSums: wrong.reduce(0, +))
        return audit
    }

    private func device(
        _ row: PostgresRow, in transaction: PostgresTransaction
    ) throws -> AccountAudit.Device {
        let (last, count) = (try row.number("last_answer"), try row.number("count"))
        let stored = SetDigest(
            count: last, sum: try row.value("answers_sum"), cross: try row.value("answers_cross"))
        var computed = stored ?? SetDigest()
        // Where answers or their names are missing, that is the finding.
        if last == count {
            do {
                computed = try AnswerLoader.digest(
                    of: ClientID(try row.value("name")), through: last, in: transaction)
            } catch StorageError.damaged {}
        }
        return AccountAudit.Device(
            number: try row.value("number"), last: Int64(last), count: Int64(count),
            greatest: try row.value("greatest"), digest: stored, computed: computed)
    }

    private static func totals(_ row: PostgresRow) throws -> AccountAudit.Totals {
        AccountAudit.Totals(
            number: try row.value("number"), position: try row.value("position"),
            digest: try row.value("digest"), recordBytes: try row.value("record_bytes"),
            collections: Dictionary(
                zip(
                    try row.value("collection_names", as: [String].self),
                    try row.value("collection_counts", as: [Int].self)),
                uniquingKeysWith: { $1 }),
            answerCount: try row.value("answer_count"))
    }

    /// Finds that the account is there and could not be opened.
    func isStillThere(in transaction: PostgresTransaction) throws -> Bool {
        try transaction.query(UserClaims.keeper)
        return try transaction.query(
            "SELECT number FROM underway.account WHERE number = \(number) AND deleted_at IS NULL"
        ).count > 0
    }

    /// The finding that its own user does not see the account.
    var unopened: DatabaseFinding {
        DatabaseFinding(
            .identity, "account \(number)",
            "Its own user does not see it: a policy or the function underway.claim, underway.enter_1 or"
                + " auth.uid is another one.",
            remedy:
                "Stop the servers, since a user may see rows of another. Restore the functions from a"
                + " database that `underway db migrate` made.")
    }

    // MARK: Statements

    private static let totals: PostgresStatement = """
        SELECT number, position, digest, record_bytes, answer_count,
            ARRAY(SELECT key FROM jsonb_each_text(collections) ORDER BY key) AS collection_names,
            ARRAY(SELECT value::bigint FROM jsonb_each_text(collections) ORDER BY key)
                AS collection_counts
        FROM underway.account WHERE number = underway.claim()
        """

    private static let records: PostgresStatement = """
        SELECT json::text AS json, collection, position FROM underway.record
        WHERE account = underway.claim()
        """

    private static let devices: PostgresStatement = """
        SELECT d.number::bigint AS number, d.name, d.answers_sum, d.answers_cross, d.last_answer::bigint AS last_answer, count(a.counter) AS count,
            coalesce(max(a.counter), 0)::bigint AS greatest
        FROM underway.device d LEFT JOIN underway.answer a
            ON a.account = d.account AND a.device = d.number
        WHERE d.account = underway.claim() GROUP BY d.account, d.number
        """

    private static let mark: PostgresStatement = """
        SELECT coalesce(max(position), 0) AS position FROM underway.mark
        WHERE account = underway.claim()
        """

    private static let orphans: PostgresStatement = """
        SELECT
            (SELECT count(*) FROM underway.answer a
                LEFT JOIN underway.device d ON d.account = a.account AND d.number = a.device
                LEFT JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
                    AND v.kind = 'version'
                LEFT JOIN underway.session s ON s.account = a.account AND s.number = a.session
                LEFT JOIN underway.own_name o ON o.account = a.account AND o.number = a.options
                    AND o.kind = 'options'
                WHERE a.account = underway.claim() AND (d.number IS NULL
                    OR a.question IS NOT NULL AND (v.number IS NULL OR s.number IS NULL)
                    OR a.options IS NOT NULL AND o.number IS NULL)) AS unowned,
            (SELECT count(*) FROM underway.own_name v
                LEFT JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
                    AND q.kind = 'question'
                WHERE v.account = underway.claim() AND v.kind = 'version' AND q.number IS NULL)
                AS unnamed
        """

    /// Each counts the rows that only one of two queries has.
    private static let wrongSums = [
        difference(
            """
            SELECT day, bank COLLATE "C", domain COLLATE "C", answers, correct, taken, last_at, histogram
            FROM underway.answer_day WHERE account = underway.claim()
            """,
            """
            SELECT day, bank COLLATE "C", domain COLLATE "C", answers, correct, taken, last_at, histogram
            FROM underway.answer_sums_1(underway.claim())
            """),
        difference(
            "SELECT day, question FROM underway.question_day WHERE account = underway.claim()",
            "SELECT DISTINCT day, question FROM underway.counted_answers_1(underway.claim())"),
        difference(
            """
            SELECT question, domain COLLATE "C" FROM underway.question_domain
            WHERE account = underway.claim()
            """,
            """
            SELECT DISTINCT question, domain COLLATE "C"
            FROM underway.counted_answers_1(underway.claim())
            """),
        difference(
            """
            SELECT day, sum(questions_of_day) FROM underway.answer_day
            WHERE account = underway.claim() GROUP BY day
            """,
            """
            SELECT day, count(DISTINCT question) FROM underway.counted_answers_1(underway.claim())
            GROUP BY day
            """),
        difference(
            """
            SELECT bank COLLATE "C", domain COLLATE "C", sum(questions_of_domain)
            FROM underway.answer_day WHERE account = underway.claim() GROUP BY bank, domain
            """,
            """
            SELECT bank COLLATE "C", domain COLLATE "C", count(DISTINCT question)
            FROM underway.counted_answers_1(underway.claim()) GROUP BY bank, domain
            """),
    ]

    private static let wrongSessions = difference(
        """
        SELECT bank COLLATE "C", sum(answers), sum(first_answers) FROM underway.session_score
        WHERE account = underway.claim() GROUP BY bank
        """,
        """
        SELECT q.bank COLLATE "C", count(*), count(*) FILTER (WHERE a.exposures = 0)
        FROM underway.counted_answer a
            JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
            JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
            LEFT JOIN underway.session s ON s.account = a.account AND s.number = a.session
        WHERE a.account = underway.claim() AND s.mode IS DISTINCT FROM 'repeat' GROUP BY q.bank
        """)

    private static func difference(_ stored: String, _ computed: String) -> PostgresStatement {
        """
        SELECT (SELECT count(*) FROM (\(sql: stored) EXCEPT \(sql: computed)) AS stored)
            + (SELECT count(*) FROM (\(sql: computed) EXCEPT \(sql: stored)) AS computed) AS rows
        """
    }
}
