package import PostgresDriver
import UserData
package import UserService

/// The decision about what follows a failure of an exchange, beyond what the pool repeats by itself.
///
/// | failure | decision |
/// |---|---|
/// | COMMIT was sent and no reply came | again: results and numbers of answers say what was committed |
/// | 23505 | again, once: another program wrote the same key; then `damaged` |
/// | 23502, 23514, class 22 | again, asking which records are refused, once |
/// | anything else | what it means as `LedgerError` |
struct LedgerRecovery: Sendable, Hashable {
    /// The most repetitions of an exchange whose outcome is unknown.
    static let unknownOutcomesMax = 3

    /// The records that the database refused.
    private(set) var rejected: Set<RecordKey> = []
    /// True when the database is asked which records it refuses before anything is written.
    private(set) var asksForRefusals = false
    /// True when the exchange may have been committed before.
    var isRepeated: Bool { unknownOutcomes > 0 }
    private var unknownOutcomes = 0
    private var duplicates = 0

    /// Notes a failure.
    ///
    /// - Returns: The error to throw; `nil` when the exchange runs again.
    mutating func failed(_ error: PostgresError) -> (any Error)? {
        if error.isOutcomeUnknown {
            unknownOutcomes += 1
            return unknownOutcomes > Self.unknownOutcomesMax ? LedgerError.unavailable : nil
        }
        switch error.code {
        case .uniqueViolation:
            duplicates += 1
            return duplicates > 1 ? LedgerError.damaged(error.table ?? "rows") : nil
        case .notNullViolation, .checkViolation: return refusal(error)
        case let code where code.conditionClass == "22" && error.phase == .executing:
            return refusal(error)
        default: return LedgerError.meaning(of: error)
        }
    }

    private mutating func refusal(_ error: PostgresError) -> (any Error)? {
        if asksForRefusals { return LedgerError.damaged(error.table ?? "records") }
        asksForRefusals = true
        return nil
    }

    /// Notes records that the database refuses.
    ///
    /// - Throws: `LedgerError` `damaged` when they were refused before, so that the decision does not end.
    mutating func refused(_ records: Set<RecordKey>) throws {
        guard !records.isSubset(of: rejected) else { throw LedgerError.damaged("records") }
        rejected.formUnion(records)
    }
}

extension SQLState {
    /// The account of the token's subject does not exist.
    static let noAccount = SQLState(rawValue: "UL001")
    /// A schema that does not exist.
    static let undefinedSchema = SQLState(rawValue: "3F000")
    /// A run of answers that does not begin behind the last stored one.
    static let answersDoNotFollow = SQLState(rawValue: "UL002")
}

extension LedgerError {
    /// Names what a failure of PostgreSQL means for the ledger; `nil` for a mistake of the program.
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

    /// Names what a failure of PostgreSQL means for whoever asked.
    ///
    /// A missing privilege or policy (42501), and whatever else the program did wrong, is `refused`: it would fail
    /// again.
    package static func meaning(of error: PostgresError) -> LedgerError {
        LedgerError(error) ?? .refused(error.description)
    }
}
