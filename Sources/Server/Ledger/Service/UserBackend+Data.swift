import Accounts
package import ContentModel
import ContentServer
import Foundation
import ServiceAPI
package import Tables
package import UserData

extension UserBackend {
    /// The outcome of a direct write of a record.
    package enum WriteOutcome: Sendable {
        /// The record after the write.
        case written(UserRecord, isNew: Bool)
        /// The current record, which does not match the precondition; `nil` if it does not exist.
        case stale(UserRecord?)
        /// The current record, which the request would replace without naming its revision.
        case needsRevision(UserRecord)
    }

    // MARK: Single records

    /// Returns one page of a collection in the order of ids, without deleted records.
    ///
    /// - Throws: `RequestError` `notFound` for a collection that is not declared, `noAccount`.
    package func records(
        of user: String, in collection: String, after id: String, limit: Int
    ) async throws -> RecordPage {
        try check(collection)
        return try await translatingErrors(of: user) {
            try await ledger.records(of: user, in: collection, after: id, limit: limit)
        }
    }

    /// Returns one record; `nil` when it does not exist or was deleted.
    ///
    /// - Throws: `RequestError` `notFound` for a collection that is not declared, `noAccount`.
    package func record(_ key: RecordKey, of user: String) async throws -> UserRecord? {
        try check(key.collection)
        return try await translatingErrors(of: user) { try await ledger.record(key, of: user) }
    }

    /// Sets or deletes a record if it has the expected revision.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - fields: All of its fields; `nil` deletes it.
    ///   - revision: The expected revision; `nil` for a record that does not exist yet.
    ///   - user: The account.
    /// - Returns: The outcome.
    /// - Throws: `RequestError` `notFound` for a collection that is not declared, `refused`.
    package func write(
        _ key: RecordKey, _ fields: [String: FieldValue]?, over revision: UInt64?, of user: String
    ) async throws -> WriteOutcome {
        try check(key.collection)
        let write = fields.map(ResourceWrite.put) ?? .delete
        let outcome = try await translatingErrors(of: user) {
            try await ledger.write(key, write, over: revision, of: user)
        }
        switch outcome {
        case .written(let record, let isNew): return .written(record, isNew: isNew)
        case .stale(let record): return .stale(record)
        case .needsRevision(let record): return .needsRevision(record)
        case .refused(let refusal):
            throw RequestError(
                .refused, "The collection does not take this: \(refusal.rawValue).")
        }
    }

    private func check(_ collection: String) throws {
        guard rules[collection] != nil else {
            throw RequestError(.notFound, "There is no collection of this name.")
        }
    }

    // MARK: Progress

    /// Returns the sums of a learner's answers by day and by domain, for a dashboard.
    ///
    /// - Parameter user: The account.
    /// - Returns: `days`, the newest 366, and `domains`.
    /// - Throws: `RequestError` `noAccount`.
    package func progress(of user: String) async throws -> JSONValue {
        try await translatingErrors(of: user) { try await ledger.progress(of: user).json }
    }

    // MARK: Upkeep

    /// Removes expired tokens and codes, deleted and unused accounts, and old tombstones; upkeep calls it periodically.
    ///
    /// While the clock is not trusted (`UpkeepClock`), it removes only the rows of deleted accounts.
    ///
    /// - Returns: The number of removed tombstones.
    package func purge() async throws -> Int {
        guard upkeepClock?.admits(now: clock().millisecondsSince1970) ?? true else {
            try await AccountUpkeep(storage: accounts.storage, now: clock())
                .eraseDeletedAccounts()
            return 0
        }
        try await purgeAccounts()
        try await administration?.purge()
        return try await ledger.purge()
    }

    /// Returns the number of damaged records that were moved aside, for the operator.
    package func damagedRecordCount() async throws -> Int {
        try await ledger.storage.damagedRecordCount()
    }

    /// Returns the reason why the database cannot serve; `nil` if it can.
    package func obstacle() async -> StorageObstacle? {
        await accounts.storage.obstacle()
    }

    /// Tests a write, and returns the reason why the database rejects writes; `nil` if it accepts them.
    package func writeObstacle() async -> StorageObstacle? {
        await accounts.storage.writeObstacle()
    }
}
