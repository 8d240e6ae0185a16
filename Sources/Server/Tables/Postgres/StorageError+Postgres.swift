package import PostgresDriver

extension SQLState {
    /// The account of the token's subject does not exist.
    package static let noAccount = SQLState(rawValue: "UL001")
    /// A schema that does not exist.
    static let undefinedSchema = SQLState(rawValue: "3F000")
    /// A run of answers that does not begin behind the last stored one.
    static let answersDoNotFollow = SQLState(rawValue: "UL002")
}

extension StorageError {
    /// Translates an error of PostgreSQL to its meaning for the ledger; `nil` for a programming error.
    package init?(_ error: PostgresError) {
        switch error.code {
        case .noAccount: self = .noAccount
        case .foreignKeyViolation: self = .noAccount
        case .answersDoNotFollow: self = .damaged("answers")
        case .serializationFailure, .deadlock, .lockNotAvailable, .statementCancelled,
            .tooManyConnections, .poolBusy:
            self = .busy
        case .readOnlyTransaction, .poolClosed: self = .unavailable
        case .undefinedTable, .undefinedColumn, .undefinedFunction, .undefinedSchema:
            self = .outdatedSchema(error.description)
        case .invalidAuthorization, .invalidPassword, .unknownDatabase: self = .unavailable
        case .dataCorrupted, .indexCorrupted: self = .damaged("database")
        case let code where code.meansConnectionLost: self = .unavailable
        // Class 53: disk, memory or a configured limit; class 58: the system under the server.
        case let code where ["53", "58"].contains(code.conditionClass): self = .unavailable
        default: return nil
        }
    }

    /// Returns the meaning of an error of PostgreSQL for the caller.
    ///
    /// A missing privilege or policy (42501), or another programming error, is `refused`: a retry would fail again.
    package static func meaning(of error: PostgresError) -> StorageError {
        StorageError(error) ?? .refused(error.description)
    }
}
