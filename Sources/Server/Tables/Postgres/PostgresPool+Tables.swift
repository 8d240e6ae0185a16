package import PostgresDriver

extension PostgresPool: TableDatabase {
    package func read<Value: Sendable>(
        as role: TableRole, _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        let options = TransactionOptions(isolation: .repeatableRead, isReadOnly: true)
        return try await run(options, role, writes: false, body)
    }

    package func write<Value: Sendable>(
        as role: TableRole, together: Bool,
        _ body: @escaping @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        try await run(TransactionOptions(), role, writes: true, body)
    }

    private func run<Value: Sendable>(
        _ options: TransactionOptions, _ role: TableRole, writes: Bool,
        _ body: @Sendable (TableTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await transaction(options) {
                let tables = TableTransaction($0)
                tables.act(as: role, writes: writes)
                return try body(tables)
            }
        } catch let error as PostgresError {
            throw StorageError.meaning(of: error)
        }
    }
}

extension TableRole {
    /// Returns the statements that take the role.
    func entry(writes: Bool) -> [PostgresStatement] {
        switch self {
        case .keeper: [UserClaims.keeper]
        case .accounts: [UserClaims.accounts]
        case .user(let id, let locks):
            [
                UserClaims(of: id).statement,
                "SELECT underway.enter_1(\(sql: "\(writes && locks)")) AS account",
            ]
        }
    }
}
