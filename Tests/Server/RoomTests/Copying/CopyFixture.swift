import Foundation
import GRDB
import PostgresDriver
import Testing

/// The rows of databases of users, read by statements that the copy does not use.
enum CopyFixture {
    /// Reads every table and view of a folder, a list of texts for each.
    static func contents(_ folder: String) throws -> [String: [String]] {
        let connection = try DatabaseQueue(path: folder + "/users.sqlite")
        return try connection.read { database in
            try statements.mapValues { sql in
                try Row.fetchAll(database, sql: sql).map { row in
                    row.map { name, value in "\(name)=\(text(value))" }.joined(separator: " ")
                }
            }
        }
    }

    private static func text(_ value: DatabaseValue) -> String {
        if case .blob(let data) = value.storage { return data.base64EncodedString() }
        return "\(value)"
    }

    private static let statements = [
        "setting": "SELECT * FROM setting ORDER BY name",
        "account": "SELECT * FROM account ORDER BY number",
        "password": "SELECT * FROM password ORDER BY account",
        "identity": "SELECT * FROM identity ORDER BY issuer, subject",
        "email_code": "SELECT * FROM email_code ORDER BY account, hash",
        "refresh_token": "SELECT * FROM refresh_token ORDER BY hash",
        "record": "SELECT * FROM record ORDER BY account, position",
        "damaged_record": "SELECT * FROM damaged_record ORDER BY account, position",
        "mark": "SELECT * FROM mark ORDER BY account, position",
        "device": """
        SELECT account, name, last_answer, processed_before, request_number, request_hash, head_position,
            head_epoch, last_seen_at, is_retired, counted FROM device ORDER BY account, number
        """,
        "result": """
        SELECT d.account, d.name, v.counter, v.hash, v.kind, v.revision, v.refusal
        FROM result v JOIN device d ON d.number = v.device ORDER BY d.account, d.name, v.counter
        """,
        "retraction": """
        SELECT * FROM retraction ORDER BY account, target_client, target_number, client, number
        """,
        "answer": """
        SELECT d.account, d.name, a.counter, a.bank, a.session, a.question, a.domain, a.version,
            a.options, a.isCorrect, a.credit, a.rating, a.takenMilliseconds, a.exposuresBefore,
            a.mode, a.isRandomlySelected, a.milliseconds, a.offsetMinutes
        FROM answer a JOIN device d ON d.number = a.device ORDER BY d.account, d.name, a.counter
        """,
        "board_profile": "SELECT * FROM board_profile ORDER BY account",
        "board_definition": "SELECT * FROM board_definition ORDER BY name",
        "event": "SELECT number, id, name, text, frozen_at, places FROM event ORDER BY number",
        "event_submission": "SELECT * FROM event_submission ORDER BY event, account, id",
        "event_score": """
        SELECT event, account, score, second, submissions, rank FROM event_score
        ORDER BY event, account
        """,
        "device_content": """
        SELECT d.account, d.name, c.release, c.obstacle, c.since, c.day
        FROM device_content c JOIN device d ON d.number = c.device ORDER BY d.account, d.name
        """,
        "role": "SELECT * FROM role ORDER BY account, role",
        "audit": "SELECT * FROM audit ORDER BY number",
        "day_statistics": "SELECT * FROM day_statistics ORDER BY account, day",
        "domain_statistics": "SELECT * FROM domain_statistics ORDER BY account, bank, domain",
        "answers_by_day": "SELECT * FROM answers_by_day ORDER BY account, day",
        "answers_by_domain": "SELECT * FROM answers_by_domain ORDER BY account, bank, domain",
        "study_streak": "SELECT * FROM study_streak ORDER BY account, first_day",
        "retention": "SELECT * FROM retention ORDER BY account, days_since",
    ]

    /// The views of statistics of both databases, in one form.
    static let views: [(name: String, columns: [String], order: String)] = [
        (
            "answers_by_day", ["answers", "correct", "questions", "taken_milliseconds"],
            "account, day"
        ),
        (
            "answers_by_domain",
            ["answers", "correct", "questions", "median_milliseconds", "last_milliseconds"],
            "account, bank, domain"
        ),
        ("study_streak", ["days"], "account, first_day"),
        ("retention", ["days_since", "answers", "correct"], "account, days_since"),
    ]

    /// Reads the views of a folder.
    static func views(_ folder: String) throws -> [String] {
        try DatabaseQueue(path: folder + "/users.sqlite").read { database in
            try views.flatMap { view in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT account, \(view.columns.joined(separator: ", ")) FROM \(view.name)
                        ORDER BY \(view.order)
                        """
                ).map { row in
                    (["account"] + view.columns).map { "\(row[$0] as Int64)" }.joined(
                        separator: " ")
                }
            }
        }
    }

    /// Reads the views of a database.
    static func views(_ users: PostgresUsers) async throws -> [String] {
        var lines: [String] = []
        for view in views {
            let columns = ["account"] + view.columns
            let list = columns.map { "\($0)::bigint AS \($0)" }.joined(separator: ", ")
            let rows = try await users.execute(
                PostgresStatement(
                    sql: "SELECT \(list) FROM underway.\(view.name) ORDER BY \(view.order)"))[0]
            lines += try rows.map { row in
                try columns.map { "\(try row.value($0, as: Int64.self))" }.joined(separator: " ")
            }
        }
        return lines
    }

    /// Returns the accounts whose derived values are not what their rows say.
    static func contradictions(_ users: PostgresUsers) async throws -> [String] {
        try await users.execute(
            """
            SELECT 'collections of ' || a.id AS what FROM underway.account a
            WHERE collections <> coalesce((SELECT jsonb_object_agg(collection, records)
                FROM (SELECT collection, count(*) AS records FROM underway.record r
                    WHERE r.account = a.number GROUP BY collection) AS counts), '{}')
            UNION ALL
            SELECT 'identity of ' || id FROM underway.account
            WHERE (user_id IS NULL) <> (deleted_at IS NOT NULL)
            UNION ALL
            SELECT 'answers of ' || d.name FROM underway.device d
            WHERE last_answer <> (SELECT count(*) FROM underway.answer a
                WHERE a.account = d.account AND a.device = d.number)
            UNION ALL
            SELECT 'sums of ' || account FROM (
                SELECT account, sum(answers) AS answers FROM underway.answer_day GROUP BY account
            ) AS sums
            WHERE answers <> (SELECT count(*) FROM underway.counted_answer a
                WHERE a.account = sums.account)
            """)[0].column("what")
    }

    /// The number of rows of each table of a database, and whether its rows are guarded.
    static func state(_ users: PostgresUsers) async throws -> [String: String] {
        let tables = try await users.execute(
            """
            SELECT relname::text AS name, relforcerowsecurity AS is_forced FROM pg_class
            WHERE relnamespace = 'underway'::regnamespace AND relkind = 'r'
            """)[0]
        var state: [String: String] = [:]
        for table in tables {
            let name: String = try table.value("name")
            let count = try await users.execute(
                "SELECT count(*) AS n FROM underway.\(identifier: name)")[0].column(
                    "n", as: Int.self)
            state[name] = "\(count) \(try table.value("is_forced", as: Bool.self))"
        }
        return state
    }
}
