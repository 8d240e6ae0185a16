import Ledger
import PostgresDriver
import ServiceAPI
import UserData

/// The new grades that are laid over a user's answers, as the user and under the account's lock.
struct RegradeStatements {
    let transaction: PostgresTransaction

    /// Grades the user's answers again; `nil` when other corrections are applied now.
    func run(_ note: NotedRegrade, _ corrections: ServedCorrections) throws -> Int? {
        let digest = try transaction.query("SELECT digest FROM underway.regrade_state")
            .column("digest", as: String.self).first
        guard digest == corrections.digest else { return nil }
        let plan = try plan(corrections)
        try transaction.pipeline(
            writing(plan) + [
                """
                DELETE FROM underway.regrade_note
                WHERE member = underway.claim() AND number <= \(note.number)
                """
            ])
        return plan.count
    }

    // MARK: Reading

    /// Decides about the user's answers.
    func plan(_ corrections: ServedCorrections) throws -> RegradePlan {
        let results = try transaction.pipeline([answers(corrections), Self.grades])
        return RegradePlan(
            try results[0].map(answer), known: try results[1].map(grade), corrections)
    }

    private func answers(_ corrections: ServedCorrections) -> PostgresStatement {
        let rows = CorrectedRows(corrections.versions)
        return """
            SELECT a.device, a.counter, \(sql: EncodedAnswers.Row.columns),
                c.bank, c.question, c.version, v.domain, s.name AS session, s.mode,
                coalesce(a.response, o.text) AS options
            FROM unnest(\(rows.banks)::text[], \(rows.questions)::text[],
                    \(rows.versions)::text[], \(rows.digests)::uuid[])
                    AS c (bank, question, version, digest)
                JOIN underway.own_name q ON q.account = underway.claim() AND q.digest = c.digest
                JOIN underway.own_name v ON v.account = q.account AND v.kind = 'version'
                    AND v.question = q.number AND v.text = c.version
                JOIN underway.answer a ON a.account = v.account AND a.question = v.number
                JOIN underway.session s ON s.account = a.account AND s.number = a.session
                LEFT JOIN underway.own_name o ON o.account = a.account AND o.number = a.options
            """
    }

    private static let grades: PostgresStatement =
        "SELECT * FROM underway.regraded_answer WHERE account = underway.claim()"

    private func answer(_ row: PostgresRow) throws -> CorrectedAnswer {
        CorrectedAnswer(
            device: try row.value("device"), counter: try row.value("counter"),
            row: EncodedAnswers.answer(
                EncodedAnswers.Question(
                    bank: try row.value("bank"), question: try row.value("question"),
                    domain: try row.value("domain"), version: try row.value("version")),
                EncodedAnswers.Session(
                    session: try row.value("session"), mode: try row.value("mode")),
                options: StoredTexts.texts(try row.value("options")),
                try EncodedAnswers.Row(row)))
    }

    private func grade(_ row: PostgresRow) throws -> RegradedAnswer {
        RegradedAnswer(
            device: try row.value("device"), counter: try row.value("counter"),
            bank: try row.value("bank"), session: try row.value("session"),
            day: try row.value("day"), domain: try row.value("domain"),
            grade: .init(
                isCorrect: try row.value("is_correct"), credit: try row.value("credit")),
            correct: try row.value("correct"), points: try row.value("points"),
            firstPoints: try row.value("first_points"))
    }

    // MARK: Writing

    private func writing(_ plan: RegradePlan) -> [PostgresStatement] {
        if plan.isEmpty { return [] }
        let gone = plan.removed + plan.written
        let rows = plan.written
        return [
            """
            DELETE FROM underway.regraded_answer r
            USING unnest(\(gone.map { Int32(clamping: $0.device) })::integer[],
                \(gone.map { Int32(clamping: $0.counter) })::integer[]) AS u (device, counter)
            WHERE r.account = underway.claim() AND r.device = u.device AND r.counter = u.counter
            """,
            """
            INSERT INTO underway.regraded_answer (account, device, counter, bank, session, day,
                domain, is_correct, credit, correct, points, first_points)
            SELECT underway.claim(), * FROM unnest(
                \(rows.map { Int32(clamping: $0.device) })::integer[],
                \(rows.map { Int32(clamping: $0.counter) })::integer[],
                \(rows.map(\.bank))::text[], \(rows.map(\.session))::bigint[],
                \(rows.map { Int32(clamping: $0.day) })::integer[],
                \(rows.map(\.domain))::text[], \(rows.map(\.grade.isCorrect))::boolean[],
                \(rows.map(\.grade.credit))::double precision[],
                \(rows.map { Int32(clamping: $0.correct) })::integer[],
                \(rows.map { Int32(clamping: $0.points) })::integer[],
                \(rows.map { Int32(clamping: $0.firstPoints) })::integer[])
            """,
            SessionSums.change,
        ]
    }
}
