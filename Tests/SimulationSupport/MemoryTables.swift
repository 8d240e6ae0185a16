import ServiceAPI
import Tables
package import UserData

@testable package import Ledger

/// A server's data of all users, in memory: a value, so that a copy of it is a backup.
package struct MemoryTables: Sendable {
    /// The data of one user.
    package struct Account: Sendable {
        package var totals = LedgerAccount()
        /// The devices in the order of their registration.
        package var devices: [Device] = []
        package var records: [RecordKey: LogRow] = [:]
        package var marks: [UInt64: String] = [:]

        package init() {}
    }

    /// The data of one device.
    package struct Device: Sendable {
        package var client: ClientID
        package var known = KnownDevice()
        package var results: [UInt64: StoredVerdict] = [:]
        package var answers: [AnswerRow?] = []
        package var digest = SetDigest()

        var isInUse: Bool { known.wasSeen && !known.trail.isRetired }
        var unreadResults: Int {
            results.keys.count { $0 >= known.trail.processedBefore }
        }
    }

    package var accounts: [String: Account] = [:]
    /// The number of declared restores.
    package var generation = 0

    package init() {}

    func account(_ user: String) throws -> Account {
        guard let account = accounts[user] else { throw LedgerError.noAccount }
        return account
    }

    // MARK: Open, decide, write

    /// Opens an account, decides, and replaces the account by the changed one in one step.
    package mutating func exchange<Reply>(
        _ keys: LedgerReadSet, _ decide: (LedgerSnapshot) throws -> LedgerDecision<Reply>
    ) throws -> Reply {
        var account = try account(keys.user)
        let decision = try decide(try open(keys))
        try account.write(decision.changes)
        accounts[keys.user] = account
        return decision.reply
    }

    /// Reads the snapshot that `keys` name.
    package func open(_ keys: LedgerReadSet) throws -> LedgerSnapshot {
        let account = try account(keys.user)
        var snapshot = LedgerSnapshot(account: account.totals)
        snapshot.generation = generation > 0 ? String(generation) : nil
        snapshot.devices = account.devices.map(\.summary)
        account.readDevice(keys, &snapshot)
        for key in keys.records { snapshot.records[key] = account.records[key] }
        if snapshot.records.count < keys.records.count {
            snapshot.recordCounts = account.records.keys.reduce(into: [:]) {
                $0[$1.collection, default: 0] += 1
            }
        }
        snapshot.endMark = account.marks[account.totals.position]
        snapshot.namedMark = keys.head.flatMap { account.marks[$0] }
        if keys.head != nil, snapshot.namedMark == nil {
            snapshot.oldestMark = account.marks.keys.min() ?? 0
            snapshot.markCount = account.marks.count
        }
        snapshot.page = keys.page.map(account.page)
        return snapshot
    }
}

extension MemoryTables.Account {
    /// The records in the order of the log.
    package var log: [LogRow] { records.values.sorted { $0.position < $1.position } }

    fileprivate func readDevice(_ keys: LedgerReadSet, _ snapshot: inout LedgerSnapshot) {
        guard let device = devices.first(where: { $0.client == keys.client }) else { return }
        snapshot.device = device.known
        for counter in keys.counters { snapshot.results[counter] = device.results[counter] }
        let from = max(keys.processedBefore, device.known.trail.processedBefore)
        snapshot.unreadResults = device.results.keys.count { $0 >= from }
        for run in keys.runs where run.first <= device.answers.count {
            snapshot.answers[run.first] = Array(
                device.answers.dropFirst(Int(run.first) - 1).prefix(run.count))
        }
    }

    fileprivate func page(_ key: LedgerReadSet.PageKey) -> LogPage {
        var (page, size) = (
            LogPage(), PageSize(recordsMax: key.recordsMax, bytesMax: key.bytesMax)
        )
        page.through = key.after
        for row in log where row.position > key.after {
            guard size.takes(row.json.utf8.count, batch: row.batch) else {
                page.hasMore = true
                break
            }
            page.rows.append(row)
            page.through = row.position
        }
        return page
    }

    // MARK: Writing

    fileprivate mutating func write(_ changes: LedgerChanges) throws {
        for client in changes.retired { retire(client) }
        for client in changes.forgotten {
            change(client) { $0.results = [:] }
            deleteIfEmpty(client)
        }
        if let device = changes.device {
            change(device.client) { $0.note(device.known, changes) }
        }
        for row in changes.records { records[row.record.key] = row }
        if let mark = changes.mark {
            marks[mark.position] = mark.mark
            for position in marks.keys.sorted().dropLast(changes.marksMax) {
                marks[position] = nil
            }
        }
        for run in changes.runs { try append(run) }
        for (client, digest) in changes.digests { change(client) { $0.digest = digest } }
        if let totals = changes.account {
            let purged = self.totals.purgedThrough
            self.totals = totals
            self.totals.purgedThrough = purged
        }
    }

    private mutating func change(
        _ client: ClientID, _ body: (inout MemoryTables.Device) -> Void
    ) {
        if !devices.contains(where: { $0.client == client }) {
            devices.append(MemoryTables.Device(client: client))
        }
        for index in devices.indices where devices[index].client == client {
            body(&devices[index])
        }
    }

    private mutating func retire(_ client: ClientID) {
        change(client) {
            $0.known.trail.isRetired = true
            $0.results = $0.results.filter(\.value.isApplied)
        }
        deleteIfEmpty(client)
    }

    private mutating func deleteIfEmpty(_ client: ClientID) {
        devices.removeAll {
            $0.client == client && $0.answers.isEmpty && $0.results.isEmpty
        }
    }

    private mutating func append(_ run: AnswerColumns) throws {
        let known = devices.first { $0.client == run.span.client }?.answers.count ?? 0
        guard run.span.first == known + 1, run.rows.count == run.span.count else {
            throw LedgerError.damaged("answers")
        }
        change(run.span.client) {
            $0.answers += run.rows
            $0.known.trail.lastAnswer = UInt64($0.answers.count)
        }
    }
}

extension MemoryTables.Device {
    fileprivate var summary: LedgerDevice {
        var summary = LedgerDevice(client: client)
        summary.lastAnswer = UInt64(answers.count)
        summary.digest = digest
        summary.lastSeenAt = known.lastSeenAt
        summary.isRetired = known.trail.isRetired
        summary.hasUnreadResults = isInUse && unreadResults > 0
        return summary
    }

    fileprivate mutating func note(_ new: KnownDevice, _ changes: LedgerChanges) {
        let old = known.trail
        known = new
        known.trail.lastAnswer = old.lastAnswer
        known.trail.isRetired = old.isRetired
        results.merge(changes.results) { $1 }
        if changes.resultsBefore > 0 {
            results = results.filter { $0.key >= changes.resultsBefore }
        }
    }
}
