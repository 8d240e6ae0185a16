/// A device's data of an account that the server moved into another one.
///
/// The server has already moved its copy. Pending changes are resolved here: those that the server had applied are
/// dropped, and the others become changes of the other account.
extension DeviceMachine {
    /// Prepares the state of an account that was moved for the event `joined`.
    ///
    /// Revisions of its log are invalid in the other one, so pending changes name their authors' observed versions by
    /// writes.
    /// - Parameters:
    ///   - results: The results of the pending operations that the server had applied.
    ///   - now: The wall clock in milliseconds since 1970.
    package mutating func leave(results: [OperationID: OperationResult], now: Int64) {
        recover(epoch: "")
        for conflict in state.conflicts.reversed() { reopen(conflict, now) }
        state.conflicts = []
        for pending in state.outbox {
            switch results[pending.operation.id] {
            case .accepted(let record):
                _ = apply(.accepted(record), for: pending.operation, now)
            case .merged(let record): _ = apply(.merged(record), for: pending.operation, now)
            default: break
            }
        }
    }

    /// Converts the user's side of a conflict to a pending change of the other account's record.
    private mutating func reopen(_ conflict: RecordConflict, _ now: Int64) {
        var operation = conflict.mine
        operation.seenRevision = 0
        // The base is what the device had then; the change may be older.
        if let base = conflict.base, conflict.mine.hasSeen(base) {
            operation.follows = base.operation
            operation.seenWrites = base.history
        }
        let place = state.outbox.firstIndex { !$0.isOffer } ?? state.outbox.count
        state.outbox.insert(PendingChange(operation: operation, madeAt: now), at: place)
    }

    /// Merges the device's data of an account that was moved into the present one.
    ///
    /// Answers retain their names and numbers. Consents are not merged: those of this account apply.
    mutating func joined(_ other: DeviceState) -> [Effect] {
        showRecords(of: other)
        takeAnswers(of: other)
        let consents = CollectionRules.consents.declaration.name
        let waiting = other.outbox.filter { $0.operation.key.collection != consents }
        let all = state.outbox + renamed(waiting)
        // Offers come first, because later operations may follow them.
        state.outbox = all.filter(\.isOffer) + all.filter { !$0.isOffer }
        let rejected = other.rejected.map {
            PendingChange(operation: $0.operation, madeAt: 0)
        }
        for (known, new) in zip(other.rejected, renamed(rejected)) {
            state.rejected.append(
                RejectedChange(operation: new.operation, refusal: known.refusal))
        }
        for notice in other.notices { state.add(notice) }
        return [.changed([])] + exchange(isWanted: true)
    }

    /// Shows the other account's records until those of the server arrive.
    private mutating func showRecords(of other: DeviceState) {
        for (key, known) in other.recordsBeforeRebuild {
            guard !known.isDeleted, key.collection != CollectionRules.consents.declaration.name
            else { continue }
            var record = known
            record.revision = 0
            for name in record.fields.keys { record.fields[name]?.revision = 0 }
            state.recordsBeforeRebuild[key] =
                state.recordsBeforeRebuild[key].map { joined($0, record) } ?? record
            changedBases.insert(key)
        }
        if state.recovery != .serverWentBack { state.recovery = nil }
        readFromStart(.accountWasMoved)
    }

    /// Adds the other account's answers, which the server has since the move.
    private mutating func takeAnswers(of other: DeviceState) {
        for (client, last) in other.answers.lasts where last > state.answers[client] {
            let known = state.answers[client]
            state.answers.add(
                AnswerSpan(client: client, first: known + 1, count: Int(last - known)))
            // The caller computes the digest of what both have of a name.
            state.answerDigests[client] = known == 0 ? other.answerDigests[client] : nil
        }
        for span in other.answersOnServer.beyond(state.answersOnServer) {
            state.answersOnServer.add(span)
        }
        state.answersDigestOnServer = nil
        state.detachedCount += other.detachedCount
    }
}
