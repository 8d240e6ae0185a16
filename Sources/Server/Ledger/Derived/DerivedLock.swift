package import PostgresDriver
package import Tables

/// The lock of what derives rows from answers for all accounts, one process at a time.
package enum DerivedLock {
    /// The key of the advisory lock: "boards" in ASCII.
    private static let key: Int64 = 0x626F_6172_6473

    /// Takes the lock, unless another process is at work: one row says `taken`; SQLite has one writer, and no row.
    ///
    /// It is of the transaction, so that it also holds through a pooler, and ends with a lost connection.
    package static let taking = Statement(
        postgres: "SELECT pg_try_advisory_xact_lock(\(key)) AS taken")
}

extension PostgresPool {
    /// Runs a transaction as `underway_keeper`, one at a time among all processes.
    ///
    /// - Returns: The value of the body; `nil` when another process is at work.
    /// - Throws: `LedgerError`, or an error of the body.
    package func asKeeperAlone<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value? {
        try await asKeeper { transaction -> Value? in
            let isFree: Bool? = try TableTransaction(transaction).run([DerivedLock.taking()])[0]
                .first?.value("taken")
            return isFree == true ? try body(transaction) : nil
        }
    }
}
