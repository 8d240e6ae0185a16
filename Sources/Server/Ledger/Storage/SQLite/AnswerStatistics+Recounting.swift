import GRDB
import ServiceAPI
import UserData

extension AnswerStatistics {
    /// Counts the days and domains of answers anew, once these are taken back.
    ///
    /// Cost: one scan of the account's answers, about 1.5 µs for each, whatever the number of retractions.
    ///
    /// - Parameter rows: The answers.
    /// - Throws: An error of the database.
    func recount(_ rows: [AnswerRow]) throws {
        guard !rows.isEmpty else { return }
        // While answers wait to be counted, all are counted later.
        guard try isComplete() else { return try reset() }
        let places = Self.places(of: rows)
        try database.execute(sql: Self.scratch)
        for sql in [Self.scan] + Self.days + Self.domains {
            try database.cachedStatement(sql: sql)
                .execute(arguments: ["account": account, "places": places])
        }
        try database.execute(sql: "DELETE FROM temp.recounted")
    }

    /// Returns the days and domains of answers as JSON.
    private static func places(of rows: [AnswerRow]) -> String {
        let days = Set(rows.map { min($0.milliseconds / 86_400_000, AnswerTally.dayMax) })
        let domains = Set(rows.map { [$0.bank, $0.domain ?? ""] })
        return #"{"days":[\#(days.sorted().map(String.init).joined(separator: ","))],"#
            + #""domains":[\#(domains.map(StoredTexts.text).joined(separator: ","))]}"#
    }

    /// The answers of the days and of the domains, for the time of one recount.
    private static let scratch = """
        CREATE TEMP TABLE IF NOT EXISTS recounted (
            bank TEXT, question TEXT, domain TEXT, day INTEGER, is_correct INTEGER, taken INTEGER,
            at INTEGER)
        """

    // The numbers of questions are compared: without a look-up for each answer of the account.
    private static let scan = """
        INSERT INTO temp.recounted
        SELECT bank, question, coalesce(domain, ''),
            min(milliseconds / 86400000, \(AnswerTally.dayMax)), isCorrect, takenMilliseconds,
            milliseconds
        FROM counted_answer WHERE account = :account
            AND (min(milliseconds / 86400000, \(AnswerTally.dayMax)) IN \(recountedDays)
                OR asked IN (SELECT number FROM answerQuestion
                    WHERE account = :account AND (bank, coalesce(domain, '')) IN \(named)))
        """

    private static let recountedDays = "(SELECT value FROM json_each(:places, '$.days'))"
    private static let named = """
        (SELECT value ->> 0, value ->> 1 FROM json_each(:places, '$.domains'))
        """
    /// The answers with the numbers of their questions.
    private static let numbered = """
        FROM temp.recounted AS its JOIN answered_question AS known ON known.account = :account
            AND known.bank = its.bank AND known.question = its.question
        """

    private static let days = [
        "DELETE FROM day_statistics WHERE account = :account AND day IN \(recountedDays)",
        """
        INSERT INTO day_statistics (account, day, answers, correct, questions, taken_milliseconds)
        SELECT :account, day, count(*), sum(is_correct),
            count(DISTINCT bank || char(10) || question), sum(taken)
        FROM temp.recounted WHERE day IN \(recountedDays) GROUP BY day
        """,
        """
        DELETE FROM question_day WHERE day IN \(recountedDays)
            AND question IN (SELECT number FROM answered_question WHERE account = :account)
        """,
        """
        INSERT INTO question_day (question, day)
        SELECT DISTINCT known.number, day \(numbered) WHERE day IN \(recountedDays)
        """,
    ]

    private static let domains = [
        "DELETE FROM domain_statistics WHERE account = :account AND (bank, domain) IN \(named)",
        """
        INSERT INTO domain_statistics
            (account, bank, domain, answers, correct, questions, last_milliseconds)
        SELECT :account, bank, domain, count(*), sum(is_correct), count(DISTINCT question), max(at)
        FROM temp.recounted WHERE (bank, domain) IN \(named) GROUP BY bank, domain
        """,
        """
        DELETE FROM question_domain WHERE (question, domain) IN (
            SELECT known.number, named.value ->> 1 FROM json_each(:places, '$.domains') AS named
                JOIN answered_question AS known ON known.account = :account
                    AND known.bank = named.value ->> 0)
        """,
        """
        INSERT INTO question_domain (question, domain)
        SELECT DISTINCT known.number, its.domain \(numbered)
        WHERE (its.bank, its.domain) IN \(named)
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
