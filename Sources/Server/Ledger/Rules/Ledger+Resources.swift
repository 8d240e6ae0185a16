package import UserData

/// A direct write to one record.
package enum ResourceWrite: Sendable {
    case put([String: FieldValue])
    case delete
}

/// The outcome of a direct write.
package enum ResourceOutcome: Sendable {
    /// The record after the write.
    case written(UserRecord, isNew: Bool)
    /// The current record, which differs from the expected revision; `nil` if it does not exist.
    case stale(UserRecord?)
    /// The current record; the request names no revision to replace.
    case needsRevision(UserRecord)
    /// The collection rejects the write.
    case refused(Refusal)
}

extension Ledger {
    /// The name under which plain requests are numbered, which no device can have.
    static let plainRequests = ClientID("!http")

    /// Returns what the decision on a plain write needs to see.
    func keys(writing key: RecordKey, of user: String, now: Int64) -> LedgerReadSet {
        var keys = LedgerReadSet(user: user, client: Self.plainRequests, now: now)
        keys.records = [key]
        return keys
    }

    /// Decides on a plain write: a record is written when it is still as the request says.
    ///
    /// A repetition after a commit whose reply was lost finds what the first run wrote, and changes nothing. Only then:
    /// of two writers that replace a revision by the same fields, one must learn that it came second.
    ///
    /// - Parameters:
    ///   - key: The record.
    ///   - write: What becomes of it.
    ///   - revision: The revision that is replaced; `nil` for a record that is not there yet.
    ///   - now: The wall clock, in milliseconds since 1970.
    ///   - chance: A text that nobody used before.
    ///   - snapshot: The account.
    /// - Returns: How it ended; nothing changes unless it was written.
    func decide(
        _ key: RecordKey, _ write: ResourceWrite, over revision: UInt64?, now: Int64,
        chance: String, in snapshot: LedgerSnapshot
    ) -> LedgerDecision<ResourceOutcome> {
        let known = snapshot.records[key]?.record
        let alive = known?.isDeleted == true ? nil : known
        func unchanged(_ outcome: ResourceOutcome) -> LedgerDecision<ResourceOutcome> {
            LedgerDecision(changes: LedgerChanges(), reply: outcome)
        }
        if snapshot.isRepeated, let known, write.made(known, over: revision, now: now) {
            return unchanged(.written(known, isNew: revision == nil))
        }
        if let alive, revision == nil { return unchanged(.needsRevision(alive)) }
        guard alive?.revision == revision else { return unchanged(.stale(alive)) }
        if case .delete = write, alive == nil { return unchanged(.stale(nil)) }
        var device = snapshot.device ?? LedgerDevice(client: Self.plainRequests)
        let operation = ChangeOperation(
            id: OperationID(client: .plainRequests, counter: device.nextCounter()), key: key,
            change: write.change, seenRevision: known?.revision ?? 0,
            time: HybridTime(milliseconds: now))
        var account = AccountDecision(ledger: self, now: now, snapshot: snapshot)
        let result = account.apply(operation)
        account.mark(chance)
        account.changes.device = device
        return LedgerDecision(
            changes: account.finished, reply: ResourceOutcome(result, over: alive))
    }
}

extension ResourceWrite {
    fileprivate var change: Change {
        switch self {
        case .put(let fields): .put(fields)
        case .delete: .delete
        }
    }

    /// Returns true when a record is what the request of this time has made of a revision.
    fileprivate func made(_ known: UserRecord, over revision: UInt64?, now: Int64) -> Bool {
        guard known.operation.client == .plainRequests, known.time.milliseconds == now,
            known.revision > revision ?? 0
        else { return false }
        return switch self {
        case .put(let fields): !known.isDeleted && known.values == fields
        case .delete: known.isDeleted && revision != nil
        }
    }
}

extension ResourceOutcome {
    fileprivate init(_ result: OperationResult, over alive: UserRecord?) {
        switch result {
        case .accepted(let record): self = .written(record, isNew: alive == nil)
        case .merged(let record), .conflict(let record): self = .stale(record)
        case .refused(let refusal): self = .refused(refusal)
        case .retryLater: self = .stale(alive)
        }
    }
}
