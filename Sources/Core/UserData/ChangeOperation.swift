/// What an operation does to its record.
public enum Change: Sendable, Hashable, Codable {
    /// Sets fields: all of them, or for `Policy.fieldMerge` those that changed.
    case put([String: FieldValue])
    /// Deletes the record.
    case delete
    /// States what this device has counted, in all, in a field of a counter.
    case count(field: String, Tally)
    /// Offers what a device saw before the server went back to a backup.
    case restore(UserRecord)
}

/// A change of one record on its way to the server.
public struct ChangeOperation: Sendable, Hashable, Codable {
    /// Its identity.
    public let id: OperationID
    /// The record.
    public let key: RecordKey
    /// What it does.
    public var change: Change
    /// The revision that its author saw; 0 when there was none to see.
    public var seenRevision: UInt64
    /// The earlier operation of this device on the same record that was on its way then.
    public var follows: OperationID?
    /// What its author saw, where revisions do not say it since the server went back.
    ///
    /// Of each device, the last write that was part of the record or replaced in it.
    public var saw: [ClientID: UInt64] = [:]
    /// When it was made.
    public var time: HybridTime
    /// The version of the fields that it was made with.
    public var schemaVersion: Int

    /// Describes a change.
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

    /// True for what the server lost and is offered again.
    var isOffer: Bool { if case .restore = change { true } else { false } }

    /// True when its author knew this state of the record.
    func hasSeen(_ record: UserRecord?) -> Bool {
        guard let record else { return true }
        return record.revision == seenRevision && seenRevision > 0
            || (follows != nil && record.operation == follows) || hasSeen(record.operation)
    }

    /// True when its author knew a write, or what replaced it.
    func hasSeen(_ write: OperationID) -> Bool {
        saw[write.client].map { $0 >= write.counter } ?? false
    }
}
