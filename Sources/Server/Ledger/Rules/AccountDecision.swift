import ServiceAPI
import UserData

/// A decision on one account in the making: the snapshot, and what was changed of it so far.
struct AccountDecision {
    let ledger: Ledger
    /// The wall clock, in milliseconds since 1970.
    let now: Int64
    let snapshot: LedgerSnapshot
    /// The totals as they are now.
    var totals: LedgerAccount
    var changes = LedgerChanges()
    private var written: [RecordKey: LogRow] = [:]
    private var counts: [String: Int]

    init(ledger: Ledger, now: Int64, snapshot: LedgerSnapshot) {
        self.ledger = ledger
        self.now = now
        self.snapshot = snapshot
        totals = snapshot.account
        counts = snapshot.recordCounts ?? [:]
    }

    /// The first position that this decision writes.
    var batch: UInt64 { snapshot.account.position + 1 }

    /// The written records in the order of the log.
    var writtenRows: [LogRow] { written.values.sorted { $0.position < $1.position } }

    /// The changes with the records and totals that follow from them.
    var finished: LedgerChanges {
        var finished = changes
        finished.records = writtenRows
        finished.account = totals == snapshot.account ? nil : totals
        return finished
    }

    // MARK: The history

    /// The end of the log as it is now.
    var head: LogHead? {
        changes.mark
            ?? snapshot.endMark.map { LogHead(position: snapshot.account.position, mark: $0) }
    }

    /// The name of the account's history as devices see it.
    ///
    /// An operator who restores a backup starts a generation of the whole server, which stands before
    /// the account's own epoch: `2.Yz9…`. Before the first restore there is none.
    var epoch: String { snapshot.generation.map { "\($0).\(totals.epoch)" } ?? totals.epoch }

    /// Names the log's new end, if something was written.
    mutating func mark(_ chance: String) {
        guard totals.position >= batch else { return }
        changes.mark = LogHead(position: totals.position, mark: chance)
        changes.marksMax = ledger.limits.marksMax
    }

    // MARK: Records

    /// Returns a record as it is now; deleted ones too.
    func record(_ key: RecordKey) -> UserRecord? { row(key)?.record }

    func isWritten(_ key: RecordKey) -> Bool { written[key] != nil }

    private func row(_ key: RecordKey) -> LogRow? { written[key] ?? snapshot.records[key] }

    /// Judges one operation, and writes what follows.
    mutating func apply(_ operation: ChangeOperation) -> OperationResult {
        guard let rules = ledger.rules[operation.key.collection] else {
            return .refused(.unknownCollection)
        }
        let latest = HybridTime(milliseconds: now + HybridClock.aheadMillisecondsMax)
        let operation = operation.bounded(by: latest)
        let known = record(operation.key)?.bounded(by: latest)
        let policy = rules.declaration.policy
        switch ledger.judge(operation, known ?? forgotten(operation), policy) {
        case .write(let new, _): return write(new, over: known, rules)
        case .writePart(let new):
            let result = write(new, over: known, rules)
            guard case .accepted(let record) = result else { return result }
            return .merged(record)
        case .alreadyApplied(let record): return .accepted(record)
        case .superseded(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    /// Writes a record over the one that the operation met, if its collection allows it.
    private mutating func write(
        _ new: UserRecord, over known: UserRecord?, _ rules: CollectionRules
    ) -> OperationResult {
        let shown = known?.isDeleted == true ? nil : known?.values
        guard new.isDeleted || rules.accepts(new.values, over: shown) else {
            return .refused(.badField)
        }
        if known == nil, isFull(rules) { return .refused(.quota) }
        return write(new.committed(at: totals.position + 1))
    }

    /// Writes a record at the next position of the log, if there is room: one that does not grow is
    /// written whatever its size.
    private mutating func write(_ record: UserRecord) -> OperationResult {
        // The storage refused it: our own checks missed something.
        guard !snapshot.rejected.contains(record.key) else { return .refused(.notAllowed) }
        let (json, old) = (StoredJSON.text(record), row(record.key))
        let growth = json.utf8.count - (old?.json.utf8.count ?? 0)
        guard
            growth <= 0
                || json.utf8.count <= ServiceLimits.storedRecordBytesMax
                    && totals.recordBytes + growth <= ServiceLimits.recordBytesPerUserMax
        else { return .refused(.quota) }
        return commit(record, json, growth, over: old)
    }

    /// Writes a difference of a move: whatever the quota says, nothing that a user wrote is dropped.
    mutating func write(difference record: UserRecord) {
        let json = StoredJSON.text(record)
        _ = commit(record, json, json.utf8.count, over: nil)
    }

    private mutating func commit(
        _ record: UserRecord, _ json: String, _ growth: Int, over old: LogRow?
    ) -> OperationResult {
        written[record.key] = LogRow(
            record: record, json: json, position: record.revision, batch: batch,
            deletedAt: record.isDeleted ? now : nil)
        totals.position = record.revision
        totals.recordBytes += growth
        if let old {
            totals.digest.remove(old.record)
        } else {
            counts[record.key.collection, default: 0] += 1
        }
        totals.digest.add(record)
        return .accepted(record)
    }

    /// Returns true when another record is one too many.
    private func isFull(_ rules: CollectionRules) -> Bool {
        counts.values.reduce(0, +) >= ServiceLimits.recordsPerUserMax
            || counts[rules.declaration.name, default: 0] >= rules.recordsMax
    }

    /// Returns the tombstone of a record that was deleted so long ago that it is not remembered.
    private func forgotten(_ operation: ChangeOperation) -> UserRecord? {
        guard operation.seenRevision > 0, operation.seenRevision <= totals.purgedThrough else {
            return nil
        }
        return tombstone(operation.key)
    }

    /// Returns the tombstone of a record that is gone.
    func tombstone(_ key: RecordKey) -> UserRecord {
        var record = UserRecord(
            key: key, revision: totals.purgedThrough,
            operation: OperationID(client: .server, counter: 0), time: .zero)
        record.isDeleted = true
        return record
    }
}
