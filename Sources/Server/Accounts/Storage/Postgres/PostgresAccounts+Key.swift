import PostgresDriver

extension PostgresAccounts {
    /// Compares the print of a key with that of the process which started first, and becomes that process if there is none.
    package func hasKey(_ print: String) async throws -> Bool {
        try await asAccounts { transaction in
            let results = try transaction.pipeline([
                """
                INSERT INTO underway.setting (name, value) VALUES ('keyPrint', \(print))
                ON CONFLICT (name) DO NOTHING
                """,
                "SELECT value FROM underway.setting WHERE name = 'keyPrint'",
            ])
            return try results.last?.first?.value("value", as: String.self) == print
        }
    }
}
