import PostgresDriver
import Tables
import UserData

/// The decision after a failure of an exchange, beyond the retries of the pool.
///
/// | failure | decision |
/// |---|---|
/// | COMMIT was sent and no reply came | again: results and numbers of answers say what was committed |
/// | 23505 | again, once: another program wrote the same key; then `damaged` |
/// | 23502, 23514, class 22 | again, asking which records are refused, once |
/// | anything else | what it means as `StorageError` |
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
            return unknownOutcomes > Self.unknownOutcomesMax ? StorageError.unavailable : nil
        }
        switch error.code {
        case .uniqueViolation:
            duplicates += 1
            return duplicates > 1 ? StorageError.damaged(error.table ?? "rows") : nil
        case .notNullViolation, .checkViolation: return refusal(error)
        case let code where code.conditionClass == "22" && error.phase == .executing:
            return refusal(error)
        default: return StorageError.meaning(of: error)
        }
    }

    private mutating func refusal(_ error: PostgresError) -> (any Error)? {
        if asksForRefusals { return StorageError.damaged(error.table ?? "records") }
        asksForRefusals = true
        return nil
    }

    /// Notes records that the database refuses.
    ///
    /// - Throws: `StorageError` `damaged` when they were refused before, so that the decision does not end.
    mutating func refused(_ records: Set<RecordKey>) throws {
        guard !records.isSubset(of: rejected) else { throw StorageError.damaged("records") }
        rejected.formUnion(records)
    }
}
