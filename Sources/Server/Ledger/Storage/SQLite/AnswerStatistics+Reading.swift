import GRDB

extension AnswerStatistics {
    /// Reads the newest days and the first domains, by the grades of now.
    func progress() throws -> AnswerProgress {
        try counted(
            days: """
                correct + coalesce((SELECT sum(r.correct) FROM regraded_answer AS r
                    WHERE r.account = day_statistics.account AND r.day = day_statistics.day), 0)
                """,
            domains: """
                correct + coalesce((SELECT sum(r.correct) FROM regraded_answer AS r
                    WHERE r.account = domain_statistics.account AND r.bank = domain_statistics.bank
                        AND r.domain = domain_statistics.domain), 0)
                """)
    }

    private func counted(days: String, domains: String) throws -> AnswerProgress {
        try read(
            days: """
                SELECT day, answers, \(days) AS correct, questions, taken_milliseconds
                FROM day_statistics
                WHERE account = ? ORDER BY day DESC LIMIT \(AnswerProgress.daysMax)
                """,
            domains: """
                SELECT bank, domain, answers, \(domains) AS correct, questions, last_milliseconds
                FROM domain_statistics
                WHERE account = ? ORDER BY bank, domain LIMIT \(AnswerProgress.domainsMax)
                """)
    }

    /// Computes the same from all answers, by the grades that they were stored with: seconds where there are a million.
    func recomputed() throws -> AnswerProgress {
        try read(
            days: """
                SELECT min(milliseconds / 86400000, \(AnswerTally.dayMax)) AS day,
                    count(*) AS answers, sum(isCorrect) AS correct,
                    count(DISTINCT bank || char(10) || question) AS questions,
                    sum(takenMilliseconds) AS taken_milliseconds
                FROM counted_answer WHERE account = ?
                GROUP BY 1 ORDER BY 1 DESC LIMIT \(AnswerProgress.daysMax)
                """,
            domains: """
                SELECT bank, coalesce(domain, '') AS domain, count(*) AS answers,
                    sum(isCorrect) AS correct, count(DISTINCT question) AS questions,
                    max(milliseconds) AS last_milliseconds
                FROM counted_answer WHERE account = ?
                GROUP BY 1, 2 ORDER BY 1, 2 LIMIT \(AnswerProgress.domainsMax)
                """)
    }

    /// Returns true when what is stored is what the answers say.
    ///
    /// - Throws: An error of the database.
    func isSound() throws -> Bool {
        try counted(days: "correct", domains: "correct") == recomputed()
    }

    private func read(days: String, domains: String) throws -> AnswerProgress {
        AnswerProgress(
            days: try Row.fetchAll(database, sql: days, arguments: [account]).map { row in
                AnswerProgress.Day(
                    day: row["day"], answers: row["answers"], correct: row["correct"],
                    questions: row["questions"], takenMilliseconds: row["taken_milliseconds"])
            },
            domains: try Row.fetchAll(database, sql: domains, arguments: [account]).map { row in
                AnswerProgress.Domain(
                    bank: row["bank"], domain: row["domain"], answers: row["answers"],
                    correct: row["correct"], questions: row["questions"],
                    lastMilliseconds: row["last_milliseconds"])
            })
    }
}
