package import UserData

/// A server's decisions without a disk: per user a log in the order of commits, records, answers.
package struct MemoryLedger {
    /// What is known of one user.
    package struct Account: Hashable {
        package var position: UInt64 = 0
        package var records: [RecordKey: Record] = [:]
        package var answers: [OperationID: OperationResult] = [:]
        /// The answers of each device, by what they say.
        package var given: [ClientID: [Int64]] = [:]
        /// The request in which each record was written.
        package var batches: [RecordKey: UInt64] = [:]
        /// The random name of each position at the end of a request.
        package var marks: [UInt64: String] = [:]
        /// Where each operation stands in the log.
        package var places: [OperationID: UInt64] = [:]
        /// Answers to operations with a lower counter were read.
        package var settledBefore: [ClientID: UInt64] = [:]
        /// Writes over something that their author had not seen.
        package var overwrites: Set<OperationID> = []
        /// The last request of each device.
        package var last: [ClientID: LastRequest] = [:]
        /// The operations that were applied, as they were sent.
        package var applied: [OperationID: Operation] = [:]
    }

    /// What only grows as long as a device is the one that it was.
    package struct LastRequest: Hashable {
        package var request: ExchangeRequest
        package var settledBefore: UInt64 = 0
    }

    package static let pageMax = 7

    package var epoch: String
    package var accounts: [String: Account] = [:]
    package let declarations: [String: CollectionDeclaration]
    /// The latest time that is believed; nothing is later on the server.
    package var latest: HybridTime?
    package var mistakes: Set<Mistake> = []
    /// How many marks were ever given, also by the server that was lost.
    package var markCount = 0

    package init(epoch: String, declarations: [String: CollectionDeclaration]) {
        self.epoch = epoch
        self.declarations = declarations
    }

    /// What a careless engine commits after the next request.
    private var late: [(user: String, record: Record)] = []

    /// Applies a request whole, as one transaction, and answers after it.
    package mutating func exchange(
        _ request: ExchangeRequest, given: [[Int64]] = []
    ) -> (response: ExchangeResponse, given: [[Int64]]) {
        let past = accounts[request.user] ?? Account()
        let isForeign = request.head.map { $0.mark != past.marks[$0.position] } ?? false
        if request.epoch ?? epoch == epoch, isForeign || request.cursor > past.position,
            !mistakes.contains(.timestampCursor), !mistakes.contains(.serverBackInTimeUnnoticed)
        {
            epoch += "+"
        }
        if let known = request.epoch, known != epoch {
            return (
                ExchangeResponse(
                    number: request.number, epoch: epoch,
                    head: past.head,
                    answersHeld: past.held), []
            )
        }
        if !mistakes.contains(.copyGoesUnnoticed), isStale(request, given, past) {
            return (staleReply(request, past), [])
        }
        var account = past
        account.last[request.client] = LastRequest(
            request: request, settledBefore: request.settledBefore)
        let batch = account.position + 1
        take(given, request, &account)
        let before = late
        late = []
        var results: [OperationID: OperationResult] = [:]
        for operation in request.operations {
            let answered =
                mistakes.contains(.incrementReplayed)
                ? nil : account.answers[operation.id]
            if operation.id.counter < account.settledBefore[request.client] ?? 0,
                !mistakes.contains(.incrementReplayed)
            {
                results[operation.id] = .retryLater
                continue
            }
            let result = answered ?? judge(operation, &account, batch)
            account.answers[operation.id] = result
            account.applied[operation.id] = operation
            results[operation.id] = result
        }
        if account.position >= batch { account.marks[account.position] = newMark() }
        let settled = max(account.settledBefore[request.client] ?? 0, request.settledBefore)
        account.settledBefore[request.client] = settled
        account.answers = account.answers.filter {
            $0.key.client != request.client || $0.key.counter >= settled
        }
        var shown = account
        if mistakes.contains(.lateCommits), request.number % 4 == 0, !request.operations.isEmpty {
            // The positions are taken, but the commit comes after that of the next request.
            for record in account.records.values where account.batches[record.key] == batch {
                late.append((request.user, record))
                shown.records[record.key] = accounts[request.user]?.records[record.key]
            }
            account.records = shown.records
        }
        if !(mistakes.contains(.answerBeforeRollback) && request.number % 5 == 0) {
            accounts[request.user] = account
        }
        let response = answer(request, results, shown)
        for (user, record) in before { accounts[user]?.records[record.key] = record }
        let rows = response.answers.map { span in
            Array(
                (shown.given[span.client] ?? [])[Int(span.first) - 1..<Int(span.last)])
        }
        return (response, rows)
    }

    // MARK: Devices that went back

    /// True when a request cannot come from a device that made the earlier ones.
    private func isStale(
        _ request: ExchangeRequest, _ given: [[Int64]], _ account: Account
    ) -> Bool {
        if request.isCopied { return true }
        if let last = account.last[request.client] {
            if request.number < last.request.number { return true }
            if request.number == last.request.number, request != last.request { return true }
            if request.settledBefore < last.settledBefore { return true }
            if request.epoch == last.request.epoch,
                request.head?.position ?? 0 < last.request.head?.position ?? 0
            {
                return true
            }
        }
        let own = account.given[request.client]?.count ?? 0
        if request.answersHeld[request.client] < own { return true }
        for operation in request.operations {
            if operation.id.counter < account.settledBefore[request.client] ?? 0 { return true }
            if let known = account.applied[operation.id], !Self.isSame(known, operation) {
                return true
            }
        }
        return zip(request.answers, given).contains { span, numbers in
            guard span.client == request.client else { return false }
            let known = (account.given[span.client] ?? []).dropFirst(Int(span.first) - 1)
            return zip(known, numbers).contains { $0 != $1 }
        }
    }

    /// What an operation saw may be told otherwise when it is sent again; what it does may not.
    private static func isSame(_ one: Operation, _ other: Operation) -> Bool {
        one.key == other.key && one.change == other.change && one.time == other.time
    }

    private func staleReply(_ request: ExchangeRequest, _ account: Account) -> ExchangeResponse {
        var response = ExchangeResponse(
            number: request.number, epoch: epoch, head: account.head, answersHeld: account.held,
            isDeviceStale: true)
        for operation in request.operations {
            guard let known = account.applied[operation.id], Self.isSame(known, operation),
                let record = account.records[operation.key]
            else { continue }
            if account.places[operation.id] != nil {
                response.results[operation.id] = .merged(record)
            }
        }
        return response
    }

    /// A name that even a restored server never gives again.
    private mutating func newMark() -> String {
        markCount += 1
        return "m\(markCount)"
    }

    private func take(_ given: [[Int64]], _ request: ExchangeRequest, _ account: inout Account) {
        for (span, numbers) in zip(request.answers, given) {
            let known = account.given[span.client]?.count ?? 0
            guard span.first <= known + 1, span.last > known else { continue }
            account.given[span.client, default: []] += numbers.dropFirst(
                known + 1 - Int(span.first))
        }
    }

    private func judge(
        _ operation: Operation, _ account: inout Account, _ batch: UInt64
    ) -> OperationResult {
        guard let policy = declarations[operation.key.collection]?.policy else {
            return .refused(.unknownCollection)
        }
        var (operation, record) = (operation, account.records[operation.key])
        if let latest {
            operation = operation.bounded(by: latest)
            record = record?.bounded(by: latest)
        }
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
            account.batches[operation.key] = batch
            account.places[operation.id] = account.position
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
        var page = Array(changed.prefix(Self.pageMax))
        if let last = page.last, !byTime {
            // What one request wrote is never parted.
            page += changed.dropFirst(page.count).prefix {
                account.batches[$0.key] == account.batches[last.key]
            }
        }
        let hasMore = page.count < changed.count
        let end = page.last.map(position) ?? request.cursor
        return ExchangeResponse(
            number: request.number, epoch: epoch, results: results, changes: page,
            cursor: hasMore || byTime ? end : max(end, account.position),
            head: byTime ? nil : account.head, hasMore: hasMore,
            answersHeld: account.held,
            answers: account.held.beyond(request.answersHeld, limit: Self.pageMax),
            digest: hasMore || byTime || mistakes.contains(.lateCommits)
                ? nil : RecordDigest(account.records.values))
    }
}

extension MemoryLedger.Account {
    /// The end of the log.
    package var head: LogHead? {
        marks[position].map { LogHead(position: position, mark: $0) }
    }

    /// How many answers of each device are kept.
    package var held: AnswerVector { AnswerVector(given.mapValues { UInt64($0.count) }) }
}

/// Mistakes that sync engines make; each can be switched on to see that the simulation finds it.
package enum Mistake: String, CaseIterable {
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
    case lateCommits
    case partialRowFromUnknownColumn
    case anotherUsersQueuePushed
    case copyGoesUnnoticed
    case copiedAnswersDoubled
    case unchangedFieldsSent
    case unseenOverwrittenBySettling
}
