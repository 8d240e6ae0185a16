import GRDB

extension UserSchema {
    /// Adds what lays new grades over stored answers, and lets the views show them.
    static func registerRegrading(_ migrator: inout DatabaseMigrator) {
        migrator.registerMigration("v12 regrading") { database in
            try database.execute(sql: regrading)
            try database.execute(sql: correctedViews)
        }
    }

    /// An answer is never changed: a row of `regradedAnswer` has its new grade, and what that adds to sums.
    ///
    /// A note is a row of its own, never one that is written again: what is removed must not be what came meanwhile.
    private static let regrading = """
        CREATE TABLE correctedVersion (
            bank TEXT NOT NULL,
            question TEXT NOT NULL,
            version TEXT NOT NULL,
            PRIMARY KEY (bank, question, version)
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE regradeState (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            release INTEGER NOT NULL,
            digest TEXT NOT NULL,
            sweptThrough INTEGER
        ) STRICT;

        CREATE TABLE regradeNote (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            member INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX regradeNoteByMember ON regradeNote (member);

        CREATE TABLE regradedAnswer (
            account INTEGER NOT NULL REFERENCES account (number) ON DELETE CASCADE,
            device INTEGER NOT NULL,
            counter INTEGER NOT NULL,
            bank TEXT NOT NULL,
            session INTEGER NOT NULL,
            day INTEGER NOT NULL,
            domain TEXT NOT NULL,
            isCorrect INTEGER NOT NULL CHECK (isCorrect IN (0, 1)),
            credit REAL NOT NULL,
            correct INTEGER NOT NULL CHECK (correct BETWEEN -1 AND 1),
            points INTEGER NOT NULL,
            firstPoints INTEGER NOT NULL,
            PRIMARY KEY (account, device, counter)
        ) STRICT, WITHOUT ROWID;
        """

    private static let correctedViews = """
        DROP VIEW answers_by_day;
        CREATE VIEW answers_by_day AS
        SELECT account, date(day * 86400, 'unixepoch') AS day, answers,
            correct + coalesce((SELECT sum(r.correct) FROM regradedAnswer AS r
                WHERE r.account = dayStatistics.account AND r.day = dayStatistics.day), 0)
                AS correct,
            questions, takenMilliseconds AS taken_milliseconds
        FROM dayStatistics;

        DROP VIEW answers_by_domain;
        CREATE VIEW answers_by_domain AS
        WITH timed AS (
            SELECT device.account AS account, bank, coalesce(domain, '') AS domain, \(step) AS step
            FROM answer JOIN device ON device.number = answer.device WHERE bank IS NOT NULL
        ), ranked AS (
            SELECT account, bank, domain, step, row_number() OVER (
                    PARTITION BY account, bank, domain ORDER BY step) AS place,
                count(*) OVER (PARTITION BY account, bank, domain) AS total
            FROM timed
        ), sums AS (
            SELECT account, bank, domain, answers, questions, lastMilliseconds,
                correct + coalesce((SELECT sum(r.correct) FROM regradedAnswer AS r
                    WHERE r.account = known.account AND r.bank = known.bank
                        AND r.domain = known.domain), 0) AS correct
            FROM domainStatistics AS known
        )
        SELECT sums.account AS account, sums.bank AS bank, sums.domain AS domain, answers, correct,
            CAST(correct AS REAL) / answers AS accuracy, questions,
            \(median) AS median_milliseconds, lastMilliseconds AS last_milliseconds
        FROM sums JOIN ranked ON ranked.account = sums.account
            AND ranked.bank = sums.bank AND ranked.domain = sums.domain
        WHERE place = (total + 1) / 2;

        DROP VIEW answers_by_difficulty;
        CREATE VIEW answers_by_difficulty AS
        WITH timed AS (
            SELECT device.account AS account, answer.bank AS bank, difficulty,
                coalesce(regraded.isCorrect, answer.isCorrect) AS isCorrect, \(step) AS step
            FROM answer JOIN device ON device.number = answer.device
                JOIN questionDifficulty AS known
                    ON known.bank = answer.bank AND known.question = answer.question
                LEFT JOIN regradedAnswer AS regraded ON regraded.account = device.account
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

        DROP VIEW retention;
        CREATE VIEW retention AS
        WITH repeats AS (
            SELECT device.account AS account,
                coalesce(regraded.isCorrect, answer.isCorrect) AS isCorrect,
                (milliseconds - lag(milliseconds) OVER (
                    PARTITION BY device.account, answer.bank, question
                    ORDER BY milliseconds, answer.device, answer.counter)) / 86400000 AS days
            FROM answer JOIN device ON device.number = answer.device
                LEFT JOIN regradedAnswer AS regraded ON regraded.account = device.account
                    AND regraded.device = answer.device AND regraded.counter = answer.counter
            WHERE answer.bank IS NOT NULL
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
