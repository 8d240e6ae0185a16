extension LedgerMigration {
    /// Adds the sums of a run of answers.
    ///
    /// Without nested loops, because the rows that are new are joined with all that were offered.
    static let counting = """
        CREATE FUNCTION underway.count_answers(
            p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[],
            p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[],
            p_day_questions integer[], p_day_places integer[], p_domain_questions integer[],
            p_domain_places integer[])
            RETURNS void LANGUAGE plpgsql VOLATILE SET search_path = underway, pg_temp
            SET enable_nestloop = off AS $$
        BEGIN
            WITH of_day AS (
                SELECT p_names[u.question] AS question, p_days[u.place] AS day, u.place
                FROM unnest(p_day_questions, p_day_places) u (question, place)
            ), new_of_day AS (
                INSERT INTO question_day (account, day, question)
                    SELECT claim(), day, question FROM of_day
                    ON CONFLICT DO NOTHING RETURNING day, question
            ), of_domain AS (
                SELECT p_names[u.question] AS question, p_domains[u.place] AS domain, u.place
                FROM unnest(p_domain_questions, p_domain_places) u (question, place)
            ), new_of_domain AS (
                INSERT INTO question_domain (account, question, domain)
                    SELECT claim(), question, domain FROM of_domain
                    ON CONFLICT DO NOTHING RETURNING question, domain
            ), days AS (
                SELECT place, count(*) AS questions FROM of_day JOIN new_of_day USING (day, question)
                GROUP BY place
            ), domains AS (
                SELECT place, count(*) AS questions
                FROM of_domain JOIN new_of_domain USING (question, domain) GROUP BY place
            )
            INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
                    questions_of_domain, taken, last_at, histogram)
                SELECT claim(), u.day, u.bank, u.domain, u.answers, u.correct,
                    coalesce(days.questions, 0), coalesce(domains.questions, 0), u.taken, u.last_at,
                    u.histogram::integer[]
                FROM unnest(p_days, p_banks, p_domains, p_answers, p_correct, p_taken, p_lasts,
                    p_histograms) WITH ORDINALITY
                    u (day, bank, domain, answers, correct, taken, last_at, histogram, place)
                    LEFT JOIN days USING (place) LEFT JOIN domains USING (place)
                ON CONFLICT (account, day, bank, domain) DO UPDATE SET
                    answers = answer_day.answers + excluded.answers,
                    correct = answer_day.correct + excluded.correct,
                    questions_of_day = answer_day.questions_of_day + excluded.questions_of_day,
                    questions_of_domain = answer_day.questions_of_domain + excluded.questions_of_domain,
                    taken = answer_day.taken + excluded.taken,
                    last_at = greatest(answer_day.last_at, excluded.last_at),
                    histogram = ARRAY(
                        SELECT coalesce(h.one, 0) + coalesce(h.other, 0)
                        FROM unnest(answer_day.histogram, excluded.histogram)
                            WITH ORDINALITY h (one, other, place) ORDER BY h.place);
        END $$;
        """

    /// Reads runs of answers, and the names in them.
    ///
    /// At least the first two answers are read, and the one that exceeds the limit of bytes: more than whoever counts
    /// the texts too can use.
    static let answerReading = """
        CREATE FUNCTION underway.answers_1(
            p_devices text[], p_firsts bigint[], p_lasts bigint[], p_bytes bigint)
            RETURNS TABLE (
                place integer, counter integer, question integer, session integer, options integer,
                at bigint, taken integer, exposures integer, flags smallint, credit double precision,
                response text)
            LANGUAGE plpgsql VOLATILE SET search_path = underway, pg_temp AS $$
        #variable_conflict use_column
        BEGIN
            RETURN QUERY
                SELECT r.place, r.counter, r.question, r.session, r.options, r.at, r.taken, r.exposures,
                    r.flags, r.credit, r.response
                FROM (
                    SELECT u.place::integer AS place, a.*,
                        sum(CASE WHEN a.question IS NULL THEN 1
                            ELSE 64 + coalesce(octet_length(a.response), 0) END)
                            OVER (ORDER BY u.place, a.counter
                                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS bytes_before,
                        row_number() OVER (ORDER BY u.place, a.counter) AS count
                    FROM unnest(p_devices, p_firsts, p_lasts) WITH ORDINALITY
                        u (device, first, last, place)
                        JOIN device d ON d.account = claim() AND d.name = u.device
                        JOIN answer a ON a.account = d.account AND a.device = d.number
                            AND a.counter BETWEEN u.first AND u.last) r
                WHERE r.bytes_before <= p_bytes OR r.count <= 2
                ORDER BY r.place, r.counter;
        END $$;

        CREATE FUNCTION underway.answer_names_1(p_devices text[], p_firsts bigint[], p_lasts bigint[])
            RETURNS TABLE (
                number integer, kind text, bank text, question text, domain text, text text)
            LANGUAGE plpgsql VOLATILE SET search_path = underway, pg_temp AS $$
        #variable_conflict use_column
        DECLARE
            v_account bigint := claim();
        BEGIN
            RETURN QUERY
                WITH used AS MATERIALIZED (
                    SELECT DISTINCT a.question, a.session, a.options
                    FROM unnest(p_devices, p_firsts, p_lasts) u (device, first, last)
                        JOIN device d ON d.account = v_account AND d.name = u.device
                        JOIN answer a ON a.account = d.account AND a.device = d.number
                            AND a.counter BETWEEN u.first AND u.last)
                SELECT v.number, v.kind, q.bank, q.text, v.domain, v.text
                    FROM (SELECT DISTINCT u.question FROM used u) u
                        CROSS JOIN LATERAL (SELECT * FROM own_name v
                            WHERE v.account = v_account AND v.number = u.question LIMIT 1) v
                        CROSS JOIN LATERAL (SELECT * FROM own_name q
                            WHERE q.account = v_account AND q.number = v.question LIMIT 1) q
                UNION ALL
                SELECT o.number, o.kind, NULL, NULL, NULL, o.text
                    FROM (SELECT DISTINCT u.options FROM used u) u
                        CROSS JOIN LATERAL (SELECT * FROM own_name o
                            WHERE o.account = v_account AND o.number = u.options LIMIT 1) o
                UNION ALL
                SELECT s.number, 'session', NULL, NULL, s.name, s.mode
                    FROM (SELECT DISTINCT u.session FROM used u) u
                        CROSS JOIN LATERAL (SELECT * FROM session s
                            WHERE s.account = v_account AND s.number = u.session LIMIT 1) s;
        END $$;
        """
}
