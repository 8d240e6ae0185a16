/// Views of a user's answers, for a dashboard; SQLite has the same.
enum StatisticsViews {
    /// All of them, with what they need.
    static let all = [steps, sums, single, rights]

    /// The steps in which times are counted: of 0.25 s below 10 s, of 2 s below a minute, of 30 s below ten minutes.
    static let steps = """
        CREATE FUNCTION underway.time_step(milliseconds integer) RETURNS integer
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            RETURN CASE WHEN milliseconds < 10000 THEN milliseconds / 250
                WHEN milliseconds < 60000 THEN 40 + (milliseconds - 10000) / 2000
                WHEN milliseconds < 600000 THEN 65 + (milliseconds - 60000) / 30000 ELSE 83 END;

        CREATE FUNCTION underway.step_start(step bigint) RETURNS bigint
            LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            RETURN CASE WHEN step < 40 THEN step * 250 WHEN step < 65 THEN 10000 + (step - 40) * 2000
                ELSE 60000 + (step - 65) * 30000 END;
        """

    /// The views of sums, with what new grades add.
    static let sums = """
        CREATE VIEW underway.answers_by_day WITH (security_invoker = TRUE) AS
        SELECT d.account, date '1970-01-01' + d.day AS day, sum(d.answers) AS answers,
            sum(d.correct) + coalesce((SELECT sum(r.correct) FROM underway.regraded_answer r
                WHERE r.account = d.account AND r.day = d.day), 0) AS correct,
            sum(d.questions_of_day) AS questions, sum(d.taken)::bigint AS taken_milliseconds
        FROM underway.answer_day d GROUP BY d.account, d.day;

        CREATE VIEW underway.answers_by_domain WITH (security_invoker = TRUE) AS
        WITH steps AS (
            SELECT d.account, d.bank, d.domain, h.place - 1 AS step, sum(h.answers) AS answers
            FROM underway.answer_day d, unnest(d.histogram) WITH ORDINALITY h (answers, place)
            GROUP BY d.account, d.bank, d.domain, h.place
        ), running AS (
            SELECT account, bank, domain, step,
                sum(answers) OVER (PARTITION BY account, bank, domain ORDER BY step) AS through,
                sum(answers) OVER (PARTITION BY account, bank, domain) AS total
            FROM steps
        ), medians AS (
            SELECT account, bank, domain, underway.step_start(min(step)) AS milliseconds
            FROM running WHERE through * 2 >= total GROUP BY account, bank, domain
        ), sums AS (
            SELECT d.account, d.bank, d.domain, sum(d.answers) AS answers,
                sum(d.correct) + coalesce((SELECT sum(r.correct) FROM underway.regraded_answer r
                    WHERE r.account = d.account AND r.bank = d.bank AND r.domain = d.domain), 0)
                    AS correct,
                sum(d.questions_of_domain) AS questions, max(d.last_at) AS last_milliseconds
            FROM underway.answer_day d GROUP BY d.account, d.bank, d.domain
        )
        SELECT s.account, s.bank, s.domain, s.answers, s.correct,
            s.correct::double precision / s.answers AS accuracy, s.questions,
            m.milliseconds AS median_milliseconds, s.last_milliseconds
        FROM sums s JOIN medians m USING (account, bank, domain);

        CREATE VIEW underway.study_streak WITH (security_invoker = TRUE) AS
        WITH days AS (
            SELECT account, day, day - row_number() OVER (PARTITION BY account ORDER BY day) AS island
            FROM underway.answer_day GROUP BY account, day
        )
        SELECT account, date '1970-01-01' + min(day) AS first_day, date '1970-01-01' + max(day) AS last_day,
            count(*) AS days
        FROM days GROUP BY account, island;
        """

    /// The views of single answers, by their new grades where they have one; that by difficulty needs the tables of
    /// content.
    static let single = """
        CREATE VIEW underway.retention WITH (security_invoker = TRUE) AS
        WITH repeats AS (
            SELECT a.account, (a.flags & 1) + coalesce(r.correct, 0) AS correct,
                (a.at - lag(a.at) OVER (PARTITION BY a.account, v.question
                    ORDER BY a.at, a.device, a.counter)) / 86400000 AS days
            FROM underway.counted_answer a
                JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
                LEFT JOIN underway.regraded_answer r ON r.account = a.account
                    AND r.device = a.device AND r.counter = a.counter
        ), spans AS (
            SELECT account, correct, CASE WHEN days < 1 THEN 0 WHEN days < 2 THEN 1 WHEN days < 4 THEN 2
                WHEN days < 8 THEN 4 WHEN days < 15 THEN 8 WHEN days < 31 THEN 15 WHEN days < 91 THEN 31
                ELSE 91 END AS days_since
            FROM repeats WHERE days IS NOT NULL
        )
        SELECT account, days_since, count(*) AS answers, sum(correct) AS correct,
            sum(correct)::double precision / count(*) AS retention
        FROM spans GROUP BY account, days_since;

        CREATE VIEW underway.answers_by_difficulty WITH (security_invoker = TRUE) AS
        SELECT a.account, q.bank, c.difficulty, count(*) AS answers,
            sum((a.flags & 1) + coalesce(r.correct, 0)) AS correct,
            sum((a.flags & 1) + coalesce(r.correct, 0))::double precision / count(*) AS accuracy,
            underway.step_start(percentile_disc(0.5) WITHIN GROUP (
                ORDER BY underway.time_step(a.taken))) AS median_milliseconds
        FROM underway.counted_answer a
            -- One row each by its key: the planner expects few answers, and would compare all with all.
            CROSS JOIN LATERAL (SELECT v.question FROM underway.own_name v
                WHERE v.account = a.account AND v.number = a.question LIMIT 1) v
            CROSS JOIN LATERAL (SELECT q.bank, q.text FROM underway.own_name q
                WHERE q.account = a.account AND q.number = v.question LIMIT 1) q
            CROSS JOIN LATERAL (SELECT c.difficulty FROM content.questions c
                WHERE c.region = split_part(q.bank, '/', 1)
                    AND c.exam = substr(q.bank, strpos(q.bank, '/') + 1) AND c.id = q.text
                LIMIT 1) c
            LEFT JOIN underway.regraded_answer r ON r.account = a.account
                AND r.device = a.device AND r.counter = a.counter
        GROUP BY a.account, q.bank, c.difficulty;
        """

    /// The users' rights to read; row level security limits them to their own rows.
    static let rights = """
        GRANT SELECT ON underway.counted_answer, underway.answers_by_day, underway.answers_by_domain,
            underway.study_streak, underway.retention, underway.answers_by_difficulty TO authenticated;
        """
}
