extension UserSchema {
    /// Times are counted in steps: of 0.25 s below 10 s, of 2 s below a minute, of 30 s below ten minutes.
    private static let step = """
        CASE WHEN takenMilliseconds < 10000 THEN takenMilliseconds / 250
            WHEN takenMilliseconds < 60000 THEN 40 + (takenMilliseconds - 10000) / 2000
            WHEN takenMilliseconds < 600000 THEN 65 + (takenMilliseconds - 60000) / 30000
            ELSE 83 END
        """

    /// The milliseconds at which the median's step begins.
    private static let median = """
        CASE WHEN step < 40 THEN step * 250 WHEN step < 65 THEN 10000 + (step - 40) * 2000
            ELSE 60000 + (step - 65) * 30000 END
        """

    /// The views of statistics, with corrected grades.
    ///
    /// They rank by windows and select the middle row. SQLite pushes a filter by account through windows that are
    /// partitioned by account, but not through a GROUP BY over them.
    static let views = """
        CREATE VIEW study_streak AS
        WITH days AS (
            SELECT account, day,
                day - row_number() OVER (PARTITION BY account ORDER BY day) AS island
            FROM day_statistics
        )
        SELECT account, date(first * 86400, 'unixepoch') AS first_day,
            date(last * 86400, 'unixepoch') AS last_day, days
        FROM (
            SELECT account, min(day) OVER islands AS first, max(day) OVER islands AS last,
                count(*) OVER islands AS days, row_number() OVER islands AS place
            FROM days WINDOW islands AS (PARTITION BY account, island)
        ) WHERE place = 1;

        CREATE VIEW answers_by_day AS
        SELECT account, date(day * 86400, 'unixepoch') AS day, answers,
            correct + coalesce((SELECT sum(r.correct) FROM regraded_answer AS r
                WHERE r.account = day_statistics.account AND r.day = day_statistics.day), 0)
                AS correct,
            questions, taken_milliseconds
        FROM day_statistics;

        CREATE VIEW answers_by_domain AS
        WITH timed AS (
            SELECT account, bank, coalesce(domain, '') AS domain, \(step) AS step
            FROM counted_answer
        ), ranked AS (
            SELECT account, bank, domain, step, row_number() OVER (
                    PARTITION BY account, bank, domain ORDER BY step) AS place,
                count(*) OVER (PARTITION BY account, bank, domain) AS total
            FROM timed
        ), sums AS (
            SELECT account, bank, domain, answers, questions, last_milliseconds,
                correct + coalesce((SELECT sum(r.correct) FROM regraded_answer AS r
                    WHERE r.account = known.account AND r.bank = known.bank
                        AND r.domain = known.domain), 0) AS correct
            FROM domain_statistics AS known
        )
        SELECT sums.account AS account, sums.bank AS bank, sums.domain AS domain, answers, correct,
            CAST(correct AS REAL) / answers AS accuracy, questions,
            \(median) AS median_milliseconds, last_milliseconds AS last_milliseconds
        FROM sums JOIN ranked ON ranked.account = sums.account
            AND ranked.bank = sums.bank AND ranked.domain = sums.domain
        WHERE place = (total + 1) / 2;

        CREATE VIEW answers_by_difficulty AS
        WITH timed AS (
            SELECT answer.account AS account, answer.bank AS bank, difficulty,
                coalesce(regraded.is_correct, answer.isCorrect) AS isCorrect, \(step) AS step
            FROM counted_answer AS answer
                JOIN question_difficulty AS known
                    ON known.bank = answer.bank AND known.question = answer.question
                LEFT JOIN regraded_answer AS regraded ON regraded.account = answer.account
                    AND regraded.device = answer.device AND regraded.counter = answer.counter
        ), ranked AS (
            SELECT account, bank, difficulty, step, row_number() OVER (
                    PARTITION BY account, bank, difficulty ORDER BY step) AS place,
                count(*) OVER (PARTITION BY account, bank, difficulty) AS answers,
                sum(isCorrect) OVER (PARTITION BY account, bank, difficulty) AS correct
            FROM timed
        )
        SELECT account, bank, difficulty, answers, correct,
            CAST(correct AS REAL) / answers AS accuracy, \(median) AS median_milliseconds
        FROM ranked WHERE place = (answers + 1) / 2;

        CREATE VIEW retention AS
        WITH repeats AS (
            SELECT answer.account AS account,
                coalesce(regraded.is_correct, answer.isCorrect) AS isCorrect,
                (milliseconds - lag(milliseconds) OVER (
                    PARTITION BY answer.account, answer.bank, question
                    ORDER BY milliseconds, answer.device, answer.counter)) / 86400000 AS days
            FROM counted_answer AS answer
                LEFT JOIN regraded_answer AS regraded ON regraded.account = answer.account
                    AND regraded.device = answer.device AND regraded.counter = answer.counter
        ), spans AS (
            SELECT account, isCorrect, CASE WHEN days < 1 THEN 0 WHEN days < 2 THEN 1
                WHEN days < 4 THEN 2 WHEN days < 8 THEN 4 WHEN days < 15 THEN 8
                WHEN days < 31 THEN 15 WHEN days < 91 THEN 31 ELSE 91 END AS days_since
            FROM repeats WHERE days IS NOT NULL
        )
        SELECT account, days_since, answers, correct, CAST(correct AS REAL) / answers AS retention
        FROM (
            SELECT account, days_since,
                row_number() OVER (PARTITION BY account, days_since) AS place,
                count(*) OVER (PARTITION BY account, days_since) AS answers,
                sum(isCorrect) OVER (PARTITION BY account, days_since) AS correct
            FROM spans
        ) WHERE place = 1;
        """
}
