/// The records that the user sees: the server's with the user's changes applied on top.
extension DeviceState {
    /// Returns the record as the user sees it: the server's, with the user's changes applied on top, including rejected
    /// ones until they are dismissed.
    ///
    /// Cost: a comparison for each pending change. ``shownRecords(of:)`` computes all records of a collection in one
    /// pass.
    ///
    /// - Returns: `nil` for a deleted or unknown record.
    package func current(_ key: RecordKey) -> UserRecord? {
        var changes: [ChangeOperation] = []
        forEachChange { if $0.key == key { changes.append($0) } }
        return shown(key, after: changes)
    }

    /// Returns the records that the user sees, ordered by collection and id.
    ///
    /// Cost: one pass over records and pending changes, and a sort.
    ///
    /// - Parameter collection: The collection; `nil` for all that are declared.
    /// - Returns: The records, without deleted ones.
    package func shownRecords(of collection: String? = nil) -> [UserRecord] {
        let changes = changesByRecord(of: collection)
        return keys(of: collection, changed: changes.keys)
            .compactMap { shown($0, after: changes[$0] ?? []) }
    }

    /// The keys of the records that the user sees, ordered by collection and id.
    package var shownKeys: [RecordKey] { shownRecords().map(\.key) }

    /// Returns the keys of a collection that may be shown, ordered by id.
    package func keys(of collection: String) -> [RecordKey] {
        keys(of: collection, changed: changesByRecord(of: collection).keys)
    }

    private func keys(
        of collection: String?, changed: some Sequence<RecordKey>
    ) -> [RecordKey] {
        let isWanted = isWanted(collection)
        var keys = Set(changed)
        for key in bases.keys where isWanted(key) { keys.insert(key) }
        for key in recordsBeforeRebuild.keys where isWanted(key) { keys.insert(key) }
        return keys.sorted()
    }

    private func isWanted(_ collection: String?) -> (RecordKey) -> Bool {
        if let collection { return { $0.collection == collection } }
        return { declarations[$0.collection] != nil }
    }

    private func changesByRecord(of collection: String?) -> [RecordKey: [ChangeOperation]] {
        let isWanted = isWanted(collection)
        var changes: [RecordKey: [ChangeOperation]] = [:]
        forEachChange { if isWanted($0.key) { changes[$0.key, default: []].append($0) } }
        return changes
    }

    /// Calls a function with each change of the user, in the order in which they are applied.
    private func forEachChange(_ body: (ChangeOperation) -> Void) {
        // An offer is of the server's past: every own change was made on top of it.
        for pending in outbox where pending.isOffer { body(pending.operation) }
        for refused in rejected { body(refused.operation) }
        for conflict in conflicts { body(conflict.mine) }
        for pending in outbox where !pending.isOffer { body(pending.operation) }
    }

    private func shown(_ key: RecordKey, after changes: [ChangeOperation]) -> UserRecord? {
        guard let policy = declarations[key.collection]?.policy else { return nil }
        // While the log is read from its start, the earlier records are still shown.
        var record = recordsBeforeRebuild[key]
        if let base = bases[key] { record = record?.offered(to: base, policy: policy) ?? base }
        for change in changes {
            record = MergeRules.applied(change, to: record, policy: policy)
        }
        return record?.isDeleted == false ? record : nil
    }
}
