extension DeviceState {
    /// The maximum number of stored notices; the oldest are discarded first.
    package static let noticesMax = 200
    /// The maximum size of all stored notices as JSON, in bytes.
    package static let noticeBytesMax = 256 * 1024

    /// Inserts a notice in the order of the overwritten writes, and discards the oldest beyond the
    /// limits.
    mutating func add(_ notice: ReplacementNotice) {
        guard !notices.contains(where: { $0.id == notice.id }) else { return }
        let place = notices.firstIndex { notice.isBefore($0) } ?? notices.endIndex
        notices.insert(notice, at: place)
        var bytes = notices.reduce(0) { $0 + $1.bytes }
        while notices.count > 1, notices.count > Self.noticesMax || bytes > Self.noticeBytesMax {
            bytes -= notices.removeFirst().bytes
        }
    }
}

extension ReplacementNotice {
    /// Orders notices by the time of the overwritten write, then by its identity.
    func isBefore(_ other: Self) -> Bool { (mine.time, id) < (other.mine.time, other.id) }
}

extension DeviceMachine {
    /// Adds a notice when the reply to an operation shows that its write was overwritten.
    ///
    /// A later pending change of the same record decides instead of the earlier one.
    mutating func noticeLoss(of operation: ChangeOperation, to reply: UserRecord) {
        // A late reply may be older than the known state of the record.
        let known = state.bases[operation.key].flatMap { $0.revision > reply.revision ? $0 : nil }
        let record = known ?? reply
        guard notifiesLoser(operation.key), !operation.isOffer, !isContinued(operation),
            record.operation != operation.id
        else { return }
        let wasOverwritten = record.overwrote(operation.id)
        guard wasOverwritten || !record.includes(operation.id) else { return }
        let wished = MergeRules.applied(operation, to: nil, policy: .lastWriteWins)
        guard !wished.hasSameContent(as: record) else { return }
        state.add(.init(mine: operation, theirs: record))
    }

    /// Adds a notice when a record that arrives overwrote this device's last write unseen.
    mutating func noticeLoss(of known: UserRecord, to record: UserRecord) {
        guard known.operation.client == state.client, notifiesLoser(known.key),
            !isPending(known.key), record.overwrote(known.operation),
            !known.hasSameContent(as: record)
        else { return }
        let mine = ChangeOperation(
            id: known.operation, key: known.key,
            change: known.isDeleted ? .delete : .put(known.values), seenRevision: 0,
            time: known.time, schemaVersion: known.schemaVersion)
        state.add(.init(mine: mine, theirs: record))
    }

    private func notifiesLoser(_ key: RecordKey) -> Bool {
        state.declarations[key.collection]?.policy.abilities.notifiesLoser ?? false
    }

    /// Adds a notice when an own change takes the place of another one that it did not follow, as one that
    /// came along from another user of this device.
    mutating func noticeReplacement(
        of displaced: ChangeOperation, by other: ChangeOperation, _ theirs: UserRecord
    ) {
        guard displaced.id != other.id, displaced.change != other.change,
            displaced.change != .delete || !theirs.isDeleted
        else { return }
        state.add(.init(mine: displaced, theirs: theirs))
    }

    /// Returns whether a pending change was made on top of an operation, and decides instead of it.
    private func isContinued(_ operation: ChangeOperation) -> Bool {
        state.outbox.contains { $0.operation.follows == operation.id }
    }

    private func isPending(_ key: RecordKey) -> Bool {
        state.outbox.contains { $0.operation.key == key }
    }
}

extension UserRecord {
    /// Returns whether a later write replaced this one without having seen it.
    func overwrote(_ write: OperationID) -> Bool {
        operation.client != write.client
            && overwritten[write.client].map { $0 >= write.counter } ?? false
    }

    /// Records that a write was replaced by one that had not seen it.
    ///
    /// Beyond ``replacedMax`` devices, those whose names sort last are dropped.
    mutating func rememberOverwritten(_ write: OperationID) {
        mergeOverwritten([write.client: write.counter])
    }

    /// Merges the overwritten writes that two states of a record list.
    mutating func mergeOverwritten(_ other: [ClientID: UInt64]) {
        overwritten.merge(other) { max($0, $1) }
        guard overwritten.count > Self.replacedMax else { return }
        let kept = overwritten.keys.sorted { $0.text < $1.text }.prefix(Self.replacedMax)
        overwritten = overwritten.filter { kept.contains($0.key) }
    }
}
