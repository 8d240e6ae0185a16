/// What a device must not forget: kept in one transaction with what it shows.
public struct DeviceState: Sendable, Hashable, Codable {
    /// A change on its way to the server.
    public struct Pending: Sendable, Hashable, Codable {
        /// The change.
        public var operation: ChangeOperation
        /// What it belongs together with: the counter of the first of them.
        public var group: UInt64?
        /// True once it was part of a request: the server may know it, so it stays as it is.
        public var wasSent = false
        /// When it was made, in milliseconds since 1970 by the wall clock, to be shown.
        public var madeAt: Int64
        /// The part of a counter's totals that this operation adds to those before it.
        public var step: Tally

        /// Describes a change on its way.
        public init(
            operation: ChangeOperation, group: UInt64? = nil, wasSent: Bool = false, madeAt: Int64,
            step: Tally = Tally()
        ) {
            self.operation = operation
            self.group = group
            self.wasSent = wasSent
            self.madeAt = madeAt
            self.step = step
        }

        /// True for what the server lost and is offered again.
        public var isOffer: Bool { operation.isOffer }
    }

    /// Two changes that the user has to settle.
    public struct Conflict: Sendable, Hashable, Codable {
        /// The record.
        public var key: RecordKey
        /// The user's own change.
        public var mine: ChangeOperation
        /// What the server has.
        public var theirs: UserRecord
        /// What the user saw before the change; `nil` where there was nothing.
        public var base: UserRecord?

        /// Describes a conflict.
        public init(key: RecordKey, mine: ChangeOperation, theirs: UserRecord, base: UserRecord?) {
            self.key = key
            self.mine = mine
            self.theirs = theirs
            self.base = base
        }

        /// Names what the user is shown of the conflict: the same text, the same two versions.
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

    /// A change that the server does not take.
    public struct Rejected: Sendable, Hashable, Codable {
        /// The change, with everything that the user wrote.
        public var operation: ChangeOperation
        /// Why.
        public var refusal: Refusal

        /// Pairs a change with the reason.
        public init(operation: ChangeOperation, refusal: Refusal) {
            self.operation = operation
            self.refusal = refusal
        }
    }

    /// Whose data it is.
    public let user: String
    /// The device; another one from the moment at which the store turns out to be a copy.
    public package(set) var client: ClientID
    /// The collections by their names.
    public var declarations: [String: CollectionDeclaration]
    /// The counter of the next operation.
    public package(set) var nextCounter: UInt64 = 1
    /// The number of the next request.
    public package(set) var nextRequest: UInt64 = 1
    /// The device's clock.
    public package(set) var clock = HybridClock()
    /// The server's history that `cursor` belongs to.
    public package(set) var epoch: String?
    /// Up to where the user's log is known.
    public package(set) var cursor: UInt64 = 0
    /// The newest state of the server that the device has heard of.
    public package(set) var head: LogHead?
    /// What the server has, as far as it is known.
    public package(set) var bases: [RecordKey: UserRecord] = [:]
    /// The answers that this device has, its own and others'.
    public package(set) var answers = AnswerVector()
    /// The answers that the server has, as it said last.
    public package(set) var answersOnServer = AnswerVector()
    /// What is offered again, then changes in the order in which they were made.
    public package(set) var outbox: [Pending] = []
    /// What the user has to settle.
    public package(set) var conflicts: [Conflict] = []
    /// What the server does not take.
    public package(set) var rejected: [Rejected] = []
    /// The writes of this device that lost, in their order, until the user dismisses them.
    public package(set) var notices: [Notice] = []
    /// What was known before the log is read anew, to be shown meanwhile.
    public package(set) var recordsBeforeRebuild: [RecordKey: UserRecord] = [:]
    /// The number of the last own answer that was part of a request.
    public package(set) var lastAnswerSent: UInt64 = 0
    /// The own answers that have no number yet: those of a copied store, until they were compared
    /// with the answers that the server has under the former identity.
    public package(set) var detachedCount = 0
    /// True while a store that the server does not take for this device asks which of its changes the
    /// server knows, before it takes a new identity.
    public package(set) var isCopied = false
    /// True for a copy of another device's store that goes on under that device's identity until what
    /// waits was sent: the original may send the same, which must have the same names.
    public package(set) var isRenamedWhenSent = false
    /// Why the log is read from its start; `nil` when it is not.
    public package(set) var recovery: Recovery?
    /// True while the log is read from its start.
    public var isRecovering: Bool { recovery != nil }

    /// Why a device reads the log from its start.
    public enum Recovery: String, Sendable, Hashable, Codable {
        /// The server went back: what it does not have any more is offered to it.
        case serverWentBack
        /// The device slept for too long: what the server does not have any more was deleted.
        case deviceSleptTooLong
    }

    /// A device without any data.
    public init(user: String, client: ClientID, declarations: [CollectionDeclaration]) {
        self.user = user
        self.client = client
        self.declarations = Dictionary(
            declarations.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// The records of a collection that may be shown, in the order of their ids.
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

    /// Changes and answers that the server does not have.
    public var waitingCount: Int {
        answers.beyond(answersOnServer).reduce(outbox.count + detachedCount) { $0 + $1.count }
    }

    /// What the user sees of a record: what the server has, with the own changes on top, refused
    /// ones too until they are dismissed.
    ///
    /// - Returns: `nil` for what is deleted or never was.
    public func current(_ key: RecordKey) -> UserRecord? {
        guard let policy = declarations[key.collection]?.policy else { return nil }
        // While the log is read anew, what was known is not forgotten.
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

    /// True when everything is on the server and nothing waits for the user.
    public var isSynced: Bool {
        outbox.isEmpty && conflicts.isEmpty && rejected.isEmpty && !isRecovering && !isCopied
            && detachedCount == 0 && answers.beyond(answersOnServer, limit: 1).isEmpty
    }
}
