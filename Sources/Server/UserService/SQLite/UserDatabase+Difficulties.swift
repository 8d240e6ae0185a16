import GRDB

extension UserDatabase {
    /// Replaces the difficulties of all published questions, as after a release.
    ///
    /// - Throws: `LedgerError`, or an error of the database; the former ones stay then.
    package func replaceDifficulties(_ difficulties: [QuestionDifficulty]) async throws {
        try await write { database in
            try database.execute(sql: "DELETE FROM questionDifficulty")
            let insertion = try database.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO questionDifficulty (bank, question, difficulty)
                    VALUES (?, ?, ?)
                    """)
            for known in difficulties {
                try insertion.execute(arguments: [known.bank, known.question, known.difficulty])
            }
        }
    }
}
