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
