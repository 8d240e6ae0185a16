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
                JOIN underway.own_name v ON v.account = a.account AND v.number = a.question
                JOIN underway.own_name q ON q.account = v.account AND q.number = v.question
                JOIN content.questions c ON c.region = split_part(q.bank, '/', 1)
                    AND c.exam = substr(q.bank, strpos(q.bank, '/') + 1) AND c.id = q.text
            WHERE strpos(q.bank, '/') > 0
            GROUP BY a.account, q.bank, c.difficulty;

            GRANT SELECT ON underway.answers_by_difficulty TO authenticated;
            """)
}
