import ServiceAPI
package import UserData

/// The merge of a moved account's records into those of another account, as if a device offered them after a restore.
///
/// A version that lost becomes a record of `underway-differences`. Its id is derived from the accounts and the record,
/// so that a repetition adds none.
package struct RecordMerge: Sendable {
    let ledger: Ledger
    /// The account that moves.
    let source: String
    /// The account that receives it.
    let target: String
    /// The wall clock, in milliseconds since 1970.
    let now: Int64
    /// A text that nobody used before.
    let chance: String

    /// Creates a merge into an account.
    package init(
        ledger: Ledger, source: String, target: String, now: Int64, chance: String
    ) {
        self.ledger = ledger
        self.source = source
        self.target = target
        self.now = now
        self.chance = chance
    }

    /// Returns the read set of the decision.
    package func keys(_ records: [UserRecord]) -> LedgerReadSet {
        var keys = LedgerReadSet(user: target, client: .server, now: now)
        for record in records {
            keys.records.formUnion([record.key, ours(record), theirs(record)])
        }
        return keys
    }

    /// Returns the difference of the moved account's version.
    private func ours(_ record: UserRecord) -> RecordKey {
        RecordKey(
            AccountDifference.collection,
            AccountDifference(.lost, record).id(movedFrom: source))
    }

    /// Returns the difference of the receiving account's version.
    private func theirs(_ record: UserRecord) -> RecordKey {
        RecordKey(
            AccountDifference.collection,
            AccountDifference(.lost, record).id(movedFrom: source + "/" + target))
    }

    /// Merges records.
    ///
    /// - Returns: The changes, and the number of differences among these records.
    package func decide(
        _ records: [UserRecord], over snapshot: LedgerSnapshot
    ) -> LedgerDecision<Int> {
        var account = AccountDecision(
            ledger: ledger.declaring(records), now: now, snapshot: snapshot)
        if account.totals.epoch.isEmpty { account.totals.epoch = chance }
        var count = 0
        for record in records {
            merge(record, &account)
            count += [ours(record), theirs(record)].count { account.record($0) != nil }
        }
        account.mark(chance)
        return LedgerDecision(changes: account.finished, reply: count)
    }

    private func merge(_ offered: UserRecord, _ account: inout AccountDecision) {
        let known = account.record(offered.key)
        let operation = ChangeOperation(
            id: offered.operation, key: offered.key, change: .restore(offered), seenRevision: 0,
            time: offered.time)
        switch account.apply(operation) {
        case .conflict: account.add(AccountDifference(.ask, offered), ours(offered))
        case .refused, .retryLater: account.add(AccountDifference(.lost, offered), ours(offered))
        case .accepted(let result), .merged(let result):
            guard let known, !known.isRelated(to: offered) else { return }
            if offered.isLost(in: result) {
                account.add(AccountDifference(.lost, offered), ours(offered))
            }
            if known.isLost(in: result) {
                account.add(AccountDifference(.lost, known), theirs(offered))
            }
        }
    }
}

extension Ledger {
    /// Returns the ledger with rules for collections of records that no app declares any more.
    ///
    /// Nobody knows their policies, but no record is lost: counters add up; of other records that both accounts have,
    /// the later one remains, and the other becomes a difference.
    fileprivate func declaring(_ records: [UserRecord]) -> Ledger {
        var result = self
        for record in records where result.rules[record.key.collection] == nil {
            let policy: Policy = record.counterTotals.isEmpty ? .lastWriteWins : .counter
            result.rules[record.key.collection] = CollectionRules(
                CollectionDeclaration(record.key.collection, policy),
                recordsMax: ServiceLimits.recordsPerUserMax)
        }
        return result
    }
}

extension UserRecord {
    /// Returns true when a value of the record is not in another one that was merged from it; counters add up and lose
    /// nothing.
    fileprivate func isLost(in result: UserRecord) -> Bool {
        guard !isDeleted else { return false }
        guard !result.isDeleted else { return true }
        let (own, others) = (values, result.values)
        return fields.keys.contains { own[$0] != others[$0] }
    }
}

extension AccountDecision {
    /// Writes a difference, unless it is there or was decided.
    mutating func add(_ difference: AccountDifference, _ key: RecordKey) {
        guard record(key) == nil else { return }
        let writer = OperationID(client: .server, counter: totals.position + 1)
        var record = UserRecord(
            key: key, revision: 0, operation: writer, time: HybridTime(milliseconds: now))
        for (name, value) in difference.fields {
            record.fields[name] = UserRecord.Field(
                value: value, time: record.time, revision: 0, writer: writer)
        }
        write(difference: record.committed(at: totals.position + 1))
    }
}
