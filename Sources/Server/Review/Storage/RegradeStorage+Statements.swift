import ContentModel
import Foundation
import Ledger
import ServiceAPI
import Tables
import UserData

extension RegradeStorage {
    // MARK: Corrections

    static let state = Statement("SELECT release, digest, swept_through FROM {regrade_state}")

    private static let setting = Statement(
        """
        INSERT INTO {regrade_state} (one, release, digest, swept_through)
        VALUES (1, :release, :digest, :swept_through)
        ON CONFLICT (one) DO UPDATE SET release = excluded.release, digest = excluded.digest,
            swept_through = excluded.swept_through
        """)

    static func setting(_ state: RegradeState) -> Bound {
        setting([
            "release": state.release, "digest": state.digest, "swept_through": state.sweptThrough,
        ])
    }

    static let forgetting = Statement("DELETE FROM {corrected_version}")

    /// The digest is that of the question's name in `own_name`.
    static let correcting = Statement(
        sqlite: """
            INSERT INTO {corrected_version} (bank, question, version)
            SELECT bank, question, version FROM \(named.sqlite)
            """,
        postgres: """
            INSERT INTO {corrected_version} (bank, question, version, digest)
            SELECT bank, question, version, digest FROM \(named.postgres)
            """)

    /// The versions of a set of corrections as rows, see `ServedCorrections.named`.
    private static let named = (
        sqlite: """
        (SELECT value ->> 'bank' AS bank, value ->> 'question' AS question,
            value ->> 'version' AS version FROM json_each(:named))
        """,
        postgres: """
        json_to_recordset(:named::json) AS named
            (bank text, question text, version text, digest uuid)
        """
    )

    // MARK: Accounts

    static let candidates = Statement(
        sqlite: """
            SELECT next.number, next.id FROM (\(DerivedAccounts.next)) AS next
            WHERE EXISTS (
                    SELECT 1 FROM \(named.sqlite) AS named CROSS JOIN answerQuestion AS asked
                    WHERE asked.account = next.number AND asked.bank = named.bank
                        AND asked.question = named.question AND asked.version = named.version)
                OR EXISTS (SELECT 1 FROM {regraded_answer} WHERE account = next.number)
            """,
        postgres: """
            WITH next AS MATERIALIZED (\(DerivedAccounts.next))
            SELECT next.number, next.id FROM next WHERE next.number IN (
                SELECT q.account FROM \(named.postgres)
                    JOIN {own_name} q ON q.account IN (SELECT number FROM next)
                        AND q.digest = named.digest
                    JOIN {own_name} v ON v.account = q.account AND v.kind = 'version'
                        AND v.question = q.number AND v.text = named.version
                UNION
                SELECT r.account FROM {regraded_answer} r
                WHERE r.account IN (SELECT number FROM next))
            """)

    static let notes = Statement(
        """
        SELECT n.number, n.member, a.id FROM {regrade_note} n
            LEFT JOIN {account} a ON a.number = n.member AND a.deleted_at IS NULL
        ORDER BY n.number LIMIT :limit
        """)

    static let done = Statement(
        "DELETE FROM {regrade_note} WHERE member = {me} AND number <= :number")

    static let dropping = Statement("DELETE FROM {regrade_note} WHERE member = :member")

    // MARK: Grades

    /// Returns the statements that read a plan's input: the answers to corrected versions, and stored regrades.
    static func reading(_ corrections: ServedCorrections) -> [Bound] {
        [answers(["named": corrections.named]), grades()]
    }

    private static let answers = Statement(
        sqlite: """
            SELECT * FROM counted_answer
            WHERE account = {me} AND (bank, question, version) IN \(named.sqlite)
            """,
        postgres: """
            SELECT a.device, a.counter, named.bank, named.question, named.version, v.domain,
                s.name AS session, s.mode, coalesce(a.response, o.text) AS options, \(numbers)
            FROM \(named.postgres)
                JOIN {own_name} q ON q.account = {me} AND q.digest = named.digest
                JOIN {own_name} v ON v.account = q.account AND v.kind = 'version'
                    AND v.question = q.number AND v.text = named.version
                JOIN underway.counted_answer a ON a.account = v.account AND a.question = v.number
                JOIN {session} s ON s.account = a.account AND s.number = a.session
                LEFT JOIN {own_name} o ON o.account = a.account AND o.number = a.options
            """)

    /// The numbers of an answer, by the names that SQLite has for them.
    private static let numbers = AnswerField.allCases
        .map { "\($0.expression) AS \"\($0.rawValue)\"" }.joined(separator: ", ")

    private static let grades = Statement(
        """
        SELECT device, counter, bank, session, day, domain, is_correct, credit, correct, points,
            first_points
        FROM {regraded_answer} WHERE account = {me}
        """)

    /// Returns the statements that apply a plan, whose number does not grow with the grades, and that note the account
    /// for the next refresh.
    static func writing(_ plan: RegradePlan) -> [Bound] {
        if plan.isEmpty { return [] }
        let gone = plan.removed + plan.replaced
        return (gone.isEmpty ? [] : [removing(gone)])
            + (plan.written.isEmpty ? [] : [laying(plan.written)]) + [DerivedAccounts.noting()]
    }

    private static let removal = Statement(
        sqlite: """
            DELETE FROM {regraded_answer}
            WHERE account = {me} AND device = :device AND counter = :counter
            """,
        postgres: """
            DELETE FROM {regraded_answer} r USING unnest(:device, :counter) AS u (device, counter)
            WHERE r.account = {me} AND r.device = u.device AND r.counter = u.counter
            """)

    private static func removing(_ grades: [RegradedAnswer]) -> Bound {
        removal(columns: ["device", "counter"], rows: grades.map { [$0.device, $0.counter] })
    }

    private static let layer = Statement(
        sqlite: layer(
            "SELECT {me}, \((0..<11).map { "value ->> \($0)" }.joined(separator: ", "))",
            "json_each(:rows)"),
        postgres: layer(
            "SELECT {me}, *",
            """
            unnest(:devices, :counters, :banks, :sessions, :days, :domains, :are_correct, :credits,
                :corrects, :points, :first_points)
            """))

    private static func layer(_ columns: String, _ rows: String) -> String {
        """
        INSERT INTO {regraded_answer} (account, device, counter, bank, session, day, domain,
            is_correct, credit, correct, points, first_points)
        \(columns) FROM \(rows)
        """
    }

    private static func laying(_ grades: [RegradedAnswer]) -> Bound {
        layer([
            "rows": String(
                decoding: JSONValue.array(grades.map(\.row)).canonicalBytes, as: UTF8.self),
            "devices": grades.map(\.device), "counters": grades.map(\.counter),
            "banks": grades.map(\.bank), "sessions": grades.map(\.session),
            "days": grades.map(\.day), "domains": grades.map(\.domain),
            "are_correct": grades.map(\.grade.isCorrect), "credits": grades.map(\.grade.credit),
            "corrects": grades.map(\.correct), "points": grades.map(\.points),
            "first_points": grades.map(\.firstPoints),
        ])
    }
}

extension ServedCorrections {
    /// The versions as JSON, for a statement.
    var named: String {
        let rows = versions.map { version -> JSONValue in
            let name = AnswerBatch.Name.question(bank: version.bank, id: version.question)
            return [
                "bank": .string(version.bank), "question": .string(version.question),
                "version": .string(version.version),
                "digest": .string(name.digest.uuidString),
            ]
        }
        return String(decoding: JSONValue.array(rows).canonicalBytes, as: UTF8.self)
    }
}

extension RegradeState {
    init(row: TableRow) throws {
        self.init(
            release: try row.value("release"), digest: try row.value("digest"),
            sweptThrough: try row.value("swept_through"))
    }
}

extension RegradePlan {
    /// Decides by the rows of ``RegradeStorage/reading(_:)``.
    init(_ rows: ArraySlice<Rows>, _ corrections: ServedCorrections) throws {
        try self.init(
            rows[rows.startIndex].map(CorrectedAnswer.init),
            known: rows[rows.startIndex + 1].map(RegradedAnswer.init), corrections)
    }
}

extension CorrectedAnswer {
    fileprivate init(row: TableRow) throws {
        let numbers = try EncodedAnswers.Row { field in
            guard field == .credit else {
                return try row.value(field.rawValue, as: Int64?.self).map { .integer($0) }
            }
            return try row.value(field.rawValue, as: Double?.self).map { .real($0) }
        }
        self.init(
            device: try row.value("device"), counter: try row.value("counter"),
            row: EncodedAnswers.answer(
                EncodedAnswers.Question(
                    bank: try row.value("bank"), question: try row.value("question"),
                    domain: try row.value("domain"), version: try row.value("version")),
                EncodedAnswers.Session(
                    session: try row.value("session"), mode: try row.value("mode")),
                options: StoredTexts.texts(try row.value("options")), numbers))
    }
}

extension RegradedAnswer {
    /// The columns behind the account, for SQLite.
    fileprivate var row: JSONValue {
        [
            .integer(Int(device)), .integer(Int(counter)), .string(bank), .integer(Int(session)),
            .integer(Int(day)), .string(domain), .integer(grade.isCorrect ? 1 : 0),
            .decimal(grade.credit), .integer(correct), .integer(points), .integer(firstPoints),
        ]
    }

    fileprivate init(row: TableRow) throws {
        self.init(
            device: try row.value("device"), counter: try row.value("counter"),
            bank: try row.value("bank"), session: try row.value("session"),
            day: try row.value("day"), domain: try row.value("domain"),
            grade: .init(
                isCorrect: try row.value("is_correct"), credit: try row.value("credit")),
            correct: try row.value("correct"), points: try row.value("points"),
            firstPoints: try row.value("first_points"))
    }
}
