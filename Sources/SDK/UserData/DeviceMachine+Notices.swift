extension DeviceState {
    /// The maximum number of stored notices; the oldest are discarded first.
    package static let noticesMax = 200
    /// The maximum size of all stored notices as JSON, in bytes.
    package static let noticeBytesMax = 256 * 1024

    /// Inserts a notice in the order of the overwritten writes, and discards the oldest beyond the
    /// limits.
    ///
    /// Fields of one write that are lost at different times are one notice.
    mutating func add(_ notice: ReplacementNotice) {
        var notice = notice
        if let known = notices.firstIndex(where: { $0.id == notice.id }) {
            guard let whole = notices[known].joined(with: notice) else { return }
            notices.remove(at: known)
            notice = whole
        }
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

    /// Returns the notice with the fields of a later one about the same write; `nil` when that has no other field.
    func joined(with other: Self) -> Self? {
        guard case (.put(let known), .put(let new)) = (mine.change, other.mine.change),
            new.contains(where: { known[$0.key] == nil })
        else { return nil }
        var result = self
        result.mine.change = .put(known.merging(new) { first, _ in first })
        result.theirs = other.theirs
        return result
    }
}

extension DeviceMachine {
    /// Adds a notice when the reply to an operation shows that its write was overwritten.
    ///
    /// A later pending change of the same record decides instead of the earlier one.
    mutating func noticeLoss(of operation: ChangeOperation, to reply: UserRecord) {
        // A late reply may be older than the known state of the record.
        let known = state.bases[operation.key].flatMap { $0.revision > reply.revision ? $0 : nil }
        let record = known ?? reply
        guard notifiesLoser(operation.key), !operation.isOffer else { return }
        if case .put(let values) = operation.change, mergesFields(operation.key) {
            return noticeFieldLoss(of: operation, values, to: record)
        }
        guard !isContinued(operation), record.operation != operation.id else { return }
        let wasOverwritten = record.overwrote(operation.id)
        guard wasOverwritten || !record.includes(operation.id) else { return }
        let wished = MergeRules.applied(operation, to: nil, policy: .lastWriteWins)
        guard !wished.hasSameContent(as: record) else { return }
        state.add(.init(mine: operation, theirs: record))
    }

    /// Adds a notice when a record that arrives overwrote this device's last write unseen.
    mutating func noticeLoss(of known: UserRecord, to record: UserRecord) {
        guard notifiesLoser(known.key) else { return }
        if mergesFields(known.key) { return noticeFieldLoss(of: known, to: record) }
        guard known.operation.client == state.client,
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

    private func mergesFields(_ key: RecordKey) -> Bool {
        state.declarations[key.collection]?.policy.abilities.mergesFields ?? false
    }

    /// Adds a notice when an own change replaces another one that it did not follow, such as one imported from another
    /// user of this device.
    mutating func noticeReplacement(
        of displaced: ChangeOperation, by other: ChangeOperation, _ theirs: UserRecord
    ) {
        guard displaced.id != other.id, displaced.change != other.change,
            displaced.change != .delete || !theirs.isDeleted
        else { return }
        state.add(.init(mine: displaced, theirs: theirs))
    }

    /// Returns true if a pending change was made on top of an operation, and decides instead of it.
    private func isContinued(_ operation: ChangeOperation) -> Bool {
        state.outbox.contains { $0.operation.follows == operation.id }
    }

    private func isPending(_ key: RecordKey) -> Bool {
        state.outbox.contains { $0.operation.key == key }
    }
}
