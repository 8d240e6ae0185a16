import Foundation
import GRDB
import Operations
import PostgresDriver
import SimulationSupport
import Testing
import UserData

@testable import Ledger
@testable import Tables

/// The adapters that the contract of the ledger's storage is tested on.
enum LedgerAdapter: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case sqlite
    case postgres

    var testDescription: String { rawValue }

    /// Makes a storage with the accounts of two users, `u` and `v`.
    func make() async throws -> LedgerWorld {
        switch self {
        case .memory:
            let storage = MemoryStorage(users: ["u", "v"])
            return LedgerWorld(
                storage: storage,
                deleteAccount: { storage.deleteAccount($0) },
                startGeneration: { storage.startGeneration() })
        case .sqlite:
            let database = try UserDatabase.inMemory()
            for user in ["u", "v"] { try await database.addAccount(user) }
            return LedgerWorld(
                storage: SQLiteLedger(database: database), tables: database,
                deleteAccount: { user in
                    try await database.write {
                        try $0.execute(sql: "DELETE FROM account WHERE id = ?", arguments: [user])
                    }
                },
                startGeneration: { try database.startGeneration(now: .distantPast) })
        case .postgres:
            let users = try await PostgresUsers()
            let pool = users.pool()
            let ledger = PostgresLedger(pool)
            return LedgerWorld(
                storage: ledger, tables: pool,
                deleteAccount: { user in
                    try await users.execute("DELETE FROM underway.account WHERE id = \(user)")
                },
                startGeneration: { try await ledger.startGeneration(now: .distantPast) })
        }
    }
}

/// A storage with what happens to it beside the ledger.
struct LedgerWorld: Sendable {
    let storage: any LedgerStorage
    /// The tables of a database.
    var tables: (any TableDatabase)?
    let deleteAccount: @Sendable (_ user: String) async throws -> Void
    let startGeneration: @Sendable () async throws -> Void

    /// Writes changes as a decision of a device would.
    func write(
        _ user: String = "u", _ change: @escaping @Sendable (inout LedgerChanges) -> Void
    ) async throws {
        try await storage.exchange(LedgerReadSet(user: user, client: ClientID("d"), now: 1)) { _ in
            var changes = LedgerChanges()
            change(&changes)
            return LedgerDecision(changes: changes, reply: ())
        }
    }

    /// Reads what keys name that a test sets.
    func open(
        _ user: String = "u", _ client: String = "d",
        _ set: (inout LedgerReadSet) -> Void = { _ in }
    ) async throws -> LedgerSnapshot {
        var keys = LedgerReadSet(user: user, client: ClientID(client), now: 1)
        set(&keys)
        return try await storage.open(keys)
    }
}

extension LogRow {
    /// A record of a request.
    static func sample(
        _ id: String, at position: UInt64, batch: UInt64? = nil, collection: String = "exams",
        deletedAt: Int64? = nil
    ) -> LogRow {
        var record = UserRecord(
            key: RecordKey(collection, id), revision: position,
            operation: OperationID(client: ClientID("d"), counter: position),
            time: HybridTime(milliseconds: 5))
        record.isDeleted = deletedAt != nil
        return LogRow(
            record: record, json: StoredJSON.text(record), position: position,
            batch: batch ?? position, deletedAt: deletedAt)
    }
}

extension LedgerDevice {
    static func sample(
        _ name: String, seenAt: Int64 = 1, processedBefore: UInt64 = 0
    ) -> LedgerDevice {
        var device = LedgerDevice(client: ClientID(name))
        device.lastSeenAt = seenAt
        device.processedBefore = processedBefore
        return device
    }
}
