/// What one device added to a counter, as totals, so that counting a change twice is impossible.
public struct Tally: Sendable, Hashable, Codable {
    /// Everything that was added.
    public var added: Int64
    /// Everything that was taken away, as a positive number.
    public var removed: Int64

    /// States totals.
    public init(added: Int64 = 0, removed: Int64 = 0) {
        self.added = added
        self.removed = removed
    }

    /// What these totals have beyond others, never less than nothing.
    func minus(_ other: Tally) -> Tally {
        Tally(added: max(0, added - other.added), removed: max(0, removed - other.removed))
    }

    /// The greater totals: both only grow.
    func joined(_ other: Tally) -> Tally {
        Tally(added: max(added, other.added), removed: max(removed, other.removed))
    }
}

/// A record as the server has it, or as a device last saw it there.
public struct UserRecord: Sendable, Hashable, Codable {
    /// A field with what decides between two writers of it.
    public struct Field: Sendable, Hashable, Codable {
        /// The value.
        public var value: FieldValue
        /// When it was written, by its writer's clock.
        public var time: HybridTime
        /// The revision at which it got this value.
        public var revision: UInt64
        /// The operation that wrote it.
        public var writer: OperationID

        /// Describes a field.
        public init(value: FieldValue, time: HybridTime, revision: UInt64, writer: OperationID) {
            self.value = value
            self.time = time
            self.revision = revision
            self.writer = writer
        }

        /// The order of two writers: by time, then by operation, so that all agree.
        func isLater(than other: Field) -> Bool { (time, writer) > (other.time, other.writer) }

        /// True when the author of an operation knew this value, by the revision or as an own write.
        ///
        /// That an own write to another field was merged beside it is not enough.
        func wasSeen(by operation: ChangeOperation) -> Bool {
            writer.client == operation.id.client || revision <= operation.seenRevision
                || operation.hasSeen(writer)
        }
    }

    /// Which record it is.
    public let key: RecordKey
    /// Its position in the user's log, which is given in the order of commits.
    public var revision: UInt64
    /// The operation that wrote it last.
    public var operation: OperationID
    /// When that was, by its writer's clock.
    public var time: HybridTime
    /// True for a tombstone: deleted, but remembered so that every device learns of it.
    public var isDeleted: Bool
    /// The fields.
    public var fields: [String: Field]
    /// For counters: of each field, what each device counted.
    public var tallies: [String: [ClientID: Tally]]
    /// Of each device whose last write was replaced since, the number of that write; not of counters.
    public var replaced: [ClientID: UInt64]
    /// Of each device whose last write was replaced by one that had not seen it, the number of that
    /// write; only where the later write wins, and until the device writes again.
    public var overwritten: [ClientID: UInt64] = [:]
    /// The version of its fields.
    public var schemaVersion: Int

    /// A record as the server has it, without fields.
    public init(key: RecordKey, revision: UInt64, operation: OperationID, time: HybridTime) {
        self.key = key
        self.revision = revision
        self.operation = operation
        self.time = time
        isDeleted = false
        fields = [:]
        tallies = [:]
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
        tallies = [:]
        replaced = [:]
        schemaVersion = operation.schemaVersion
    }

    /// The values of the fields, those of counters added up.
    public var values: [String: FieldValue] {
        var values = fields.mapValues(\.value)
        for (name, devices) in tallies {
            let added = Self.sum(devices.values.lazy.map(\.added))
            let removed = Self.sum(devices.values.lazy.map(\.removed))
            values[name] = .integer(added - removed)
        }
        return values
    }

    /// Adds numbers from 0 up; a sum that does not fit stays at the greatest number.
    private static func sum(_ numbers: some Sequence<Int64>) -> Int64 {
        numbers.reduce(0) { sum, number in
            let (next, isOver) = sum.addingReportingOverflow(max(number, 0))
            return isOver ? .max : next
        }
    }

    /// True when both hold the same, whoever wrote it.
    func holdsTheSame(as other: UserRecord) -> Bool {
        isDeleted == other.isDeleted && values == other.values
    }
}
