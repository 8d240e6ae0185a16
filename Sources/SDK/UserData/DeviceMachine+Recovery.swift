extension DeviceMachine {
    /// Restarts the log, and stores the known records to show until it is read.
    mutating func readFromStart(_ recovery: DeviceState.Recovery) {
        for (key, base) in state.bases {
            state.recordsBeforeRebuild[key] =
                state.recordsBeforeRebuild[key].map { joined($0, base) } ?? base
            changedBases.insert(key)
        }
        state.bases = [:]
        state.cursor = 0
        // A device with records to offer must not forget that.
        if state.recovery == nil { state.recovery = recovery }
    }

    /// Starts the recovery after a restore of the server.
    ///
    /// Pending operations name their authors' observed versions by operations and writes, because revisions of the lost
    /// history are no longer valid.
    mutating func recover(epoch: String) {
        for index in state.outbox.indices {
            let operation = state.outbox[index].operation
            if let base = state.bases[operation.key], base.revision == operation.seenRevision {
                // Revisions are numbered anew; what the author saw is named by the writes behind it.
                state.outbox[index].operation.follows = operation.follows ?? base.operation
                state.outbox[index].operation.seenWrites = base.history
            }
            state.outbox[index].operation.seenRevision = 0
        }
        // The version that a conflict shows is named by its operation, too.
        for index in state.conflicts.indices { state.conflicts[index].theirs.revision = 0 }
        for index in state.rejected.indices { state.rejected[index].operation.seenRevision = 0 }
        state.recovery = nil
        readFromStart(.serverWentBack)
        state.epoch = epoch
    }

    func joined(_ one: UserRecord, _ other: UserRecord) -> UserRecord {
        let policy = state.declarations[one.key.collection]?.policy ?? .serverWins
        return one.joined(with: other, policy: policy)
    }

    /// Returns true if the server lacks a record that it had; if the policy asks the user, also if another author wrote
    /// another version without having seen it.
    private func isMissing(_ record: UserRecord, in base: UserRecord) -> Bool {
        let policy = state.declarations[record.key.collection]?.policy
        if policy?.abilities.asksUser ?? false, !base.hasSameContent(as: record) {
            return !base.includes(record.operation)
        }
        let joined = joined(base, record)
        return !joined.hasSameContent(as: base) || joined.operation != base.operation
    }

    /// Returns true if a pending change replaces the offer of a record, under a policy that asks the user.
    ///
    /// A change whose author had seen the record raises the conflict itself. Another device offers its own records; an
    /// own one that was not knowingly replaced must be offered here.
    private func isAskedAnyway(_ record: UserRecord) -> Bool {
        guard state.declarations[record.key.collection]?.policy.abilities.asksUser ?? false else {
            return false
        }
        let isOwn = record.operation.client == state.client
        return state.outbox.contains { pending in
            let operation = pending.operation
            guard operation.key == record.key, !operation.isOffer else { return false }
            return !isOwn || operation.follows == record.operation
                || operation.hasSeen(record.operation)
        }
    }

    /// Enqueues offers of the records that the server had and lost.
    mutating func enqueueOffers(_ now: Int64) {
        var offers: [PendingChange] = []
        for (key, record) in state.recordsBeforeRebuild.sorted(by: { $0.key < $1.key }) {
            if let base = state.bases[key], !isMissing(record, in: base) { continue }
            if isAskedAnyway(record) { continue }
            let operation = ChangeOperation(
                id: OperationID(client: state.client, counter: state.nextCounter), key: key,
                change: .restore(record), seenRevision: 0, time: record.time,
                schemaVersion: record.schemaVersion)
            state.nextCounter += 1
            offers.append(.init(operation: operation, madeAt: now))
        }
        // Offers come first, because later operations may follow them.
        let place = state.outbox.firstIndex { !$0.isOffer } ?? state.outbox.count
        state.outbox.insert(contentsOf: offers, at: place)
    }
}
