/// A pending change.
public struct PendingChange: Sendable, Hashable, Codable {
    /// The change.
    public var operation: ChangeOperation
    /// The counter of the first operation of its batch; `nil` outside a batch.
    public var group: UInt64?
    /// True after it was part of a request: the server may have received it, so it no longer changes.
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

    /// True when the operation adds a known step to a counter.
    var isStep: Bool { operation.isCount && step != CounterTotals() }

    /// The change in the form of requests: a step includes the totals that it continues.
    var request: ChangeOperation {
        guard isStep, case .count(_, let totals) = operation.change else { return operation }
        var said = operation
        said.from = totals.minus(step)
        return said
    }
}

/// A change that the server rejected permanently.
public struct RejectedChange: Sendable, Hashable, Codable, Identifiable {
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

/// A write of this device that was overwritten by another device which had not seen it.
///
/// A notice requires no decision: it is shown until the user dismisses it.
public struct ReplacementNotice: Sendable, Hashable, Codable, Identifiable {
    /// The overwritten write.
    public var mine: ChangeOperation
    /// The record that replaced it.
    public var theirs: UserRecord

    /// Creates a notice.
    public init(mine: ChangeOperation, theirs: UserRecord) {
        self.mine = mine
        self.theirs = theirs
    }

    /// The identity of the overwritten write.
    public var id: OperationID { mine.id }
    /// The record.
    public var key: RecordKey { mine.key }
    /// An upper bound of the notice's size as JSON, in bytes.
    var bytes: Int { WireSize.bytes(mine) + WireSize.bytes(theirs) }
}
