import Crypto
import Foundation
import PostgresDriver
import TestSupport
import Testing
import UserData

@testable import Accounts
@testable import Boards
@testable import Ledger
@testable import LiveEvents
@testable import Operations
@testable import Review
@testable import ServerApplication
@testable import Tables

/// The adapters that the contract of the storage of accounts is tested on.
enum AccountAdapter: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite
    case postgres

    var testDescription: String { rawValue }

    /// Makes an empty storage.
    func make() async throws -> AccountWorld {
        switch self {
        case .sqlite:
            return try Self.world(TemporaryFolder())
        case .postgres:
            let users = try await PostgresUsers([])
            return try Self.world(users, users.pool(), TemporaryFolder())
        }
    }

    /// Makes a storage of a folder.
    static func world(_ folder: TemporaryFolder) throws -> AccountWorld {
        let database = try UserDatabase(path: folder.path + "/users.sqlite")
        let open: @Sendable () throws -> any AccountStorage = {
            try SQLiteAccounts(
                UserDatabase(path: folder.path + "/users.sqlite"), folder: folder.url,
                moving: .rooms)
        }
        return AccountWorld(
            storage: try open(), ledger: SQLiteLedger(database: database),
            boards: BoardStorage(database, changesMax: 1_000), tables: database,
            regrading: RegradeStorage(database, accountsMax: 1_000),
            reopen: open,
            another: open,
            startGeneration: { try database.startGeneration(now: .distantPast) })
    }

    /// Makes a storage of a database.
    ///
    /// - Parameter folder: The folder of this process.
    static func world(
        _ users: PostgresUsers, _ pool: PostgresPool, _ folder: TemporaryFolder
    ) throws -> AccountWorld {
        let other = try TemporaryFolder()
        let ledger = PostgresLedger(pool)
        @Sendable func open(_ folder: TemporaryFolder) throws -> PostgresAccounts {
            try PostgresAccounts.withRooms(users.pool(), folder: folder.url)
        }
        return AccountWorld(
            storage: try open(folder), ledger: ledger,
            boards: BoardStorage(users.pool(), changesMax: 10_000),
            tables: pool, regrading: RegradeStorage(users.pool(), accountsMax: 10_000),
            reopen: { try open(folder) },
            another: { try open(other) },
            startGeneration: { try await ledger.startGeneration(now: .distantPast) })
    }
}

/// A storage of accounts with the ledger beside it.
package struct AccountWorld: Sendable {
    let storage: any AccountStorage
    let ledger: any LedgerStorage
    let boards: BoardStorage
    let tables: any TableDatabase
    let regrading: RegradeStorage
    /// Opens the same storage again, as this process does when it starts anew.
    let reopen: @Sendable () async throws -> any AccountStorage
    /// Opens the same storage as another process beside this one.
    let another: @Sendable () async throws -> any AccountStorage
    let startGeneration: @Sendable () async throws -> Int64

    /// The storage of events.
    var events: EventStorage { EventStorage(tables) }

    /// The storage of the review of keys.
    var review: ReviewStorage { ReviewStorage(tables) }

    /// The storage of roles and of the audit log.
    var administration: AdministrationStorage { AdministrationStorage(tables) }

    /// The storage of what content devices have.
    var uptake: UptakeStorage { UptakeStorage(tables) }

    /// The rules of accounts over the storage.
    var store: AccountStore { Self.store(storage) }

    static func store(_ storage: any AccountStorage) -> AccountStore {
        AccountStore(
            storage: storage,
            tokens: RefreshTokens(serverKey: SymmetricKey(data: Data(repeating: 7, count: 32))))
    }

    func write(_ changes: AccountChange...) async throws {
        try await storage.change(AccountReadSet()) { _ in AccountOutcome(changes, reply: ()) }
    }

    func open(
        _ name: AccountReadSet.Name?, _ set: (inout AccountReadSet) -> Void = { _ in }
    ) async throws -> AccountSnapshot {
        var keys = AccountReadSet(name)
        set(&keys)
        return try await storage.open(keys)
    }

    /// Writes a record of an account, as a device does.
    func writeRecord(of user: String) async throws {
        try await ledger.exchange(LedgerReadSet(user: user, client: ClientID("d"), now: 1)) { _ in
            var changes = LedgerChanges()
            changes.account = LedgerAccount()
            changes.account?.position = 1
            changes.records = [.sample("a", at: 1)]
            return LedgerDecision(changes: changes, reply: ())
        }
    }
}

extension UserDatabase {
    /// Adds an account with an id of choice.
    func addAccount(_ id: String) async throws {
        try await SQLiteAccounts(self, moving: .rooms).change(AccountReadSet()) { _ in
            AccountOutcome([.create(id, tokenGeneration: 0, at: 0)], reply: ())
        }
    }
}

extension TokenRow {
    /// A token whose hash repeats a byte.
    static func sample(
        _ byte: UInt8, family: String = "f", parent: UInt8? = nil, expiresAt: Int64 = 1000,
        usedAt: Int64? = nil, generation: Int64 = 0
    ) -> TokenRow {
        TokenRow(
            hash: .hash(byte), family: family, parent: parent.map { .hash($0) },
            expiresAt: expiresAt, usedAt: usedAt, generation: generation)
    }
}

extension StoredPassword {
    static func sample(_ email: String, byte: UInt8 = 1, verifiedAt: Int64? = nil)
        -> StoredPassword
    {
        StoredPassword(
            email: email,
            hash: Passwords.Hash(
                salt: [UInt8](repeating: byte, count: 16),
                bytes: [UInt8](repeating: byte, count: 32), rounds: 1024),
            verifiedAt: verifiedAt)
    }
}

extension Data {
    static func hash(_ byte: UInt8) -> Data { Data(repeating: byte, count: 32) }
}
