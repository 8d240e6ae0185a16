import PostgresDriver
import UserData

extension PostgresLedger {
    package func records(
        of user: String, in collection: String, after id: String, limit: Int, bytesMax: Int
    ) async throws -> RecordPage {
        let statement: PostgresStatement = """
            SELECT json::text AS json FROM underway.record
            WHERE account = underway.claim() AND collection = \(collection) AND id > \(id)
                AND deleted_at IS NULL
            ORDER BY id LIMIT \(Int64(limit) + 1)
            """
        return try await read(of: user, [statement]) { results in
            var (page, bytes) = (RecordPage(), 0)
            for json in try results[0].column("json", as: String.self) {
                guard let record = StoredJSON.readable(json) else { continue }
                bytes += json.utf8.count
                page.hasMore =
                    page.records.count >= limit || bytes > bytesMax && !page.records.isEmpty
                if page.hasMore { break }
                page.records.append(record)
            }
            return page
        }
    }

    package func progress(of user: String) async throws -> AnswerProgress? {
        try await read(of: user, [Self.days, Self.domains]) { results in
            AnswerProgress(
                days: try results[0].map { row in
                    AnswerProgress.Day(
                        day: try row.value("day"), answers: try row.value("answers"),
                        correct: try row.value("correct"), questions: try row.value("questions"),
                        takenMilliseconds: try row.value("taken"))
                },
                domains: try results[1].map { row in
                    AnswerProgress.Domain(
                        bank: try row.value("bank"), domain: try row.value("domain"),
                        answers: try row.value("answers"), correct: try row.value("correct"),
                        questions: try row.value("questions"),
                        lastMilliseconds: try row.value("last_at"))
                })
        }
    }

    private static let days: PostgresStatement = """
        SELECT day, sum(answers) AS answers,
            sum(correct) + coalesce((SELECT sum(r.correct) FROM underway.regraded_answer r
                WHERE r.account = underway.claim() AND r.day = answer_day.day), 0) AS correct,
            sum(questions_of_day) AS questions, sum(taken)::bigint AS taken
        FROM underway.answer_day WHERE account = underway.claim()
        GROUP BY day ORDER BY day DESC LIMIT \(sql: "\(AnswerProgress.daysMax)")
        """

    private static let domains: PostgresStatement = """
        SELECT bank, domain, sum(answers) AS answers,
            sum(correct) + coalesce((SELECT sum(r.correct) FROM underway.regraded_answer r
                WHERE r.account = underway.claim() AND r.bank = answer_day.bank
                    AND r.domain = answer_day.domain), 0) AS correct,
            sum(questions_of_domain) AS questions, max(last_at) AS last_at
        FROM underway.answer_day WHERE account = underway.claim()
        GROUP BY bank, domain ORDER BY bank, domain LIMIT \(sql: "\(AnswerProgress.domainsMax)")
        """
}
