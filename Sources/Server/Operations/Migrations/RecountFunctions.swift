/// The remedy for sums of answers that are wrong.
enum RecountFunctions {
    /// The sums of an account's answers, computed from the answers.
    static let sums = """
        CREATE FUNCTION underway.counted_answers_1(p_account bigint)
            RETURNS TABLE (
                day integer, bank text, domain text, question integer, correct integer, taken integer,
                at bigint)
            LANGUAGE sql STABLE PARALLEL SAFE
        BEGIN ATOMIC
            SELECT least(a.at / 86400000, 2932896)::integer, q.bank, coalesce(v.domain, ''), q.number,
                a.flags & 1, a.taken, a.at
            FROM underway.counted_answer a
                JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
                JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
            WHERE a.account = p_account;
        END;

        CREATE FUNCTION underway.answer_sums_1(p_account bigint)
            RETURNS TABLE (
                day integer, bank text, domain text, answers integer, correct integer, taken bigint,
                last_at bigint, histogram integer[])
            LANGUAGE sql STABLE PARALLEL SAFE
        BEGIN ATOMIC
            WITH counted AS (
                SELECT c.*, underway.time_step(c.taken) AS step
                FROM underway.counted_answers_1(p_account) c
            ), \(CountedAnswers.sums)
            SELECT s.day, s.bank, s.domain, s.answers, s.correct, s.taken, s.last_at, h.histogram
            FROM sums s JOIN histograms h
                ON h.day = s.day AND h.bank = s.bank AND h.domain = s.domain;
        END;
        """

    /// Counts the answers of an account anew, for an administrator whom no policy binds.
    ///
    /// Without nested loops, because sums of all days are joined with each other.
    static let recounting = """
        CREATE FUNCTION underway.recount_1(p_account bigint) RETURNS void LANGUAGE plpgsql VOLATILE
            SET search_path = underway, pg_temp SET enable_nestloop = off AS $$
        BEGIN
            PERFORM FROM account WHERE number = p_account FOR NO KEY UPDATE;
            DELETE FROM answer_day WHERE account = p_account;
            DELETE FROM question_day WHERE account = p_account;
            DELETE FROM question_domain WHERE account = p_account;
            INSERT INTO question_day (account, day, question)
                SELECT DISTINCT p_account, c.day, c.question FROM counted_answers_1(p_account) c;
            INSERT INTO question_domain (account, question, domain)
                SELECT DISTINCT p_account, c.question, c.domain FROM counted_answers_1(p_account) c;
            INSERT INTO answer_day (account, day, bank, domain, answers, correct, questions_of_day,
                    questions_of_domain, taken, last_at, histogram)
                SELECT p_account, s.day, s.bank, s.domain, s.answers, s.correct,
                    coalesce(d.questions, 0), coalesce(o.questions, 0), s.taken, s.last_at, s.histogram
                FROM answer_sums_1(p_account) s
                    LEFT JOIN (
                        SELECT f.day, f.bank, f.domain, count(*) AS questions
                        FROM (SELECT DISTINCT ON (c.day, c.question) c.day, c.bank, c.domain
                            FROM counted_answers_1(p_account) c
                            ORDER BY c.day, c.question, c.at, c.domain) f
                        GROUP BY f.day, f.bank, f.domain) d
                        ON d.day = s.day AND d.bank = s.bank AND d.domain = s.domain
                    LEFT JOIN (
                        SELECT f.day, f.bank, f.domain, count(*) AS questions
                        FROM (SELECT DISTINCT ON (c.question, c.domain) c.day, c.bank, c.domain
                            FROM counted_answers_1(p_account) c
                            ORDER BY c.question, c.domain, c.at, c.day) f
                        GROUP BY f.day, f.bank, f.domain) o
                        ON o.day = s.day AND o.bank = s.bank AND o.domain = s.domain;
        END $$;

        REVOKE EXECUTE ON FUNCTION underway.recount_1(bigint) FROM public;
        """
}
