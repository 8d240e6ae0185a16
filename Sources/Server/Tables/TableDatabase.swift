/// The database of users: one writer of SQLite, or the connections of PostgreSQL.
package protocol TableDatabase: Sendable {
    /// Reads one state of the database.
    ///
    /// - Parameters:
    ///   - role: Whoever reads.
    ///   - body: The reads, which may run again.
    /// - Returns: What `body` returned.
    /// - Throws: `StorageError`, also `noAccount`, or what `body` throws.
    func read<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value

    /// Writes, and commits unless `body` throws.
    ///
    /// - Parameters:
    ///   - role: Whoever writes.
    ///   - together: True when others may share SQLite's transaction: then the body undoes its own writes when it throws.
    ///   - body: The writes, which may run again.
    /// - Returns: What `body` returned when it was committed.
    /// - Throws: `StorageError`, also `noAccount`, or what `body` throws.
    func write<Value: Sendable>(
        as role: TableRole, together: Bool,
        _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value
}

/// Whose rows a transaction sees on PostgreSQL.
package enum TableRole: Sendable {
    /// A user, by the account's id; one who writes locks the account against exchanges, unless told otherwise.
    case user(String, locks: Bool = true)
    /// Sign-in, before a user is known.
    case accounts
    /// Upkeep over all users.
    case keeper
}

extension TableDatabase {
    /// Writes in a transaction of its own, and commits unless `body` throws.
    ///
    /// - Throws: `StorageError`, also `noAccount`, or what `body` throws.
    package func write<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        try await write(as: role, together: false, body)
    }
}
