import Tables

extension PostgresAccounts {
    /// Returns true if a key has the fingerprint of the first process's key; the first process stores its own.
    package func hasKey(_ print: String) async throws -> Bool {
        try await pool.write(as: .accounts) { transaction in
            let known: String? = try transaction.commit(after: [
                Self.keeping(["print": print]), Self.kept(),
            ])[1].first?.value("value")
            return known == print
        }
    }

    private static let keeping = Statement(
        """
        INSERT INTO {setting} (name, value) VALUES ('keyPrint', :print)
        ON CONFLICT (name) DO NOTHING
        """)

    private static let kept = Statement("SELECT value FROM {setting} WHERE name = 'keyPrint'")
}
