/// What a device must not forget: kept in one transaction with what it shows.
public struct DeviceState: Sendable, Hashable, Codable {
    /// A change on its way to the server.
    public struct Pending: Sendable, Hashable, Codable {
        /// The change.
        public var operation: Operation
        /// True once it was part of a request: the server may know it, so it stays as it is.
        public var wasSent = false
        /// When it was made, in milliseconds since 1970 by the wall clock, to be shown.
        public var madeAt: Int64
    }

    /// Two changes that the user has to settle.
    public struct Conflict: Sendable, Hashable, Codable {
        /// The record.
        public var key: RecordKey
        /// The user's own change.
        public var mine: Operation
        /// What the server has.
        public var theirs: Record
        /// What the user saw before the change; `nil` where there was nothing.
        public var base: Record?
    }

    /// A change that the server does not take.
    public struct SetAside: Sendable, Hashable, Codable {
        /// The change, with everything that the user wrote.
        public var operation: Operation
        /// Why.
        public var refusal: Refusal
    }

    /// Whose data it is.
    public let user: String
    /// The device.
    public let client: ClientID
    /// The collections by their names.
    public var declarations: [String: CollectionDeclaration]
    /// The counter of the next operation.
    public internal(set) var nextCounter: UInt64 = 1
    /// The number of the next request.
    public internal(set) var nextRequest: UInt64 = 1
    /// The device's clock.
    public internal(set) var clock = HybridClock()
    /// The server's history that `cursor` belongs to.
    public internal(set) var epoch: String?
    /// Up to where the user's log is known.
    public internal(set) var cursor: UInt64 = 0
    /// What the server has, as far as it is known.
    public internal(set) var bases: [RecordKey: Record] = [:]
    /// Changes in the order in which they were made.
    public internal(set) var outbox: [Pending] = []
    /// What the user has to settle.
    public internal(set) var conflicts: [Conflict] = []
    /// What the server does not take.
    public internal(set) var setAside: [SetAside] = []
    /// What the server had before it went back, while the device finds out what is missing now.
    public internal(set) var former: [RecordKey: Record] = [:]
    /// True while the log is read from its start.
    public internal(set) var isRecovering = false

    /// A device without any data.
    public init(user: String, client: ClientID, declarations: [CollectionDeclaration]) {
        self.user = user
        self.client = client
        self.declarations = Dictionary(
            declarations.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }

    /// What the user sees of a record: what the server has, with the own changes on top.
    ///
    /// - Returns: `nil` for what is deleted or never was.
    public func current(_ key: RecordKey) -> Record? {
        guard let policy = declarations[key.collection]?.policy else { return nil }
        // While the log is read anew, what was known is not forgotten.
        var record = former[key]
        if let base = bases[key] { record = record?.joined(with: base, policy: policy) ?? base }
        for conflict in conflicts where conflict.key == key {
            record = MergeRules.applied(conflict.mine, to: record, policy: policy)
        }
        for pending in outbox where pending.operation.key == key {
            record = MergeRules.applied(pending.operation, to: record, policy: policy)
        }
        return record?.isDeleted == false ? record : nil
    }

    /// True when everything is on the server and nothing waits for the user.
    public var isSynced: Bool { outbox.isEmpty && conflicts.isEmpty && !isRecovering }
}
