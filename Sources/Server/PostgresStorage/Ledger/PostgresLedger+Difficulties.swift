import PostgresDriver
package import UserService

extension PostgresLedger {
    /// Replaces the difficulties of all published questions, as after a release; unchanged rows are not written.
    ///
    /// - Throws: `LedgerError`, or `PostgresError`; the former ones stay then.
    package func replaceDifficulties(_ difficulties: [QuestionDifficulty]) async throws {
        // The last one of a question counts, as on SQLite.
        let rows = Dictionary(
            difficulties.map { ([$0.bank, $0.question], $0) }, uniquingKeysWith: { $1 }
        ).values
        let (banks, questions) = (rows.map(\.bank), rows.map(\.question))
        let numbers = rows.map { Int16(clamping: $0.difficulty) }
        _ = try await upkeep { transaction in
            try transaction.pipeline([
                """
                DELETE FROM underway.question_difficulty d WHERE NOT EXISTS (
                    SELECT FROM unnest(\(banks), \(questions)) u (bank, question)
                    WHERE u.bank = d.bank AND u.question = d.question)
                """,
                """
                INSERT INTO underway.question_difficulty AS d (bank, question, difficulty)
                SELECT * FROM unnest(\(banks), \(questions), \(numbers))
                ON CONFLICT (bank, question) DO UPDATE SET difficulty = excluded.difficulty
                    WHERE d.difficulty <> excluded.difficulty
                """,
            ])
        }
    }
}
