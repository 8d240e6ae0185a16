/// The answers that count, and the sums of days and domains once some of them are taken back.
enum CountedAnswers {
    /// All answers but retractions and those that are taken back; SQLite has the same.
    static let view = """
        CREATE VIEW underway.counted_answer WITH (security_invoker = TRUE) AS
        SELECT a.* FROM underway.answer a
        WHERE a.question IS NOT NULL
            AND (a.response IS NULL OR substr(a.response, 1, 11) <> '["#retract"')
            AND NOT EXISTS (SELECT FROM underway.retraction r
                JOIN underway.device d ON d.account = r.account AND d.name = r.target_client
                WHERE r.account = a.account AND d.number = a.device
                    AND r.target_number = a.counter AND r.holds);
        """

    /// The steps of a query over `counted` that end with `histograms` and `sums` of each day and domain.
    ///
    /// Columns have their table's name, since a function may return columns of the same names.
    static let sums = """
        steps AS (
            SELECT c.day, c.bank, c.domain, c.step, count(*) AS answers
            FROM counted c GROUP BY c.day, c.bank, c.domain, c.step
        ), filled AS (
            SELECT s.day, s.bank, s.domain, s.step, s.answers FROM steps s
            UNION ALL
            SELECT t.day, t.bank, t.domain, g.step, 0
            FROM (SELECT s.day, s.bank, s.domain, max(s.step) AS step
                    FROM steps s GROUP BY s.day, s.bank, s.domain) t
                CROSS JOIN LATERAL generate_series(0, t.step) g (step)
        ), whole AS (
            SELECT f.day, f.bank, f.domain, f.step, sum(f.answers)::integer AS answers
            FROM filled f GROUP BY f.day, f.bank, f.domain, f.step
        ), histograms AS (
            SELECT w.day, w.bank, w.domain, array_agg(w.answers ORDER BY w.step) AS histogram
            FROM whole w GROUP BY w.day, w.bank, w.domain
        ), sums AS (
            SELECT c.day, c.bank, c.domain, count(*)::integer AS answers,
                sum(c.correct)::integer AS correct, sum(c.taken)::bigint AS taken,
                max(c.at) AS last_at
            FROM counted c GROUP BY c.day, c.bank, c.domain
        )
        """

    /// Counts days and domains of the user's answers anew.
    ///
    /// One scan of the account's answers reads those of the days and of the domains, so each row of `answer_day` whose sums
    /// are written has all its answers. Without nested loops, because the rows of all days are joined with each other.
    static let recounting = """
        CREATE FUNCTION underway.ledger_recount_1(p_days integer[], p_banks text[], p_domains text[])
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan
            SET enable_nestloop = off AS $$
        DECLARE
            v_account bigint := claim();
        BEGIN
            WITH named AS (
                SELECT DISTINCT u.bank, u.domain FROM unnest(p_banks, p_domains) u (bank, domain)
            ), counted AS MATERIALIZED (
                SELECT c.*, time_step(c.taken) AS step, n.bank IS NOT NULL AS is_named
                FROM counted_answers_1(v_account) c
                    LEFT JOIN named n ON n.bank = c.bank AND n.domain = c.domain
                WHERE c.day = ANY (p_days) OR n.bank IS NOT NULL
            ), gone_of_day AS (
                DELETE FROM question_day k WHERE k.account = v_account AND k.day = ANY (p_days)
                    AND NOT EXISTS (SELECT FROM counted c
                        WHERE c.day = k.day AND c.question = k.question)
            ), gone_of_domain AS (
                DELETE FROM question_domain k USING own_name q, named n
                WHERE k.account = v_account AND q.account = v_account AND q.number = k.question
                    AND n.bank = q.bank AND n.domain = k.domain
                    AND NOT EXISTS (SELECT FROM counted c
                        WHERE c.question = k.question AND c.domain = k.domain)
            ), gone AS (
                DELETE FROM answer_day d USING named n
                WHERE d.account = v_account AND d.day = ANY (p_days)
                    AND n.bank = d.bank AND n.domain = d.domain
                    AND NOT EXISTS (SELECT FROM counted c
                        WHERE c.day = d.day AND c.bank = d.bank AND c.domain = d.domain)
            ), \(sums), of_day AS (
                SELECT day, bank, domain, count(*)::integer AS questions
                FROM (SELECT DISTINCT ON (day, question) day, bank, domain FROM counted
                    ORDER BY day, question, at, domain) f
                GROUP BY day, bank, domain
            ), of_domain AS (
                SELECT day, bank, domain, count(*)::integer AS questions
                FROM (SELECT DISTINCT ON (question, domain) day, bank, domain FROM counted
                    WHERE is_named ORDER BY question, domain, at, day) f
                GROUP BY day, bank, domain
            )
            UPDATE answer_day d SET answers = s.answers, correct = s.correct, taken = s.taken,
                last_at = s.last_at, histogram = h.histogram,
                questions_of_day = CASE WHEN d.day = ANY (p_days) THEN coalesce(y.questions, 0)
                    ELSE d.questions_of_day END,
                questions_of_domain = CASE WHEN n.bank IS NOT NULL THEN coalesce(o.questions, 0)
                    ELSE d.questions_of_domain END
            FROM sums s JOIN histograms h USING (day, bank, domain)
                LEFT JOIN named n USING (bank, domain)
                LEFT JOIN of_day y USING (day, bank, domain)
                LEFT JOIN of_domain o USING (day, bank, domain)
            WHERE d.account = v_account AND d.day = s.day AND d.bank = s.bank
                AND d.domain = s.domain;
        END $$;
        """
}
