public import ContentModel
import Foundation
import GRDB
import ServiceAPI
public import UserData

extension UserDesk {
    private var now: Int64 { Int64(clock().timeIntervalSince1970 * 1000) }

    /// How a plain write of a record ended.
    public enum WriteOutcome: Sendable {
        /// The record is now so.
        case written(UserData.Record, isNew: Bool)
        /// The record is not as the request says; `nil` for one that is not there.
        case stale(UserData.Record?)
        /// The request does not say which revision it replaces, and there is one.
        case needsRevision(UserData.Record)
    }

    // MARK: Single records

    /// One page of a collection, in the order of ids; deleted records are left out.
    ///
    /// - Throws: `UserServiceError` `notFound` for a collection that is not declared, `noAccount`.
    public func records(
        of user: String, in collection: String, after id: String, limit: Int
    ) async throws -> RecordPage {
        try require(collection)
        return try await read { try $0.records(of: user, in: collection, after: id, limit: limit) }
    }

    /// One record; `nil` when it was deleted or never was.
    ///
    /// - Throws: `UserServiceError` `notFound` for a collection that is not declared, `noAccount`.
    public func record(_ key: RecordKey, of user: String) async throws -> UserData.Record? {
        try require(key.collection)
        return try await read { try $0.record(key, of: user) }
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
        let outcome = try await write { ledger in
            try ledger.write(
                key, fields.map { .put($0) } ?? .delete, over: revision, of: user,
                chance: RandomText.make(bytes: 9))
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

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Ledger) throws -> Value
    ) async throws -> Value {
        let (rules, now) = (rules, now)
        return try await answered {
            try await database.writer.read { try body(Ledger($0, rules: rules, now: now)) }
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Ledger) throws -> Value
    ) async throws -> Value {
        let (rules, now) = (rules, now)
        return try await answered {
            try await database.writer.write { try body(Ledger($0, rules: rules, now: now)) }
        }
    }

    // MARK: Progress

    /// A learner's answers by day and by domain, for a dashboard.
    ///
    /// - Parameter user: The account.
    /// - Returns: `days`, the newest 366, and `domains`.
    /// - Throws: `UserServiceError` `noAccount`.
    public func progress(of user: String) async throws -> JSONValue {
        // What an older server kept is counted once, in transactions that let others in between.
        while true {
            let progress = try await read { ledger -> JSONValue? in
                let account = try LedgerAccount(id: user, in: ledger.database)
                let statistics = AnswerStatistics(ledger.database, account)
                return try statistics.isComplete() ? try statistics.json() : nil
            }
            if let progress { return progress }
            try await answered {
                try await database.writer.write { database in
                    let account = try LedgerAccount(id: user, in: database)
                    _ = try AnswerStatistics(database, account).step()
                }
            }
        }
    }

    // MARK: Upkeep

    /// Forgets deleted records after their time; called now and then.
    ///
    /// - Returns: How many were forgotten.
    public func purge() async throws -> Int {
        try await purgeAccounts()
        let now = now
        var all = 0
        while true {
            let count = try await database.writer.write { try Purge(now: now).run(in: $0) }
            all += count
            if count == 0 { return all }
        }
    }

    /// Counts the records that could not be read and were put aside, for the operator.
    public func damagedRecordCount() async throws -> Int {
        try await database.writer.read {
            try Int.fetchOne($0, sql: "SELECT count(*) FROM damagedRecord") ?? 0
        }
    }

    /// True when the database answers.
    public func isReady() async -> Bool {
        (try? await database.writer.read { try Int.fetchOne($0, sql: "SELECT 1") }) == 1
    }
}
