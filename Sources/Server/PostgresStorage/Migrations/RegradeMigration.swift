/// What lays new grades over stored answers, and the views that show them.
enum RegradeMigration {
    /// The corrections of keys; programs of before go on beside them, and show the grades that answers were stored with.
    static let regrading = PostgresMigration(
        name: "9 regrading", script: [tables, policies, sums, single].joined(separator: "\n\n"))

    /// An answer is never changed: a row of `regraded_answer` has its new grade, and what that adds to sums.
    ///
    /// The digest is that of the question's name in `own_name`. A note is a row of its own, never one that is written
    /// again: what is removed must not be what came meanwhile.
    private static let tables = """
        CREATE TABLE underway.corrected_version (
            bank text collate "C" NOT NULL,
            question text collate "C" NOT NULL,
            version text collate "C" NOT NULL,
            digest uuid NOT NULL,
            PRIMARY KEY (bank, question, version)
        );

        CREATE TABLE underway.regrade_state (
            one integer PRIMARY KEY CHECK (one = 1),
            release bigint NOT NULL,
            digest text collate "C" NOT NULL,
            swept_through bigint
        );

        CREATE TABLE underway.regrade_note (
            number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            member bigint NOT NULL
        );

        CREATE INDEX regrade_note_by_member ON underway.regrade_note (member);

        CREATE TABLE underway.regraded_answer (
            account bigint NOT NULL REFERENCES underway.account (number) ON DELETE CASCADE,
            device integer NOT NULL,
            counter integer NOT NULL,
            bank text collate "C" NOT NULL,
            session bigint NOT NULL,
            day integer NOT NULL,
            domain text collate "C" NOT NULL,
            is_correct boolean NOT NULL,
            credit double precision NOT NULL,
            correct integer NOT NULL CHECK (correct BETWEEN -1 AND 1),
            points integer NOT NULL,
            first_points integer NOT NULL,
            PRIMARY KEY (account, device, counter)
        );
        """

    /// A user's own grades; the keeper finds out which accounts answered a corrected version, by names without responses.
    private static let policies = """
        DO $$
        DECLARE
            name text;
        BEGIN
            FOREACH name IN ARRAY ARRAY[
                'corrected_version', 'regrade_state', 'regrade_note', 'regraded_answer']
            LOOP
                EXECUTE format('alter table underway.%I enable row level security', name);
                EXECUTE format('alter table underway.%I force row level security', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['corrected_version', 'regrade_state', 'regrade_note']
            LOOP
                EXECUTE format('create policy keeper on underway.%I to underway_keeper
                    using (true) with check (true)', name);
            END LOOP;
            FOREACH name IN ARRAY ARRAY['corrected_version', 'regrade_state']
            LOOP
                EXECUTE format('create policy all_read on underway.%I for select to authenticated
                    using (true)', name);
            END LOOP;
        END $$;

        CREATE POLICY own ON underway.regraded_answer TO authenticated
            USING (account = (SELECT underway.claim()))
            WITH CHECK (account = (SELECT underway.claim()));

        CREATE POLICY erased ON underway.regraded_answer TO underway_owner
            USING (account = (SELECT underway.erased()));

        CREATE POLICY keeper ON underway.regraded_answer FOR SELECT TO underway_keeper USING (TRUE);

        CREATE POLICY own ON underway.regrade_note TO authenticated
            USING (member = (SELECT underway.claim()));

        CREATE POLICY keeper ON underway.own_name FOR SELECT TO underway_keeper
            USING (kind <> 'options');

        GRANT SELECT (account, number, kind, digest, question, text) ON underway.own_name
            TO underway_keeper;

        GRANT SELECT, INSERT, UPDATE, DELETE ON underway.regraded_answer TO authenticated;

        GRANT SELECT ON underway.regraded_answer TO underway_keeper;

        GRANT SELECT, DELETE ON underway.regrade_note TO authenticated;

        GRANT SELECT, INSERT, DELETE ON underway.regrade_note, underway.corrected_version
            TO underway_keeper;

        GRANT SELECT, INSERT, UPDATE ON underway.regrade_state TO underway_keeper;

        GRANT SELECT ON underway.corrected_version, underway.regrade_state TO authenticated;
        """

    /// The views of sums, with what new grades add.
    private static let sums = """
        CREATE OR REPLACE VIEW underway.answers_by_day WITH (security_invoker = TRUE) AS
        SELECT d.account, date '1970-01-01' + d.day AS day, sum(d.answers) AS answers,
            sum(d.correct) + coalesce((SELECT sum(r.correct) FROM underway.regraded_answer r
                WHERE r.account = d.account AND r.day = d.day), 0) AS correct,
            sum(d.questions_of_day) AS questions, sum(d.taken)::bigint AS taken_milliseconds
        FROM underway.answer_day d GROUP BY d.account, d.day;

        CREATE OR REPLACE VIEW underway.answers_by_domain WITH (security_invoker = TRUE) AS
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
        """

    /// The views of single answers, by their new grades where they have one.
    private static let single = """
        CREATE OR REPLACE VIEW underway.retention WITH (security_invoker = TRUE) AS
        WITH repeats AS (
            SELECT a.account, (a.flags & 1) + coalesce(r.correct, 0) AS correct,
                (a.at - lag(a.at) OVER (PARTITION BY a.account, v.question
                    ORDER BY a.at, a.device, a.counter)) / 86400000 AS days
            FROM underway.answer a
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

        CREATE OR REPLACE VIEW underway.answers_by_difficulty WITH (security_invoker = TRUE) AS
        SELECT a.account, q.bank, c.difficulty, count(*) AS answers,
            sum((a.flags & 1) + coalesce(r.correct, 0)) AS correct,
            sum((a.flags & 1) + coalesce(r.correct, 0))::double precision / count(*) AS accuracy,
            underway.step_start(percentile_disc(0.5) WITHIN GROUP (
                ORDER BY underway.time_step(a.taken))) AS median_milliseconds
        FROM underway.answer a
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
}
