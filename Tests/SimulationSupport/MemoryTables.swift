package import Ledger
import ServiceAPI
import Tables
package import UserData

/// A server's data of all users, in memory: a value, so that a copy of it is a backup.
package struct MemoryTables: Sendable {
    /// The data of one user.
    package struct Account: Sendable {
        package var totals = LedgerAccount()
        /// The devices in the order of their registration.
        package var devices: [Device] = []
        package var records: [RecordKey: LogRow] = [:]
        package var marks: [UInt64: String] = [:]
        package var retractions: [StoredRetraction] = []
        /// The sums of sessions, which are added up as a database does.
        package var sessions: [SessionScore] = []

        package init() {}
    }

    /// The data of one device.
    package struct Device: Sendable {
        package var row: LedgerDevice
        package var results: [UInt64: StoredVerdict] = [:]
        package var answers: [AnswerRow?] = []

        package var client: ClientID { row.client }
    }

    package var accounts: [String: Account] = [:]
    /// The number of declared restores.
    package var generation = 0

    package init() {}

    func account(_ user: String) throws -> Account {
        guard let account = accounts[user] else { throw StorageError.noAccount }
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
        account.readDevices(keys, &snapshot)
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
        account.readRetractions(keys, &snapshot)
        return snapshot
    }
}

extension MemoryTables.Account {
    /// The records in the order of the log.
    package var log: [LogRow] { records.values.sorted { $0.position < $1.position } }

    fileprivate func readDevices(_ keys: LedgerReadSet, _ snapshot: inout LedgerSnapshot) {
        snapshot.devices = devices.map { device in
            var row = device.row
            let first = row.client == keys.client ? keys.firstUnread : 0
            row.unreadResults = device.results.keys.count { $0 >= max(first, row.processedBefore) }
            return row
        }
        snapshot.device = snapshot.devices.first { $0.client == keys.client }
        guard let device = devices.first(where: { $0.client == keys.client }) else { return }
        for counter in keys.counters { snapshot.results[counter] = device.results[counter] }
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
            change(device.client) { $0.note(device, changes) }
        }
        for row in changes.records { records[row.record.key] = row }
        if let mark = changes.mark {
            marks[mark.position] = mark.mark
            for position in marks.keys.sorted().dropLast(changes.marksMax) {
                marks[position] = nil
            }
        }
        for run in changes.runs { try append(run) }
        write(changes.retractions)
        sessions = SessionScore.merged(sessions + changes.sessions).filter { $0.answers != 0 }
        for (client, digest) in changes.digests { change(client) { $0.row.digest = digest } }
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
            devices.append(MemoryTables.Device(row: LedgerDevice(client: client)))
        }
        for index in devices.indices where devices[index].client == client {
            body(&devices[index])
        }
    }

    private mutating func retire(_ client: ClientID) {
        change(client) {
            $0.row.isRetired = true
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
            throw StorageError.damaged("answers")
        }
        change(run.span.client) {
            $0.answers += run.rows
            $0.row.lastAnswer = UInt64($0.answers.count)
        }
    }
}

extension MemoryTables.Device {
    fileprivate mutating func note(_ device: LedgerDevice, _ changes: LedgerChanges) {
        let old = row
        row = device
        (row.lastAnswer, row.digest, row.isRetired) = (old.lastAnswer, old.digest, old.isRetired)
        results.merge(changes.results) { $1 }
        if changes.resultsBefore > 0 {
            results = results.filter { $0.key >= changes.resultsBefore }
        }
    }
}
