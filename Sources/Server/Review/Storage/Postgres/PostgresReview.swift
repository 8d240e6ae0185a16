package import Ledger
package import PostgresDriver
import Tables

/// The review of keys in PostgreSQL, for any number of processes.
package struct PostgresReview: ReviewStorage {
    /// The key of the advisory lock of changes of proposals, which is this program's own: "review" in ASCII.
    static let proposalLock: Int64 = 0x7265_7669_6577
    /// The key of the advisory lock of those who number first answers: "first" in ASCII.
    private static let answerLock: Int64 = 0x66_6972_7374
    let pool: PostgresPool

    /// Uses connections of the login `underway_server`.
    package init(_ pool: PostgresPool) { self.pool = pool }

    // MARK: What users sent

    package func applyChanges(atMost limit: Int, now: Int64) async throws -> Bool {
        let changes = try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT c.number, a.id, a.number IS NOT NULL AND a.deleted_at IS NULL AS is_there
                FROM underway.review_change c LEFT JOIN underway.account a ON a.number = c.member
                ORDER BY c.number LIMIT \(limit)
                """
            ).map { row in
                Change(
                    number: try row.value("number"), user: try row.value("id"),
                    isThere: try row.value("is_there", as: Bool?.self) ?? false)
            }
        }
        for user in Set(changes.compactMap { $0.isThere ? $0.user : nil }).sorted() {
            do {
                try await PostgresContributions(pool).apply(user, now: now)
            } catch LedgerError.noAccount {
                // Deleted meanwhile, with all that it contributed.
            }
        }
        let numbers = changes.map(\.number)
        if !numbers.isEmpty {
            _ = try await pool.asKeeper { transaction in
                try transaction.query(
                    "DELETE FROM underway.review_change WHERE number = ANY (\(numbers)::bigint[])")
            }
        }
        return changes.count == limit
    }

    private struct Change {
        var number: Int64
        var user: String?
        var isThere: Bool
    }

    package func firstAnswers(after number: Int64, limit: Int) async throws -> [StoredFirstAnswer] {
        try await numberNewAnswers(atMost: limit)
        return try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT number, contributor, item, response, flags FROM underway.first_answer
                WHERE number > \(number) ORDER BY number LIMIT \(limit)
                """
            ).map { row in
                StoredFirstAnswer(
                    number: try row.value("number"), contributor: try row.value("contributor"),
                    answer: FirstAnswer(
                        item: try row.value("item"), response: try row.value("response"),
                        flags: try row.value("flags")))
            }
        }
    }

    /// Moves new answers into the numbered table, unless another process does so now.
    ///
    /// A contributor who leaves meanwhile is waited for, and their answers go nowhere.
    private func numberNewAnswers(atMost limit: Int) async throws {
        try await pool.asKeeper { transaction in
            let isFree = try transaction.query(
                "SELECT pg_try_advisory_xact_lock(\(Self.answerLock)) AS taken"
            ).column("taken", as: Bool.self).first
            guard isFree == true else { return }
            try transaction.query(
                """
                WITH taken AS (
                    DELETE FROM underway.first_answer_inbox WHERE number = ANY (ARRAY(
                        SELECT number FROM underway.first_answer_inbox
                        ORDER BY number LIMIT \(limit)))
                    RETURNING number, account, item, response, flags),
                giving AS (
                    SELECT account, number FROM underway.contributor
                    WHERE account IN (SELECT account FROM taken) FOR KEY SHARE)
                INSERT INTO underway.first_answer (contributor, item, response, flags)
                SELECT contributor, item, response, flags FROM (
                    SELECT DISTINCT ON (g.number, t.item) g.number AS contributor, t.item,
                        t.response, t.flags, t.number
                    FROM taken t JOIN giving g ON g.account = t.account
                    ORDER BY g.number, t.item, t.number) AS new
                ORDER BY new.number
                ON CONFLICT (contributor, item) DO NOTHING
                """)
        }
    }

    package func contributorCount(through highest: Int64?) async throws -> ContributorCount {
        try await pool.asKeeper { transaction in
            let row = try transaction.query(
                """
                SELECT count(*) AS count, coalesce(max(number), 0) AS highest
                FROM underway.contributor WHERE number <= \(highest ?? .max)
                """
            ).first
            return ContributorCount(
                count: try row?.value("count") ?? 0, highest: try row?.value("highest") ?? 0)
        }
    }

    package func contributors() async throws -> Set<Int64> {
        try await pool.asKeeper { transaction in
            Set(
                try transaction.query("SELECT number FROM underway.contributor")
                    .column("number", as: Int64.self))
        }
    }

    // MARK: Reports

    package func reportCounts() async throws -> [ReportCount] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT bank, question, version, count(*) AS learners FROM underway.question_report
                GROUP BY bank, question, version
                """
            ).map { row in
                ReportCount(
                    bank: try row.value("bank"), question: try row.value("question"),
                    version: try row.value("version"), learners: try row.value("learners"))
            }
        }
    }

    package func reports(
        bank: String?, question: String?, limit: Int
    ) async throws -> [ReceivedReport] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT bank, question, version, reason, text, at FROM underway.question_report
                WHERE (\(bank)::text IS NULL OR bank = \(bank))
                    AND (\(question)::text IS NULL OR question = \(question))
                ORDER BY at DESC, bank, question, text LIMIT \(limit)
                """
            ).map { row in
                ReceivedReport(
                    bank: try row.value("bank"), question: try row.value("question"),
                    version: try row.value("version"), reason: try row.value("reason"),
                    text: try row.value("text"), at: try row.value("at"))
            }
        }
    }

    // MARK: Releases

    package func releaseSpread(limit: Int) async throws -> [ReleaseSpread] {
        try await pool.asKeeper { transaction in
            try transaction.query(
                """
                SELECT release, served_at, half, most, nearly_all FROM underway.release_spread
                ORDER BY release DESC LIMIT \(limit)
                """
            ).map { row in
                var spread = ReleaseSpread(
                    release: try row.value("release"), servedAt: try row.value("served_at"))
                spread.reachedAt = [
                    try row.value("half"), try row.value("most"), try row.value("nearly_all"),
                ]
                return spread
            }
        }
    }

    package func set(_ spread: ReleaseSpread) async throws {
        _ = try await pool.asKeeper { transaction in
            try transaction.query(
                """
                INSERT INTO underway.release_spread (release, served_at, half, most, nearly_all)
                VALUES (\(spread.release), \(spread.servedAt), \(spread.reachedAt[0]),
                    \(spread.reachedAt[1]), \(spread.reachedAt[2]))
                ON CONFLICT (release) DO UPDATE SET served_at = excluded.served_at,
                    half = excluded.half, most = excluded.most, nearly_all = excluded.nearly_all
                """)
        }
    }
}
