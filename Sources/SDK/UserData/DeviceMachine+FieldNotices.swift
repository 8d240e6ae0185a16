/// Notices about single fields, for a policy that resolves each field separately.
extension DeviceMachine {
    /// Adds a notice when the reply to an operation shows that fields of it lost.
    mutating func noticeFieldLoss(
        of operation: ChangeOperation, _ values: [String: FieldValue], to record: UserRecord
    ) {
        let lost = values.filter { name, value in
            record.overwrote(name, of: operation.id)
                && record.values[name] ?? .null != value && !isPending(name, of: operation.key)
        }
        guard !lost.isEmpty else { return }
        var mine = operation
        mine.change = .put(lost)
        state.add(.init(mine: mine, theirs: record))
    }

    /// Adds a notice for each write of this device whose fields an arriving record has overwritten.
    mutating func noticeFieldLoss(of known: UserRecord, to record: UserRecord) {
        let own = known.fields.filter { $0.value.writer.client == state.client }
        for writer in Set(own.values.map(\.writer)).sorted() {
            let fields = own.filter { $0.value.writer == writer }
            let operation = ChangeOperation(
                id: writer, key: known.key, change: .delete, seenRevision: 0,
                time: fields.values.map(\.time).max() ?? known.time,
                schemaVersion: known.schemaVersion)
            noticeFieldLoss(of: operation, fields.mapValues(\.value), to: record)
        }
    }

    /// Returns true if a pending change sets the field, or deletes the record, and so replaces an earlier change.
    private func isPending(_ field: String, of key: RecordKey) -> Bool {
        state.outbox.contains { pending in
            guard pending.operation.key == key else { return false }
            switch pending.operation.change {
            case .put(let values): return values[field] != nil
            case .delete: return true
            case .count, .restore: return false
            }
        }
    }
}
