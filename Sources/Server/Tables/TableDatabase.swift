/// The database of users: one writer of SQLite, or the connections of PostgreSQL.
package protocol TableDatabase: Sendable {
    /// Reads a consistent state of the database.
    ///
    /// - Parameters:
    ///   - role: The role of the reader.
    ///   - body: The reads, which may run again.
    /// - Returns: The result of `body`.
    /// - Throws: `StorageError`, including `noAccount`, or the error of `body`.
    func read<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value

    /// Writes, and commits unless `body` throws.
    ///
    /// - Parameters:
    ///   - role: The role of the writer.
    ///   - together: True to share a transaction of SQLite; the body must then undo its own writes before it throws.
    ///   - body: The writes, which may run again.
    /// - Returns: The result of `body`, once it is committed.
    /// - Throws: `StorageError`, including `noAccount`, or the error of `body`.
    func write<Value: Sendable>(
        as role: TableRole, together: Bool,
        _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value
}

/// The role of a transaction, which determines the visible rows on PostgreSQL.
package enum TableRole: Sendable {
    /// A user, by the account's id; with `locks`, a write locks the account against exchanges.
    case user(String, locks: Bool = true)
    /// Sign-in, before the user is identified.
    case accounts
    /// Upkeep over all users.
    case keeper
}

extension TableDatabase {
    /// Writes in a transaction of its own, and commits unless `body` throws.
    ///
    /// - Throws: `StorageError`, including `noAccount`, or the error of `body`.
    package func write<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        try await write(as: role, together: false, body)
    }
}
