/// The connections of a pool and the callers that wait, by the numbers that the machine knows them by.
struct PoolMembers {
    /// A connection in use.
    struct Lease: Sendable {
        let id: PoolMachine.Connection
        let thread: ConnectionThread
        /// The time of the last use; `nil` before the first.
        var usedAt: ContinuousClock.Instant?
    }

    /// What a caller that asked for a connection does next.
    enum Turn: Sendable {
        case use(Lease)
        case connect
        case refused(PoolMachine.Refusal)
    }

    var machine: PoolMachine
    var leases: [PoolMachine.Connection: Lease] = [:]
    var waiters: [PoolMachine.Waiter: CheckedContinuation<Turn, Never>] = [:]
    /// The callers whose task was cancelled before they waited.
    var cancelled: Set<PoolMachine.Waiter> = []
    var closing: [CheckedContinuation<Void, Never>] = []
    private var last = 0

    init(_ machine: PoolMachine) { self.machine = machine }

    mutating func newNumber() -> Int {
        last += 1
        return last
    }
}
