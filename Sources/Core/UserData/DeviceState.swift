/// The durable state of a device, stored in one transaction with what it shows.
public struct DeviceState: Sendable, Hashable, Codable {
    /// A pending change.
    public struct Pending: Sendable, Hashable, Codable {
        /// The change.
        public var operation: ChangeOperation
        /// The counter of the first operation of its batch; `nil` outside a batch.
        public var group: UInt64?
        /// True once it was part of a request: the server may know it, so it is not changed any
        /// more.
        public var wasSent = false
        /// The wall-clock time of the change, in milliseconds since 1970, for display.
        public var madeAt: Int64
        /// The step that this operation adds to a counter's totals.
        public var step: CounterTotals

        /// Creates a pending change.
        public init(
            operation: ChangeOperation, group: UInt64? = nil, wasSent: Bool = false, madeAt: Int64,
            step: CounterTotals = CounterTotals()
        ) {
            self.operation = operation
            self.group = group
            self.wasSent = wasSent
            self.madeAt = madeAt
            self.step = step
        }

        /// True when the operation offers a record that the server lost.
        public var isOffer: Bool { operation.isOffer }
    }

    /// A conflict between an own change and the server's record, which the user must resolve.
    public struct Conflict: Sendable, Hashable, Codable, Identifiable {
        /// The record.
        public var key: RecordKey
        /// The own change.
        public var mine: ChangeOperation
        /// The server's record.
        public var theirs: UserRecord
        /// The version that the user saw before the change; `nil` for none.
        public var base: UserRecord?

        /// The record, of which there is at most one conflict.
        public var id: RecordKey { key }

        /// Creates a conflict.
        public init(key: RecordKey, mine: ChangeOperation, theirs: UserRecord, base: UserRecord?) {
            self.key = key
            self.mine = mine
            self.theirs = theirs
            self.base = base
        }

        /// A fingerprint of the two versions that the conflict shows: equal tags, equal versions.
        ///
        /// Sixteen hexadecimal digits of FNV-1a over the own change and the server's values.
        public var tag: String {
            var hash = FNVHash()
            hash.mix("\(mine.time.milliseconds).\(mine.time.counter)")
            hash.mix(mine.change.digestText)
            hash.mix(theirs.isDeleted ? "deleted" : "")
            hash.mix(theirs.values.digestText)
            let text = String(hash.value, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
    }

    /// A change that the server rejected for good.
    public struct Rejected: Sendable, Hashable, Codable, Identifiable {
        /// The change, with everything that the user wrote.
        public var operation: ChangeOperation
        /// The reason.
        public var refusal: Refusal

        /// The identity of the change.
        public var id: OperationID { operation.id }

        /// Creates a rejected change.
        public init(operation: ChangeOperation, refusal: Refusal) {
            self.operation = operation
            self.refusal = refusal
        }
    }

    /// The id of the user who owns the data.
    public let user: String
    /// The device's identity; a new one once the store is found to be a copy.
    public package(set) var client: ClientID
    /// The declared collections by name.
    public var declarations: [String: CollectionDeclaration]
    /// The counter of the next operation.
    public package(set) var nextCounter: UInt64 = 1
    /// The number of the next request.
    public package(set) var nextRequest: UInt64 = 1
    /// The device's hybrid clock.
    public package(set) var clock = HybridClock()
    /// The epoch of the server that `cursor` belongs to; `nil` before the first reply.
    public package(set) var epoch: String?
    /// The last position of the user's log that this device has read.
    public package(set) var cursor: UInt64 = 0
    /// The newest head of the log that the device knows of.
    public package(set) var head: LogHead?
    /// The server's records, as far as they are known.
    public package(set) var bases: [RecordKey: UserRecord] = [:]
    /// The answers stored on this device, its own and those of others.
    public package(set) var answers = AnswerVector()
    /// The answers stored on the server, by its last reply.
    public package(set) var answersOnServer = AnswerVector()
    /// Pending operations: offers first, then changes in the order in which they were made.
    public package(set) var outbox: [Pending] = []
    /// Conflicts that the user must resolve.
    public package(set) var conflicts: [Conflict] = []
    /// Changes that the server rejected.
    public package(set) var rejected: [Rejected] = []
    /// Overwritten writes of this device, oldest first, until the user dismisses them.
    public package(set) var notices: [Notice] = []
    /// The records known before the log is read from its start, shown meanwhile.
    public package(set) var recordsBeforeRebuild: [RecordKey: UserRecord] = [:]
    /// The sequence number of the last own answer that was part of a request.
    public package(set) var lastAnswerSent: UInt64 = 0
    /// The number of own answers without a sequence number.
    ///
    /// They come from a copied store and wait to be compared with the server's answers of the
    /// former identity.
    public package(set) var detachedCount = 0
    /// True while a store that the server does not accept as this device asks which of its
    /// operations the server has applied, before it takes a new identity.
    public package(set) var isCopied = false
    /// True for a copy of another device's store that keeps that device's identity until its
    /// pending changes were sent: the original may send the same ones, which must have the same
    /// identities.
    public package(set) var isRenamedWhenSent = false
    /// The reason for reading the log from its start; `nil` in normal operation.
    public package(set) var recovery: Recovery?
    /// True while the log is read from its start.
    public var isRecovering: Bool { recovery != nil }

    /// A reason for reading the log from its start.
    public enum Recovery: String, Sendable, Hashable, Codable {
        /// The server was restored from a backup: records that it lost are offered to it.
        case serverWentBack
        /// The device was offline for longer than tombstones are stored: records that the server
        /// lacks were deleted.
        case deviceSleptTooLong
    }

    /// Creates a device without data.
    public init(user: String, client: ClientID, declarations: [CollectionDeclaration]) {
        self.user = user
        self.client = client
        self.declarations = Dictionary(
            declarations.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// Returns the records of a collection that may be shown, ordered by id.
    public func keys(of collection: String) -> [RecordKey] {
        var keys = Set(bases.keys).union(recordsBeforeRebuild.keys).filter {
            $0.collection == collection
        }
        for pending in outbox where pending.operation.key.collection == collection {
            keys.insert(pending.operation.key)
        }
        for conflict in conflicts where conflict.key.collection == collection {
            keys.insert(conflict.key)
        }
        for refused in rejected where refused.operation.key.collection == collection {
            keys.insert(refused.operation.key)
        }
        return keys.sorted()
    }

    /// The records that the user sees.
    public var shownKeys: [RecordKey] {
        declarations.keys.sorted().flatMap(keys).filter { current($0) != nil }
    }

    /// The number of changes and answers that the server does not have yet.
    public var waitingCount: Int {
        answers.beyond(answersOnServer).reduce(outbox.count + detachedCount) { $0 + $1.count }
    }

    /// Returns the record as the user sees it: the server's, with the own changes applied on top,
    /// rejected ones too until they are dismissed.
    ///
    /// - Returns: `nil` for a deleted or unknown record.
    public func current(_ key: RecordKey) -> UserRecord? {
        guard let policy = declarations[key.collection]?.policy else { return nil }
        // While the log is read from its start, the earlier records are still shown.
        var record = recordsBeforeRebuild[key]
        if let base = bases[key] { record = record?.joined(with: base, policy: policy) ?? base }
        for refused in rejected where refused.operation.key == key {
            record = MergeRules.applied(refused.operation, to: record, policy: policy)
        }
        for conflict in conflicts where conflict.key == key {
            record = MergeRules.applied(conflict.mine, to: record, policy: policy)
        }
        for pending in outbox where pending.operation.key == key {
            record = MergeRules.applied(pending.operation, to: record, policy: policy)
        }
        return record?.isDeleted == false ? record : nil
    }

    /// True when everything is on the server and no decision of the user is pending.
    public var isSynced: Bool {
        outbox.isEmpty && conflicts.isEmpty && rejected.isEmpty && !isRecovering && !isCopied
            && detachedCount == 0 && answers.beyond(answersOnServer, limit: 1).isEmpty
    }
}
