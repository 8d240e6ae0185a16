/// One device's totals of a counter; because they are totals, applying a change twice adds nothing.
public struct CounterTotals: Sendable, Hashable, Codable {
    /// The sum of all positive steps.
    public var added: Int64
    /// The sum of all negative steps, as a positive number.
    public var removed: Int64

    /// Creates totals.
    public init(added: Int64 = 0, removed: Int64 = 0) {
        self.added = added
        self.removed = removed
    }

    /// Returns the part of these totals beyond others, never less than 0.
    func minus(_ other: CounterTotals) -> CounterTotals {
        CounterTotals(added: max(0, added - other.added), removed: max(0, removed - other.removed))
    }

    /// Returns the greater of each total: both only grow.
    func joined(_ other: CounterTotals) -> CounterTotals {
        CounterTotals(added: max(added, other.added), removed: max(removed, other.removed))
    }
}

/// A record with the metadata that resolves concurrent writes, as stored on the server or last seen there by a device.
public struct UserRecord: Sendable, Hashable, Codable {
    /// A field with the metadata that decides between two writers.
    public struct Field: Sendable, Hashable, Codable {
        /// The value.
        public var value: FieldValue
        /// The time of the write, by its writer's clock.
        public var time: HybridTime
        /// The revision at which the field got this value.
        public var revision: UInt64
        /// The operation that wrote it.
        public var writer: OperationID

        /// Creates a field.
        public init(value: FieldValue, time: HybridTime, revision: UInt64, writer: OperationID) {
            self.value = value
            self.time = time
            self.revision = revision
            self.writer = writer
        }

        /// Returns true if this write is later: by time, then by operation, so that all devices agree.
        func isLater(than other: Field) -> Bool { (time, writer) > (other.time, other.writer) }

        /// Returns true if the author of an operation had seen this value, by the revision or as an own write.
        ///
        /// An own write to another field that was merged with it does not suffice.
        func wasSeen(by operation: ChangeOperation) -> Bool {
            writer.client == operation.id.client || revision <= operation.seenRevision
                || operation.hasSeen(writer)
        }
    }

    /// The record's identity.
    public let key: RecordKey
    /// The position in the user's log, assigned in the order of commits.
    public var revision: UInt64
    /// The operation of the last write.
    public var operation: OperationID
    /// The time of the last write, by its writer's clock.
    public var time: HybridTime
    /// True for a tombstone: deleted, and retained so that every device learns of it.
    public var isDeleted: Bool
    /// The fields.
    public var fields: [String: Field]
    /// The totals of each device, by counter field.
    public var counterTotals: [String: [ClientID: CounterTotals]]
    /// The counter of the last write of each device whose write was replaced since; empty for counters.
    public var replaced: [ClientID: UInt64]
    /// The counter of the last write of each device whose write was replaced by one that had not seen it; only under
    /// `lastWriteWins`, and until the device writes again.
    public var overwritten: [ClientID: UInt64] = [:]
    /// For each device, the fields whose write lost against a later one that had not seen it, with the counter of that
    /// write; only under `fieldMerge`, and until the device writes the field.
    public var overwrittenFields: [ClientID: [String: UInt64]] = [:]
    /// The schema version of the fields.
    public var schemaVersion: Int

    private enum CodingKeys: String, CodingKey {
        case key, revision, operation, time, isDeleted, fields, replaced, overwritten,
            overwrittenFields
        case schemaVersion
        case counterTotals = "tallies"
    }

    /// Creates a record without fields.
    public init(key: RecordKey, revision: UInt64, operation: OperationID, time: HybridTime) {
        self.key = key
        self.revision = revision
        self.operation = operation
        self.time = time
        isDeleted = false
        fields = [:]
        counterTotals = [:]
        replaced = [:]
        schemaVersion = 1
    }

    init(_ operation: ChangeOperation) {
        key = operation.key
        revision = 0
        self.operation = operation.id
        time = operation.time
        isDeleted = false
        fields = [:]
        counterTotals = [:]
        replaced = [:]
        schemaVersion = operation.schemaVersion
    }

    /// The values of the fields; those of counters as the sum over all devices.
    public var values: [String: FieldValue] {
        var values = fields.mapValues(\.value)
        for (name, devices) in counterTotals {
            let added = Self.sum(devices.values.lazy.map(\.added))
            let removed = Self.sum(devices.values.lazy.map(\.removed))
            values[name] = .integer(added - removed)
        }
        return values
    }

    /// Adds numbers from 0 up; an overflow gives the maximum number.
    private static func sum(_ numbers: some Sequence<Int64>) -> Int64 {
        numbers.reduce(0) { sum, number in
            let (next, isOver) = sum.addingReportingOverflow(max(number, 0))
            return isOver ? .max : next
        }
    }

    /// Returns true if both have equal values, regardless of their writers.
    package func hasSameContent(as other: UserRecord) -> Bool {
        isDeleted == other.isDeleted && values == other.values
    }
}
