extension DeviceMachine {
    /// Assigns sequence numbers to new answers.
    mutating func addOwnAnswers(_ count: Int) {
        let first = state.answers[state.client] + 1
        state.answers.add(AnswerSpan(client: state.client, first: first, count: count))
    }

    /// Returns true if the server has answers of this device that this store never sent: another
    /// device sends under the same identity.
    func hasTwin(_ response: ExchangeResponse) -> Bool {
        response.knownAnswers[state.client] > state.lastAnswerSent
    }

    /// Continues under another identity.
    ///
    /// Unacknowledged operations become operations of the new device, and unacknowledged answers
    /// are detached until they are compared with the server's.
    mutating func identified(_ client: ClientID, _ now: Int64) -> [Effect] {
        let former = state.client
        guard client != former else { return [] }
        var effects: [Effect] = []
        let (known, last) = (state.answersOnServer[former], state.answers[former])
        if last > known {
            let span = AnswerSpan(client: former, first: known + 1, count: Int(last - known))
            state.answers.truncate(to: known, of: former)
            state.detachedCount += span.count
            effects.append(.detachAnswers(span))
        }
        state.client = client
        state.lastAnswerSent = 0
        state.isCopied = false
        state.outbox = renamed(state.outbox)
        inFlight = nil
        asked = []
        branch = nil
        return effects + [.changed([])] + exchange(isWanted: true)
    }

    /// Continues under the name of a process for the local user.
    ///
    /// Copies of the store share the rows of a name up to the copy, and never after it.
    mutating func wroteAs(_ writer: ClientID) -> [Effect] {
        guard state.isLocal, writer != state.client else { return [] }
        state.client = writer
        state.writerCount += 1
        return []
    }

    /// Enters an account with the data of the local user.
    ///
    /// Answers and totals of counters remain under the names of their writers; other changes become operations of this
    /// store.
    mutating func entered(_ client: ClientID) -> [Effect] {
        state.client = client
        state.lastAnswerSent = 0
        state.outbox = renamed(state.outbox)
        return [.changed([])]
    }

    /// Returns pending changes of another name as changes of this device, in their order.
    mutating func renamed(_ outbox: [PendingChange]) -> [PendingChange] {
        var names: [OperationID: OperationID] = [:]
        var totals: [RecordKey: [String: CounterTotals]] = [:]
        var groups: [UInt64: UInt64] = [:]
        return outbox.map { pending in
            let old = pending.operation
            let id = OperationID(client: state.client, counter: state.nextCounter)
            state.nextCounter += 1
            names[old.id] = id
            var result = pending
            if let group = pending.group {
                groups[group] = groups[group] ?? id.counter
                result.group = groups[group]
            }
            var new = ChangeOperation(
                id: id, key: old.key, change: renamed(pending, &totals),
                seenRevision: old.seenRevision, follows: old.follows.map { names[$0] ?? $0 },
                time: old.time, schemaVersion: old.schemaVersion)
            new.seenWrites = old.seenWrites
            result.operation = new
            result.wasSent = false
            return result
        }
    }

    /// Returns the change of an operation under the new identity: totals of a counter belong to a device, so those of
    /// the new one are its own and the pending steps.
    private func renamed(
        _ pending: PendingChange, _ totals: inout [RecordKey: [String: CounterTotals]]
    ) -> Change {
        let operation = pending.operation
        guard case .count(let field, _) = operation.change else { return operation.change }
        var sum = totals[operation.key]?[field] ?? ownTotals(operation.key, field)
        sum.added += pending.step.added
        sum.removed += pending.step.removed
        totals[operation.key, default: [:]][field] = sum
        return .count(field: field, sum)
    }

    private func ownTotals(_ key: RecordKey, _ field: String) -> CounterTotals {
        state.current(key)?.counterTotals[field]?[state.client] ?? CounterTotals()
    }

    /// Adds the detached answers that the server lacks, under their new names.
    mutating func numbered(_ runs: [NumberedAnswers]) -> [Effect] {
        state.detachedCount = 0
        for run in runs {
            state.answers.add(run.span)
            state.answerDigests[run.span.client, default: SetDigest()].add(run.digest)
        }
        return exchange(isWanted: !state.hasSameAnswers)
    }
}
