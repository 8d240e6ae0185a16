import Ledger
import PostgresDriver
import ServiceAPI
import Tables
import UserData

/// Applies what a user agreed to and reported, as the user.
struct PostgresContributions {
    private let pool: PostgresPool

    init(_ pool: PostgresPool) { self.pool = pool }

    /// Applies the consents and reports of an account as its records have them now.
    ///
    /// - Throws: `LedgerError`.
    func apply(_ user: String, now: Int64) async throws {
        try await pool.asUser(user) { transaction in
            let results = try transaction.pipeline([
                """
                SELECT collection, id, json FROM underway.record
                WHERE account = underway.claim() AND deleted_at IS NULL
                    AND collection IN ('consents', 'questionReports') ORDER BY position DESC
                """, Contributions.state,
            ])
            let records = ReviewRecords.read(
                try results[0].map {
                    (try $0.value("collection"), try $0.value("id"), try $0.value("json"))
                })
            let isGiven = records.consent.map { Consent.isGiven($0.values) } ?? false
            let isContributor = try results[1].column("contributes", as: Bool.self).first ?? false
            if isGiven, !isContributor { try Self.join(transaction, now: now) }
            if !isGiven, isContributor {
                try transaction.query(
                    "DELETE FROM underway.contributor WHERE account = underway.claim()")
            }
            try Self.replaceReports(by: records.reports, transaction, now: now)
        }
    }

    private static func join(_ transaction: PostgresTransaction, now: Int64) throws {
        try transaction.query(
            """
            INSERT INTO underway.contributor (account, since)
            VALUES (underway.claim(), \(now))
            """)
        var left = ServiceLimits.firstAnswersPerConsent
        try AnswerLoader.forEachRun(in: transaction) { answers in
            guard left > 0 else { return }
            let first = Array(FirstAnswer.all(in: answers).prefix(left))
            if !first.isEmpty { try transaction.query(Contributions.adding(first)) }
            left -= first.count
        }
    }

    /// Replaces the reports; one that was there keeps the time at which it came.
    private static func replaceReports(
        by reports: [QuestionReport], _ transaction: PostgresTransaction, now: Int64
    ) throws {
        try transaction.query(
            """
            WITH known AS (
                DELETE FROM underway.question_report WHERE account = underway.claim()
                    AND NOT (bank, question) IN (SELECT * FROM unnest(
                        \(reports.map(\.bank))::text[], \(reports.map(\.question))::text[])))
            INSERT INTO underway.question_report AS known
                (account, bank, question, version, reason, text, at)
            SELECT DISTINCT ON (r.bank, r.question) underway.claim(), r.bank, r.question, r.version,
                r.reason, r.text, \(now)
            FROM unnest(\(reports.map(\.bank))::text[], \(reports.map(\.question))::text[],
                \(reports.map(\.version))::text[], \(reports.map(\.reason.rawValue))::text[],
                \(reports.map(\.text))::text[])
                WITH ORDINALITY AS r (bank, question, version, reason, text, place)
            ORDER BY r.bank, r.question, r.place
            ON CONFLICT (account, bank, question) DO UPDATE SET version = excluded.version,
                reason = excluded.reason, text = excluded.text
            """)
    }
}
