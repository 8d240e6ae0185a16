/// The effect of an operation on its record.
public enum Change: Sendable, Hashable, Codable {
    /// Sets fields: all of them or, under `Policy.fieldMerge`, those that changed.
    case put([String: FieldValue])
    /// Deletes the record.
    case delete
    /// Sets this device's totals of a counter field.
    case count(field: String, CounterTotals)
    /// Offers a record that the device knew before the server was restored from a backup.
    case restore(UserRecord)
}

/// A pending change of one record, as it is sent to the server.
public struct ChangeOperation: Sendable, Hashable, Codable, Identifiable {
    /// The operation's identity.
    public let id: OperationID
    /// The record.
    public let key: RecordKey
    /// The effect on the record.
    public var change: Change
    /// The record's revision that the author saw; 0 when there was none.
    public var seenRevision: UInt64
    /// This device's previous unacknowledged operation on the record, if any.
    public var follows: OperationID?
    /// The writes that the author had seen, for use when revisions cannot tell after a restore of the server.
    ///
    /// For each device, the counter of its last write that was in the record or replaced in it.
    public var seenWrites: [ClientID: UInt64] = [:]
    /// This device's totals before the step of a counter, if the operation states them.
    ///
    /// Requests state them, so that the server distinguishes a step that another copy of the store counted from a new
    /// one.
    package var from: CounterTotals?
    /// The time of the change by its author's clock.
    public var time: HybridTime
    /// The schema version of the fields.
    public var schemaVersion: Int

    private enum CodingKeys: String, CodingKey {
        case id, key, change, seenRevision, follows, from, time, schemaVersion
        case seenWrites = "saw"
    }

    /// Creates an operation.
    public init(
        id: OperationID, key: RecordKey, change: Change, seenRevision: UInt64,
        follows: OperationID? = nil, time: HybridTime, schemaVersion: Int = 1
    ) {
        self.id = id
        self.key = key
        self.change = change
        self.seenRevision = seenRevision
        self.follows = follows
        self.time = time
        self.schemaVersion = schemaVersion
    }

    /// True when the operation sets this device's totals of a counter.
    package var isCount: Bool { if case .count = change { true } else { false } }

    /// True when the operation offers a record that the server lost.
    var isOffer: Bool { if case .restore = change { true } else { false } }

    /// Returns true if the author had seen this state of the record.
    func hasSeen(_ record: UserRecord?) -> Bool {
        guard let record else { return true }
        return record.revision == seenRevision && seenRevision > 0
            || (follows != nil && record.operation == follows) || hasSeen(record.operation)
    }

    /// Returns true if the author had seen a write, or one that replaced it.
    func hasSeen(_ write: OperationID) -> Bool {
        seenWrites[write.client].map { $0 >= write.counter } ?? false
    }
}
