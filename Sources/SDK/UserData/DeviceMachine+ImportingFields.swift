/// The import of a record whose policy resolves each field separately.
extension DeviceMachine {
    /// Copies a record of another user of this device, as far as it differs from the present user's.
    ///
    /// Acknowledged fields are copied unchanged. Pending changes become changes of this device that have seen nothing,
    /// so that the server notifies each device of the fields that it loses. The server treats two changes of one device
    /// as consecutive, so between own and imported fields, the time decides here.
    mutating func importFields(
        _ record: UserRecord, from other: DeviceState, over own: UserRecord?, _ now: Int64
    ) {
        let waiting = other.waitingPuts(of: record.key)
        let names = Set(waiting.flatMap { $0.values.keys })
        noticeImport(of: record, names, over: own)
        var known = record
        known.fields = record.fields.filter { !names.contains($0.key) }
        if !known.fields.isEmpty || waiting.isEmpty {
            append(
                offer(importing: known), record.key, .nothing, record.time, record.schemaVersion,
                now)
        }
        for (operation, values) in waiting {
            let wanted = values.filter { name, _ in
                isWanted(record.fields[name], over: own?.fields[name])
            }
            guard !wanted.isEmpty || own == nil else { continue }
            append(
                .put(wanted), record.key, .nothing, operation.time, operation.schemaVersion, now)
        }
    }

    /// Returns true if an imported field is sent: it differs, and this device has no later one.
    private func isWanted(_ new: UserRecord.Field?, over own: UserRecord.Field?) -> Bool {
        guard let new, let own else { return true }
        let isDecidedThere = own.writer.client != state.client
        return new.value != own.value && (isDecidedThere || new.isLater(than: own))
    }

    /// Adds a notice for each field that this device resolves: own fields that later ones replace, and imported fields
    /// that are too late; `names` are the fields with pending changes.
    private mutating func noticeImport(
        of record: UserRecord, _ names: Set<String>, over own: UserRecord?
    ) {
        guard let own else { return }
        for (name, field) in own.fields where field.writer.client == state.client {
            guard let new = record.fields[name], new.value != field.value else { continue }
            if new.isLater(than: field) {
                noticeLoss(of: name, in: own, to: record)
            } else if names.contains(name) {
                noticeLoss(of: name, in: record, to: own)
            }
        }
    }

    private mutating func noticeLoss(
        of name: String, in record: UserRecord, to winner: UserRecord
    ) {
        guard let field = record.fields[name] else { return }
        let mine = ChangeOperation(
            id: field.writer, key: record.key, change: .put([name: field.value]), seenRevision: 0,
            time: field.time, schemaVersion: record.schemaVersion)
        state.add(ReplacementNotice(mine: mine, theirs: winner))
    }
}

extension DeviceState {
    /// Returns the unacknowledged changes of a record's fields, oldest first, without those that a later deletion
    /// ended.
    fileprivate func waitingPuts(
        of key: RecordKey
    ) -> [(operation: ChangeOperation, values: [String: FieldValue])] {
        var result: [(operation: ChangeOperation, values: [String: FieldValue])] = []
        for operation in rejected.map(\.operation) + outbox.map(\.operation)
        where operation.key == key {
            switch operation.change {
            case .put(let values): result.append((operation, values))
            case .delete: result = []
            case .count, .restore: break
            }
        }
        return result
    }
}
