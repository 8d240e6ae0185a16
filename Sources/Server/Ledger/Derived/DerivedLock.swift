package import PostgresDriver
import Tables

extension PostgresPool {
    /// The key of the advisory lock of what derives rows from answers for all accounts: "boards" in ASCII.
    private static var derivedLock: Int64 { 0x626F_6172_6473 }

    /// Runs a transaction as `underway_keeper`, one at a time among all processes.
    ///
    /// - Returns: The value of the body; `nil` when another process is at work.
    /// - Throws: `LedgerError`, or an error of the body.
    package func asKeeperAlone<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value? {
        try await asKeeper { transaction -> Value? in
            // Of the transaction, so that it also holds through a pooler, and ends with a lost connection.
            let isFree = try transaction.query(
                "SELECT pg_try_advisory_xact_lock(\(Self.derivedLock)) AS taken"
            ).column("taken", as: Bool.self).first
            return isFree == true ? try body(transaction) : nil
        }
    }
}
