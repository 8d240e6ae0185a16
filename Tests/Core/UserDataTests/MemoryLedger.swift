@testable import UserData

/// A server's decisions without a disk: per user a log in the order of commits, records, answers.
struct MemoryLedger {
    /// What is known of one user.
    struct Account: Hashable {
        var position: UInt64 = 0
        var records: [RecordKey: Record] = [:]
        var answers: [OperationID: OperationResult] = [:]
        /// Writes over something that their author had not seen.
        var overwrites: Set<OperationID> = []
    }

    static let pageMax = 7

    var epoch: String
    var accounts: [String: Account] = [:]
    let declarations: [String: CollectionDeclaration]
    var mistakes: Set<Mistake> = []

    /// Applies a request whole, as one transaction, and answers after it.
    mutating func exchange(_ request: ExchangeRequest) -> ExchangeResponse {
        if let known = request.epoch, known != epoch {
            return ExchangeResponse(number: request.number, epoch: epoch)
        }
        var account = accounts[request.user] ?? Account()
        var results: [OperationID: OperationResult] = [:]
        for operation in request.operations {
            let answered =
                mistakes.contains(.incrementReplayed)
                ? nil : account.answers[operation.id]
            let result = answered ?? judge(operation, &account)
            account.answers[operation.id] = result
            results[operation.id] = result
        }
        if !(mistakes.contains(.answerBeforeRollback) && request.number % 5 == 0) {
            accounts[request.user] = account
        }
        return answer(request, results, account)
    }

    private func judge(_ operation: Operation, _ account: inout Account) -> OperationResult {
        guard let policy = declarations[operation.key.collection]?.policy else {
            return .refused(.unknownCollection)
        }
        let record = account.records[operation.key]
        var verdict = MergeRules.judge(operation, on: record, policy: policy)
        if mistakes.contains(.olderFieldBeatsNewer), policy == .fieldMerge, let record,
            case .put(let values) = operation.change
        {
            var worse = record
            for (name, value) in values {
                worse.fields[name] = Record.Field(
                    value: value, time: operation.time, revision: 0, writer: operation.id)
            }
            worse.isDeleted = false
            verdict = .write(worse, overwrote: false)
        }
        if mistakes.contains(.incrementReplayed),
            case .count(let field, let tally) = operation.change
        {
            var worse = MergeRules.applied(operation, to: record, policy: policy)
            var sum = record?.tallies[field]?[operation.id.client] ?? Tally()
            sum.added += min(1, tally.added)
            worse.tallies[field]?[operation.id.client] = sum
            verdict = .write(worse, overwrote: false)
        }
        switch verdict {
        case .write(let new, let overwrote):
            account.position += 1
            let committed = new.committed(at: account.position)
            account.records[operation.key] = committed
            if overwrote { account.overwrites.insert(operation.id) }
            return .accepted(committed)
        case .keepAsWished(let record): return .accepted(record)
        case .keep(let record): return .merged(record)
        case .conflict(let record): return .conflict(theirs: record)
        case .refuse(let refusal): return .refused(refusal)
        }
    }

    private func answer(
        _ request: ExchangeRequest, _ results: [OperationID: OperationResult], _ account: Account
    ) -> ExchangeResponse {
        let byTime = mistakes.contains(.timestampCursor)
        func position(_ record: Record) -> UInt64 {
            byTime ? UInt64(max(0, record.time.milliseconds)) : record.revision
        }
        let changed = account.records.values
            .filter { position($0) > request.cursor }
            .sorted { (position($0), $0.key) < (position($1), $1.key) }
        let page = Array(changed.prefix(Self.pageMax))
        let hasMore = page.count < changed.count
        let end = page.last.map(position) ?? request.cursor
        return ExchangeResponse(
            number: request.number, epoch: epoch, results: results, changes: page,
            cursor: hasMore || byTime ? end : max(end, account.position), hasMore: hasMore,
            digest: hasMore || byTime ? nil : RecordDigest(account.records.values))
    }
}

/// Mistakes that sync engines make; each can be switched on to see that the simulation finds it.
enum Mistake: String, CaseIterable {
    case timestampCursor
    case answerBeforeRollback
    case dirtyFlagClearedInFlight
    case retryOnlyOnNextWrite
    case incrementReplayed
    case deleteAndInsertBecomeDelete
    case olderFieldBeatsNewer
    case rowDroppedOnTransientError
    case seenRevisionTakenAtPush
    case cursorKeptThoughRolledBack
    case serverBackInTimeUnnoticed
    case stateSavedAfterEffect
    case remoteDeleteEatsLocalEdit
}
