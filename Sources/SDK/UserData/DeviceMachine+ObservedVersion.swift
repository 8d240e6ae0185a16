extension DeviceMachine {
    /// The version of a record that the user looked at before a change, in terms that the server
    /// can resolve.
    struct ObservedVersion {
        /// The revision of the record; 0 if there was none, or if revisions do not determine it.
        var revision: UInt64
        /// The operation that wrote it, where the revision does not identify it.
        var operation: OperationID?
        /// The writes contained in it, where the revision does not identify them.
        var history: [ClientID: UInt64] = [:]

        /// No version: the author saw nothing.
        static let nothing = ObservedVersion(revision: 0)
    }

    /// Returns the version of a record that the user looks at, for an operation on top of it.
    ///
    /// After a restore of the server, the earlier state is shown until the server has it again. Its
    /// revision belongs to the lost history, so its operation and its history identify it.
    func versionShown(_ key: RecordKey) -> ObservedVersion {
        let base = state.bases[key]
        let known = ObservedVersion(
            revision: base?.revision ?? state.recordsBeforeRebuild[key]?.revision ?? 0)
        guard state.recovery != .deviceSleptTooLong, let record = offered(key) else { return known }
        let policy = state.declarations[key.collection]?.policy ?? .serverWins
        let shown = base.map { record.offered(to: $0, policy: policy) } ?? record
        guard shown.operation != base?.operation else { return known }
        // Where fields are merged, the user looks at both states; elsewhere at one alone.
        let seen = policy.abilities.mergesFields ? shown : record
        return ObservedVersion(revision: 0, operation: shown.operation, history: seen.history)
    }

    /// Returns the state that the server lost: before it is offered, and while the offer is
    /// pending.
    private func offered(_ key: RecordKey) -> UserRecord? {
        var result = state.recordsBeforeRebuild[key]
        for pending in state.outbox where pending.operation.key == key {
            guard case .restore(let record) = pending.operation.change else { continue }
            result = result.map { joined($0, record) } ?? record
        }
        return result
    }

    /// Updates the pending changes that follow an accepted one to name its record as the version that their author saw.
    ///
    /// A record with merged fields may have fields of other devices, which the author of a following change had not
    /// seen: that change continues to name its own version.
    mutating func continueAfter(_ operation: ChangeOperation, as record: UserRecord) {
        let mergesFields =
            state.declarations[operation.key.collection]?.policy.abilities.mergesFields ?? false
        for next in state.outbox.indices
        where state.outbox[next].operation.follows == operation.id {
            let following = state.outbox[next].operation
            guard !mergesFields || hasSeenAll(record, following, after: operation) else { continue }
            state.outbox[next].operation.seenRevision = record.revision
            state.outbox[next].operation.follows = nil
        }
    }

    /// Returns true if the author of a change had seen each field of a record, or had set it to the same value.
    private func hasSeenAll(
        _ record: UserRecord, _ next: ChangeOperation, after operation: ChangeOperation
    ) -> Bool {
        var own: [String: FieldValue] = [:]
        if case .put(let values) = operation.change { own = values }
        return record.fields.allSatisfy { name, field in
            field.wasSeen(by: next) || own[name] == field.value
        }
    }
}
