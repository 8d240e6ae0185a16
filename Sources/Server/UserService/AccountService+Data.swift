public import ContentModel
import Foundation
import ServiceAPI
public import UserData

extension AccountService {
    /// How a plain write of a record ended.
    public enum WriteOutcome: Sendable {
        /// The record is now so.
        case written(UserRecord, isNew: Bool)
        /// The record is not as the request says; `nil` for one that is not there.
        case stale(UserRecord?)
        /// The request does not say which revision it replaces, and there is one.
        case needsRevision(UserRecord)
    }

    // MARK: Single records

    /// One page of a collection, in the order of ids; deleted records are left out.
    ///
    /// - Throws: `UserServiceError` `notFound` for a collection that is not declared, `noAccount`.
    public func records(
        of user: String, in collection: String, after id: String, limit: Int
    ) async throws -> RecordPage {
        try require(collection)
        return try await answered {
            try await ledger.records(of: user, in: collection, after: id, limit: limit)
        }
    }

    /// One record; `nil` when it was deleted or never was.
    ///
    /// - Throws: `UserServiceError` `notFound` for a collection that is not declared, `noAccount`.
    public func record(_ key: RecordKey, of user: String) async throws -> UserRecord? {
        try require(key.collection)
        return try await answered { try await ledger.record(key, of: user) }
    }

    /// Sets or deletes a record when it is still as the request says.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - fields: All of its fields; `nil` deletes it.
    ///   - revision: What is replaced; `nil` for a record that is not there yet.
    ///   - user: The account.
    /// - Returns: How it ended.
    /// - Throws: `UserServiceError` `notFound` for a collection that is not declared, `refused`.
    public func write(
        _ key: RecordKey, _ fields: [String: FieldValue]?, over revision: UInt64?, of user: String
    ) async throws -> WriteOutcome {
        try require(key.collection)
        let write = fields.map(ResourceWrite.put) ?? .delete
        let outcome = try await answered {
            try await ledger.write(key, write, over: revision, of: user)
        }
        switch outcome {
        case .written(let record, let isNew): return .written(record, isNew: isNew)
        case .stale(let record): return .stale(record)
        case .needsRevision(let record): return .needsRevision(record)
        case .refused(let refusal):
            throw UserServiceError(
                .refused, "The collection does not take this: \(refusal.rawValue).")
        }
    }

    private func require(_ collection: String) throws {
        guard rules[collection] != nil else {
            throw UserServiceError(.notFound, "There is no collection of this name.")
        }
    }

    // MARK: Progress

    /// A learner's answers by day and by domain, for a dashboard.
    ///
    /// - Parameter user: The account.
    /// - Returns: `days`, the newest 366, and `domains`.
    /// - Throws: `UserServiceError` `noAccount`.
    public func progress(of user: String) async throws -> JSONValue {
        try await answered { try await ledger.progress(of: user).json }
    }

    // MARK: Upkeep

    /// Forgets deleted records after their time; called now and then.
    ///
    /// - Returns: How many were forgotten.
    public func purge() async throws -> Int {
        try await purgeAccounts()
        return try await ledger.purge()
    }

    /// Counts the records that could not be read and were put aside, for the operator.
    public func damagedRecordCount() async throws -> Int {
        try await ledger.storage.damagedRecordCount()
    }

    /// True when the database answers.
    public func isReady() async -> Bool {
        await database.isReady()
    }
}
