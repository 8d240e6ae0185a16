package import PostgresDriver

extension PostgresPool {
    /// Runs a transaction as `underway_keeper`, the role of upkeep.
    ///
    /// - Throws: `LedgerError`, or an error of the body.
    package func asKeeper<Value: Sendable>(
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await transaction { transaction in
                try transaction.query(UserClaims.keeper)
                return try body(transaction)
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }

    /// Runs a transaction as a user, whose account is locked against exchanges.
    ///
    /// - Throws: `LedgerError`, or an error of the body.
    package func asUser<Value: Sendable>(
        _ user: String, _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        do {
            return try await transaction { transaction in
                try transaction.pipeline([
                    UserClaims(of: user).statement, "SELECT underway.enter_1(true)",
                ])
                return try body(transaction)
            }
        } catch let error as PostgresError {
            throw LedgerError.meaning(of: error)
        }
    }
}
