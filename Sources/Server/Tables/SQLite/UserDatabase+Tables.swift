import GRDB

extension UserDatabase: TableDatabase {
    package func read<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        try await read { try body(Self.transaction(of: role, in: $0)) }
    }

    package func write<Value: Sendable>(
        as role: TableRole, together: Bool,
        _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        let writes = { @Sendable (database: Database) in
            try body(Self.transaction(of: role, in: database))
        }
        return try await together ? writeTogether(writes) : write(writes)
    }

    private static func transaction(
        of role: TableRole, in database: Database
    ) throws -> TableTransaction {
        guard case .user(let id, _) = role else { return TableTransaction(database) }
        let statement = try database.cachedStatement(sql: "SELECT number FROM account WHERE id = ?")
        guard let account = try Int64.fetchOne(statement, arguments: [id]) else {
            throw StorageError.noAccount
        }
        return TableTransaction(database, account: account)
    }
}
