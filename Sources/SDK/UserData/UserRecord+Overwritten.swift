/// The writes that a record lost to later ones which had not seen them.
///
/// Their device reads here that it lost, and notifies its user; each entry remains until the device writes the record,
/// or that field, again.
extension UserRecord {
    /// The maximum number of fields in `overwrittenFields`, over all devices.
    package static let overwrittenFieldsMax = 256

    /// Returns true if a later write replaced this one without having seen it.
    func overwrote(_ write: OperationID) -> Bool {
        operation.client != write.client
            && overwritten[write.client].map { $0 >= write.counter } ?? false
    }

    /// Returns true if a field has a later write than this one, which had not seen it.
    func overwrote(_ field: String, of write: OperationID) -> Bool {
        fields[field]?.writer.client != write.client
            && overwrittenFields[write.client]?[field].map { $0 >= write.counter } ?? false
    }

    /// Records that a write was replaced by one that had not seen it.
    ///
    /// Beyond ``replacedMax`` devices, those whose names sort last are dropped.
    mutating func rememberOverwritten(_ write: OperationID) {
        overwrittenFields[write.client] = nil
        mergeOverwritten([write.client: write.counter], [:])
    }

    /// Records that a device's write of one field lost against a later one that had not seen it.
    mutating func rememberOverwritten(_ field: String, of write: OperationID) {
        mergeOverwritten([:], [write.client: [field: write.counter]])
    }

    /// Discards the losses of a device, because it writes the record again.
    mutating func forgetOverwritten(of client: ClientID) {
        overwritten[client] = nil
        overwrittenFields[client] = nil
    }

    /// Discards the loss of a field by a device, because it writes it again.
    mutating func forgetOverwritten(_ field: String, of client: ClientID) {
        overwritten[client] = nil
        overwrittenFields[client]?[field] = nil
        if overwrittenFields[client]?.isEmpty ?? false { overwrittenFields[client] = nil }
    }

    /// Merges the overwritten writes that another state of the record lists.
    mutating func mergeOverwritten(of other: UserRecord) {
        mergeOverwritten(other.overwritten, other.overwrittenFields)
    }

    private mutating func mergeOverwritten(
        _ writes: [ClientID: UInt64], _ fields: [ClientID: [String: UInt64]]
    ) {
        overwritten.merge(writes) { max($0, $1) }
        overwrittenFields.merge(fields) { $0.merging($1) { max($0, $1) } }
        // One device has one form: a collection may have had another policy.
        for client in overwrittenFields.keys { overwritten[client] = nil }
        let kept = overwritten.keys.sorted { $0.text < $1.text }.prefix(Self.replacedMax)
        if kept.count < overwritten.count {
            overwritten = overwritten.filter { kept.contains($0.key) }
        }
        limitOverwrittenFields()
    }

    /// Drops the entries that sort last, by device and field, beyond the limits.
    private mutating func limitOverwrittenFields() {
        let count = overwrittenFields.values.reduce(0) { $0 + $1.count }
        guard overwrittenFields.count > Self.replacedMax || count > Self.overwrittenFieldsMax
        else { return }
        var (kept, room): ([ClientID: [String: UInt64]], Int) = ([:], Self.overwrittenFieldsMax)
        let devices = overwrittenFields.sorted { $0.key.text < $1.key.text }
        for (client, fields) in devices.prefix(Self.replacedMax) where room > 0 {
            for (name, counter) in fields.sorted(by: { $0.key < $1.key }).prefix(room) {
                kept[client, default: [:]][name] = counter
                room -= 1
            }
        }
        overwrittenFields = kept
    }
}
