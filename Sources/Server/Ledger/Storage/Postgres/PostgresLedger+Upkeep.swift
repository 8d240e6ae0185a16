package import Foundation
import PostgresDriver
import Tables

extension PostgresLedger {
    /// Checks only that the account exists: each answer is counted in the transaction that adds it.
    package func countAnswers(of user: String) async throws {
        try await read(of: user, []) { _ in }
    }

    package func purge(before end: Int64, limit: Int) async throws -> Int {
        let rows = try await upkeep { transaction in
            try transaction.query(
                """
                SELECT account, collection, id FROM underway.record
                WHERE deleted_at < \(end) ORDER BY deleted_at LIMIT \(Int64(limit))
                """
            ).map { row in
                DeletedRecord(
                    account: try row.value("account"), collection: try row.value("collection"),
                    id: try row.value("id"))
            }
        }
        // One account in a transaction, so that no two transactions wait for each other.
        for (account, rows) in Dictionary(grouping: rows, by: \.account) {
            _ = try await upkeep { transaction in
                try transaction.query(
                    """
                    SELECT underway.purge_1(
                        \(account), \(rows.map(\.collection)), \(rows.map(\.id)), \(end))
                    """)
            }
        }
        return rows.count
    }

    private struct DeletedRecord: Sendable {
        var account: Int64
        var collection: String
        var id: String
    }

    package func damagedRecordCount() async throws -> Int {
        try await upkeep { transaction in
            try transaction.query("SELECT count(account) AS records FROM underway.damaged_record")
                .column("records", as: Int.self).first ?? 0
        }
    }

    /// Starts a new generation after the database was restored from a backup, so that every device of every account
    /// compares its data with the server's, and offers the data that the backup lacks.
    ///
    /// - Parameter now: The wall clock; the number grows with it, so that two restores of one backup get two
    ///   generations.
    /// - Returns: The number of the generation.
    /// - Throws: `StorageError`, or `PostgresError`.
    @discardableResult
    package func startGeneration(now: Date) async throws -> Int64 {
        let seconds = Int64(now.timeIntervalSince1970)
        return try await upkeep { transaction in
            try transaction.query(
                """
                INSERT INTO underway.setting AS known (name, value)
                VALUES ('generation', greatest(1, \(seconds)::bigint)::text)
                ON CONFLICT (name) DO UPDATE SET
                    value = greatest(known.value::bigint + 1, excluded.value::bigint)::text
                RETURNING value::bigint AS generation
                """
            ).column("generation", as: Int64.self).first ?? 0
        }
    }

    /// Runs a transaction with the rights of upkeep.
    func upkeep<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await pool.transaction { transaction in
                try transaction.query(UserClaims.keeper)
                return try body(transaction)
            }
        } catch let error as PostgresError {
            throw StorageError.meaning(of: error)
        }
    }
}
