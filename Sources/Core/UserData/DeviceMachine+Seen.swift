extension DeviceMachine {
    /// What the user looks at before a change, in words that the server will understand.
    struct Seen {
        /// The revision of the record; 0 where there was none, or where revisions do not say it.
        var revision: UInt64
        /// The operation that wrote it, where the revision does not name it.
        var operation: OperationID?
        /// The writes behind it, where the revision does not name them.
        var history: [ClientID: UInt64] = [:]

        /// Nothing of what the server has.
        static let nothing = Seen(revision: 0)
    }

    /// Names the version of a record that the user looks at, for an operation on top of it.
    ///
    /// After the server went back, what was known before is shown until the server has it again: its
    /// revision belongs to the lost history, so its operation and its history name it.
    func versionShown(_ key: RecordKey) -> Seen {
        let base = state.bases[key]
        let known = Seen(revision: base?.revision ?? state.recordsBeforeRebuild[key]?.revision ?? 0)
        guard state.recovery != .deviceSleptTooLong, let record = offered(key) else { return known }
        let shown = base.map { joined($0, record) } ?? record
        guard shown.operation != base?.operation else { return known }
        return Seen(revision: 0, operation: shown.operation, history: shown.history)
    }

    /// What the server does not have any more: before it is offered, and while the offer waits.
    private func offered(_ key: RecordKey) -> UserRecord? {
        var result = state.recordsBeforeRebuild[key]
        for pending in state.outbox where pending.operation.key == key {
            guard case .restore(let record) = pending.operation.change else { continue }
            result = result.map { joined($0, record) } ?? record
        }
        return result
    }
}
