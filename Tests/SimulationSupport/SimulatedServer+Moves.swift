import Ledger
import UserData

/// Moves and deletions of accounts.
extension SimulatedServer {
    /// What became of an account that no request finds.
    enum Closed: Hashable {
        case moving(into: String)
        case moved(into: String)
        case deleted
    }

    /// The id of an account while it moves: no request can contain it.
    static func closedID(of source: String) -> String { "moving " + source }

    /// Closes an account and begins its move; false where there is nothing to move into.
    mutating func beginMove(of source: String, into target: String) -> Bool {
        guard closed[target] == nil else { return false }
        guard closed[source] == nil else { return true }
        closed[source] = .moving(into: target)
        let account = tables.accounts[source] ?? MemoryTables.Account()
        tables.accounts[Self.closedID(of: source)] = account
        if mistake != .copiedInsteadOfMoved { tables.accounts[source] = nil }
        return true
    }

    /// Moves what is left of an account.
    mutating func endMove(of source: String) {
        guard case .moving(let target)? = closed[source],
            let account = tables.accounts[Self.closedID(of: source)]
        else { return }
        forgetTombstones(of: account, source, target)
        markCount += 1
        let merge = RecordMerge(
            ledger: ledger, source: source, target: target, now: now, chance: "m\(markCount)")
        do {
            try tables.copy(account, by: merge, into: target)
        } catch {
            // The target is open, and memory does not fail.
            preconditionFailure("\(error)")
        }
        if mistake == .movedWithoutDifferences { dropDifferences(of: target) }
        tables.accounts[Self.closedID(of: source)] = nil
        closed[source] = .moved(into: target)
    }

    /// Deletes an account with each that moved or moves into it.
    mutating func delete(_ user: String) {
        closed[user] = .deleted
        tables.accounts[user] = nil
        for (source, state) in closed
        where state == .moving(into: user) || state == .moved(into: user) {
            guard mistake != .movedOneOutlivesDeletion else { continue }
            closed[source] = .deleted
            tables.accounts[Self.closedID(of: source)] = nil
        }
    }

    /// What an account deleted, the other one keeps: the deletions are forgotten.
    private mutating func forgetTombstones(
        of account: MemoryTables.Account, _ source: String, _ target: String
    ) {
        var times = purged[source] ?? [:]
        for row in account.records.values where row.record.isDeleted {
            times[row.record.key] = row.record.time
        }
        purged[target, default: [:]].merge(times) { max($0, $1) }
    }

    private mutating func dropDifferences(of target: String) {
        let keys = (tables.accounts[target]?.records ?? [:]).keys
        for key in keys where key.collection == CollectionRules.differences.declaration.name {
            drop(key, of: target)
        }
    }
}
