package import Tables

/// The lock for deriving rows from answers of all accounts, held by one process at a time.
package enum DerivedLock {
    /// The key of the advisory lock: "boards" in ASCII.
    private static let key: Int64 = 0x626F_6172_6473

    /// The statement that tries to acquire the lock and returns `taken`; no row on SQLite, which has one writer.
    ///
    /// The lock belongs to the transaction, so it also works through a pooler and ends with a lost connection.
    package static let taking = Statement(
        postgres: "SELECT pg_try_advisory_xact_lock(\(key)) AS taken")
}
