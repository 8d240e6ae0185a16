import GRDB
import ServiceAPI
import UserData

extension AnswerStatistics {
    /// Counts the days and domains of answers anew, once these are taken back.
    ///
    /// Cost: two scans of the account's answers, whatever the number of retractions.
    ///
    /// - Parameter rows: The answers.
    /// - Throws: An error of the database.
    func recount(_ rows: [AnswerRow]) throws {
        guard !rows.isEmpty else { return }
        // While answers wait to be counted, all are counted later.
        guard try isComplete() else { return try reset() }
        let days = Set(rows.map { min($0.milliseconds / 86_400_000, AnswerTally.dayMax) })
        try recount(
            Self.days, "[" + days.sorted().map(String.init).joined(separator: ",") + "]")
        let domains = Set(rows.map { [$0.bank, $0.domain ?? ""] })
        try recount(Self.domains, "[" + domains.map(StoredTexts.text).joined(separator: ",") + "]")
    }

    private func recount(_ statements: [String], _ places: String) throws {
        for sql in statements {
            try database.cachedStatement(sql: sql)
                .execute(arguments: ["account": account, "places": places])
        }
    }

    private static let ofDays = """
        FROM (SELECT *, min(milliseconds / 86400000, \(AnswerTally.dayMax)) AS day
            FROM counted_answer WHERE account = :account) AS its
        """
    private static let isDay = "day IN (SELECT value FROM json_each(:places))"
    private static let own = "SELECT number FROM answered_question WHERE account = :account"

    private static let days = [
        "DELETE FROM day_statistics WHERE account = :account AND \(isDay)",
        """
        INSERT INTO day_statistics (account, day, answers, correct, questions, taken_milliseconds)
        SELECT :account, day, count(*), sum(isCorrect),
            count(DISTINCT bank || char(10) || question), sum(takenMilliseconds)
        \(ofDays) WHERE \(isDay) GROUP BY day
        """,
        "DELETE FROM question_day WHERE \(isDay) AND question IN (\(own))",
        """
        INSERT INTO question_day (question, day)
        SELECT DISTINCT known.number, day
        \(ofDays) JOIN answered_question AS known ON known.account = :account
            AND known.bank = its.bank AND known.question = its.question
        WHERE \(isDay)
        """,
    ]

    private static let ofDomains = """
        FROM (SELECT *, coalesce(domain, '') AS place
            FROM counted_answer WHERE account = :account) AS its
        """
    private static let named = "(SELECT value ->> 0, value ->> 1 FROM json_each(:places))"

    private static let domains = [
        "DELETE FROM domain_statistics WHERE account = :account AND (bank, domain) IN \(named)",
        """
        INSERT INTO domain_statistics
            (account, bank, domain, answers, correct, questions, last_milliseconds)
        SELECT :account, bank, place, count(*), sum(isCorrect), count(DISTINCT question),
            max(milliseconds)
        \(ofDomains) WHERE (bank, place) IN \(named) GROUP BY bank, place
        """,
        """
        DELETE FROM question_domain WHERE (question, domain) IN (
            SELECT known.number, named.value ->> 1 FROM json_each(:places) AS named
                JOIN answered_question AS known ON known.account = :account
                    AND known.bank = named.value ->> 0)
        """,
        """
        INSERT INTO question_domain (question, domain)
        SELECT DISTINCT known.number, place
        \(ofDomains) JOIN answered_question AS known ON known.account = :account
            AND known.bank = its.bank AND known.question = its.question
        WHERE (its.bank, place) IN \(named)
        """,
    ]

    /// Returns a device's answers with `nil` for those that are taken back.
    ///
    /// - Parameters:
    ///   - answers: The answers.
    ///   - device: The device's number.
    ///   - number: The number of the answer before them.
    /// - Returns: The answers that count.
    /// - Throws: An error of the database.
    func withoutRetracted(
        _ answers: EncodedAnswers, of device: Int64, after number: Int64
    ) throws -> EncodedAnswers {
        let numbers = try Int64.fetchSet(
            database.cachedStatement(
                sql: """
                    SELECT target_number FROM retraction
                    WHERE account = ? AND holds AND target_number > ?
                        AND target_client = (SELECT name FROM device WHERE number = ?)
                    """),
            arguments: [account, number, device])
        guard !numbers.isEmpty else { return answers }
        let rows = answers.rows.enumerated().map { offset, row in
            numbers.contains(number + 1 + Int64(offset)) ? nil : row
        }
        return EncodedAnswers(
            questions: answers.questions, sessions: answers.sessions,
            responses: answers.responses, rows: rows)
    }
}
