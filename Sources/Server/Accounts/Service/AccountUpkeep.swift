package import Foundation
import ServiceAPI

/// The removal of expired rows in transactions of bounded size, so that requests never wait long for the only writer.
package struct AccountUpkeep: Sendable {
    let storage: any AccountStorage
    let now: Date

    package init(storage: any AccountStorage, now: Date) {
        self.storage = storage
        self.now = now
    }

    /// The rows of a batch: expired rows are spread over their table, and each touches pages of
    /// five indexes, so 1,000 among a million occupy the writer for 110 ms.
    private static let expiredBatchMax = 250

    /// Removes expired tokens and codes, unused accounts, and the rows of deleted accounts.
    ///
    /// - Throws: An error of the file system or the database; the next run removes the rest.
    package func run() async throws {
        for rows in ExpiringRows.allCases { try await removeExpired(rows) }
        try await markUnusedAccounts()
        try await eraseDeletedAccounts()
        try await storage.compactRevocations(now: now.millisecondsSince1970)
    }

    private func removeExpired(_ rows: ExpiringRows) async throws {
        while true {
            try Task.checkCancellation()
            let count = try await storage.removeExpired(
                rows, at: now.secondsSince1970, limit: Self.expiredBatchMax)
            if count < Self.expiredBatchMax { return }
        }
    }

    /// Removes the rows of deleted accounts, and continues interrupted deletions.
    package func eraseDeletedAccounts() async throws {
        while try await !storage.eraseDeletedAccounts(limit: ServiceLimits.upkeepBatchMax) {
            try Task.checkCancellation()
        }
    }

    /// Deletes accounts without sign-in methods that no device has used for long.
    ///
    /// They are not recorded as deleted: a device that returns with a valid token gets its account
    /// again.
    private func markUnusedAccounts() async throws {
        let (rules, seconds) = (AccountRules(now: now), now.secondsSince1970)
        let end = seconds - Int64(ServiceLimits.unusedAccountDays) * 86_400
        var place: AccountUse.Place?
        while true {
            try Task.checkCancellation()
            let page = try await storage.accounts(
                usedBefore: end, after: place, limit: ServiceLimits.upkeepBatchMax)
            guard let last = page.last else { return }
            place = last.place
            let changes = page.filter(rules.isRemoved).map {
                AccountChange.markUnused($0.id, usedAt: $0.place.usedAt, at: seconds)
            }
            guard !changes.isEmpty else { continue }
            try await storage.change(AccountReadSet()) { _ in AccountOutcome(changes, reply: ()) }
        }
    }
}
