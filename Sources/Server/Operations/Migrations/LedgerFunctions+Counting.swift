extension LedgerFunctions {
    /// Adds the sums of a run of answers.
    ///
    /// Without nested loops, because the rows that are new are joined with all that were offered.
    static let counting = """
        CREATE FUNCTION underway.count_answers(
            p_names integer[], p_days integer[], p_banks text[], p_domains text[], p_answers integer[],
            p_correct integer[], p_taken bigint[], p_lasts bigint[], p_histograms text[],
            p_day_questions integer[], p_day_places integer[], p_domain_questions integer[],
            p_domain_places integer[])
            RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET plan_cache_mode = force_generic_plan
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
}
