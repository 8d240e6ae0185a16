import Foundation
import GRDB
import ServiceAPI

/// The removal of expired rows, in transactions of a bounded number of rows, so that requests never
/// wait long for the only writer.
struct AccountUpkeep: Sendable {
    let store: AccountStore
    let now: Date

    /// The rows of a batch: expired rows are spread over their table, and each touches pages of
    /// five indexes, so 1,000 among a million occupy the writer for 110 ms.
    private static let expiredBatchMax = 250

    private var seconds: Int64 { Int64(now.timeIntervalSince1970) }
    private var database: UserDatabase { store.database }

    /// Removes expired tokens and codes, unused accounts, and the rows of deleted accounts.
    ///
    /// - Throws: An error of the file system or the database; the next run removes the rest.
    func run() async throws {
        try await removeExpired("refreshToken", key: "hash")
        try await removeExpired("emailCode", key: "account, purpose, hash")
        try await markUnusedAccounts()
        try await eraseDeletedAccounts()
        let (journal, milliseconds) = (store.journal, now.millisecondsSince1970)
        // On the writer's queue, where entries are appended.
        try await database.write { _ in try journal.compact(now: milliseconds) }
    }

    private func removeExpired(_ table: String, key: String) async throws {
        let seconds = seconds
        while true {
            try Task.checkCancellation()
            let count = try await database.write { database in
                try database.execute(
                    sql: """
                        DELETE FROM \(table) WHERE (\(key)) IN
                            (SELECT \(key) FROM \(table) WHERE expiresAt <= ? LIMIT ?)
                        """, arguments: [seconds, Self.expiredBatchMax])
                return database.changesCount
            }
            if count < Self.expiredBatchMax { return }
        }
    }

    // MARK: Deleted accounts

    /// Removes the rows of deleted accounts, and continues interrupted deletions.
    func eraseDeletedAccounts() async throws {
        while true {
            try Task.checkCancellation()
            let isDone = try await database.write { database in
                let number = try Int64.fetchOne(
                    database, sql: "SELECT number FROM account WHERE deletedAt IS NOT NULL LIMIT 1")
                guard let number else { return true }
                try AccountErasure(of: number, in: database).delete(
                    atMost: ServiceLimits.upkeepBatchMax)
                return false
            }
            if isDone { return }
        }
    }

    // MARK: Unused accounts

    /// Deletes accounts without sign-in methods that no device has used for long.
    ///
    /// They are not recorded as deleted: a device that returns with a valid token gets its account
    /// again.
    private func markUnusedAccounts() async throws {
        var last: (used: Int64, number: Int64) = (-1, 0)
        while true {
            try Task.checkCancellation()
            let page = try await unusedAccounts(after: last)
            guard let end = page.last else { return }
            last = (end.used, end.number)
            let (numbers, now) = (page.filter(\.isRemoved), now)
            if !numbers.isEmpty {
                try await database.write { database in
                    for account in numbers {
                        try Self.mark(account, now: now, in: database)
                    }
                }
            }
        }
    }

    private struct Unused: Sendable {
        let used: Int64
        let number: Int64
        let isRemoved: Bool
    }

    private func unusedAccounts(after last: (used: Int64, number: Int64)) async throws -> [Unused] {
        let day: Int64 = 86_400
        let empty = seconds - Int64(ServiceLimits.unusedAccountDays) * day
        let full = seconds - Int64(ServiceLimits.unusedAccountWithDataDays) * day
        return try await database.read { database in
            try GRDB.Row.fetchAll(
                database,
                sql: """
                    SELECT lastUsedAt, number, deletedAt IS NULL
                        AND NOT EXISTS (SELECT 1 FROM password WHERE account = number)
                        AND NOT EXISTS (SELECT 1 FROM identity WHERE account = number)
                        AND (lastUsedAt < ? OR position = 0 AND NOT EXISTS
                            (SELECT 1 FROM device WHERE account = account.number AND lastAnswer > 0))
                        AS isRemoved
                    FROM account WHERE lastUsedAt < ? AND (lastUsedAt, number) > (?, ?)
                    ORDER BY lastUsedAt, number LIMIT ?
                    """,
                arguments: [full, empty, last.used, last.number, ServiceLimits.upkeepBatchMax]
            ).map {
                Unused(used: $0["lastUsedAt"], number: $0["number"], isRemoved: $0["isRemoved"])
            }
        }
    }

    /// Marks an account as deleted if it has not changed since it was read.
    private static func mark(_ account: Unused, now: Date, in database: Database) throws {
        let isUnused = try Bool.fetchOne(
            database, sql: "SELECT lastUsedAt = ? FROM account WHERE number = ?",
            arguments: [account.used, account.number])
        guard isUnused == true else { return }
        try AccountStore.markDeleted(account.number, now: now, in: database)
    }
}
