/// Statistics by difficulty, which the content tables know.
enum DifficultyMigration {
    /// The answers to questions of published exams, by difficulty; needs the tables of content.
    static let difficulties = PostgresMigration(
        name: "4 statistics by difficulty",
        script: """
            CREATE VIEW underway.answers_by_difficulty WITH (security_invoker = TRUE) AS
            SELECT a.account, q.bank, c.difficulty, count(*) AS answers,
                sum(a.flags & 1) AS correct,
                sum(a.flags & 1)::double precision / count(*) AS accuracy,
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
            GROUP BY a.account, q.bank, c.difficulty;

            GRANT SELECT ON underway.answers_by_difficulty TO authenticated;
            """)
}
