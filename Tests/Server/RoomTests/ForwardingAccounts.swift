import ContentServer
import Foundation
import Tables

@testable import Accounts

/// A storage of accounts that passes on what a test does not change.
protocol ForwardingAccounts: AccountStorage {
    /// The storage behind it.
    var accounts: any AccountStorage { get }
}

extension ForwardingAccounts {
    func obstacle() async -> StorageObstacle? { await accounts.obstacle() }
    func writeObstacle() async -> StorageObstacle? { await accounts.writeObstacle() }
    var tables: any TableDatabase { accounts.tables }
    func eraseDeletedAccounts(limit: Int) async throws -> Bool {
        try await accounts.eraseDeletedAccounts(limit: limit)
    }
    func detectRestore() async throws -> Bool { try await accounts.detectRestore() }
    func renewMark(now: Int64) async throws { try await accounts.renewMark(now: now) }
    func revocations() async throws -> [Revocation] { try await accounts.revocations() }
    func compactRevocations(now: Int64) async throws {
        try await accounts.compactRevocations(now: now)
    }
}
