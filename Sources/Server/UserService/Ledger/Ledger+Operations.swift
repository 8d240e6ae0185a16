import Foundation
import GRDB
import ServiceAPI
import UserData

extension Ledger {
    /// Judges the operations of a request, each for itself, and repeats earlier verdicts.
    func results(
        _ call: ExchangeCall, _ print: RequestPrint, _ device: LedgerDevice,
        _ account: inout LedgerAccount
    ) throws -> [OperationID: OperationResult] {
        var results = call.unreadable.mapValues { OperationResult.refused($0) }
        let operations = call.request.operations
        guard !operations.isEmpty else { return results }
        let batch = account.position + 1
        let settled = max(device.settledBefore, call.request.settledBefore)
        var unsettled = try device.unsettledCount(from: settled, in: database)
        var bytes = 0
        for operation in operations {
            let counter = operation.id.counter
            if bytes >= ServiceLimits.resultBytesMax {
                // Each operation reads, writes and sends its whole record: others wait for that.
                results[operation.id] = .retryLater
            } else if let known = try device.verdict(counter, in: database) {
                results[operation.id] = try replay(known, operation, account)
            } else if unsettled >= ServiceLimits.unsettledResultsMax {
                results[operation.id] = .retryLater
            } else {
                let result = try take(operation, batch, &account)
                let hash = print.operations[counter] ?? Data()
                if let verdict = StoredVerdict(result, hash: hash) {
                    try device.keep(verdict, counter, in: database)
                    unsettled += 1
                }
                results[operation.id] = result
            }
            bytes += results[operation.id]?.estimatedBytes ?? 0
        }
        return results
    }

    /// Answers a repeated operation from its verdict and the record as it is now.
    func replay(
        _ verdict: StoredVerdict, _ operation: UserData.Operation, _ account: LedgerAccount
    ) throws -> OperationResult {
        let record = try account.record(operation.key, in: database)
        return verdict.result(record ?? tombstone(operation.key, account))
    }

    /// Judges one operation and writes what follows.
    ///
    /// What the database refuses is refused for this operation alone: SQLite undoes the one statement.
    func take(
        _ operation: UserData.Operation, _ batch: UInt64, _ account: inout LedgerAccount
    ) throws -> OperationResult {
        guard let rules = rules[operation.key.collection] else {
            return .refused(.unknownCollection)
        }
        let latest = HybridTime(milliseconds: now + HybridClock.aheadMillisecondsMax)
        let known = try stored(operation.key, &account)?.bounded(by: latest)
        let before = account
        do {
            return try judge(operation.bounded(by: latest), known, rules, batch, &account)
        } catch let error as DatabaseError where error.isConfined(in: database) {
            account = before
            return .refused(.notAllowed)
        }
    }

    /// Reads a record; one that cannot be read is put aside, and counts as none.
    private func stored(_ key: RecordKey, _ account: inout LedgerAccount) throws -> Record? {
        guard let text = try account.text(key, in: database) else { return nil }
        if let record = StoredJSON.readable(text) { return record }
        try repair(&account)
        return nil
    }

    private func judge(
        _ operation: UserData.Operation, _ known: Record?, _ rules: CollectionRules,
        _ batch: UInt64, _ account: inout LedgerAccount
    ) throws -> OperationResult {
        let record = known ?? forgotten(operation, account)
        switch MergeRules.judge(operation, on: record, policy: rules.declaration.policy) {
        case .write(let new, _):
            let shown = known?.isDeleted == true ? nil : known?.values
            guard new.isDeleted || rules.accepts(new.values, over: shown) else {
                return .refused(.badField)
            }
            if known == nil, try account.isFull(rules, in: database) { return .refused(.quota) }
            let committed = new.committed(at: account.position + 1)
            let isWritten = try account.write(
                committed, over: known, batch: batch, now: now, in: database)
            return isWritten ? .accepted(committed) : .refused(.quota)
        case .keepAsWished(let record): return .accepted(record)
        case .keep(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    /// The tombstone of a record that was deleted so long ago that it is not remembered.
    private func forgotten(_ operation: UserData.Operation, _ account: LedgerAccount) -> Record? {
        guard operation.seenRevision > 0, operation.seenRevision <= account.purgedThrough else {
            return nil
        }
        return tombstone(operation.key, account)
    }

    private func tombstone(_ key: RecordKey, _ account: LedgerAccount) -> Record {
        var record = Record(
            key: key, revision: account.purgedThrough,
            operation: OperationID(client: .server, counter: 0), time: .zero)
        record.isDeleted = true
        return record
    }
}

extension DatabaseError {
    /// True when only the statement was undone, and the transaction goes on.
    func isConfined(in database: Database) -> Bool {
        resultCode == .SQLITE_CONSTRAINT && database.isInsideTransaction
    }
}

extension OperationResult {
    /// About how many bytes the result takes in a reply.
    var estimatedBytes: Int {
        switch self {
        case .accepted(let record), .merged(let record), .conflict(let record):
            record.estimatedBytes
        case .refused, .retryLater: 40
        }
    }
}
