/// The writes that produced a record: a version vector (Parker and others, 1983).
///
/// After a restore of the server it separates writes that were replaced knowingly from those that no author had seen.
/// Writes whose values are in the record are not repeated in `replaced`, which is empty if one device writes alone.
extension UserRecord {
    /// The maximum number of devices in `replaced`.
    public static let replacedMax = 32

    /// The counter of the last write of each device that wrote the record.
    public var history: [ClientID: UInt64] {
        var result = replaced
        for write in currentWrites {
            result[write.client] = max(result[write.client] ?? 0, write.counter)
        }
        return result
    }

    /// Returns true if a write is in the record, or was replaced in it.
    func includes(_ write: OperationID) -> Bool {
        if operation.client == write.client, operation.counter >= write.counter { return true }
        if let number = replaced[write.client], number >= write.counter { return true }
        return fields.values.contains {
            $0.writer.client == write.client && $0.writer.counter >= write.counter
        }
    }

    /// Adds the writes that the record replaces.
    ///
    /// Beyond the limit, the devices whose names sort last are dropped; between their writes and
    /// the record's, time decides.
    mutating func remember(_ histories: [ClientID: UInt64]...) {
        replaced = histories.reduce(into: [:]) { $0.merge($1) { max($0, $1) } }
        for write in currentWrites where replaced[write.client] ?? .max <= write.counter {
            replaced[write.client] = nil
        }
        guard replaced.count > Self.replacedMax else { return }
        let kept = replaced.keys.sorted { $0.text < $1.text }.prefix(Self.replacedMax)
        replaced = replaced.filter { kept.contains($0.key) }
    }

    /// The writes whose values the record has.
    private var currentWrites: [OperationID] { [operation] + fields.values.map(\.writer) }
}
