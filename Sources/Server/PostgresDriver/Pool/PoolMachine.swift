/// The decisions of a pool of connections: who uses which, who waits, who connects.
///
/// Events in, actions out; no clock. Callers are served in the order of arrival. An idle connection is preferred to a new one, the one that was used last
/// first. A caller that gets no connection waits, until one is returned or its deadline has passed.
struct PoolMachine {
    typealias Waiter = Int
    typealias Connection = Int

    /// A reason why a caller gets no connection.
    enum Refusal: Hashable {
        case busy
        case overdue
        case closed
        case cancelled
    }

    enum Action: Hashable {
        /// The caller uses the connection.
        case use(Waiter, Connection)
        /// The caller opens a connection of its own, and reports the result.
        case connect(Waiter)
        case refuse(Waiter, Refusal)
        case close(Connection)
        /// The earliest deadline of all waiting callers.
        case wakeAt(ContinuousClock.Instant)
        /// All connections are closed after the pool was.
        case allClosed
    }

    private struct Pending {
        let waiter: Waiter
        let deadline: ContinuousClock.Instant
    }

    /// The time without a new connection after the server had none left.
    static let pause = Duration.seconds(1)

    let connectionsMax: Int
    let waitersMax: Int
    private(set) var idle: [Connection] = []
    private(set) var inUse: Set<Connection> = []
    /// The number of callers that are opening a connection.
    private(set) var connecting = 0
    private(set) var isClosed = false
    private var pending: [Pending] = []
    private var pausedUntil: ContinuousClock.Instant?
    private var wakesAt: ContinuousClock.Instant?

    init(connectionsMax: Int, waitersMax: Int) {
        self.connectionsMax = connectionsMax
        self.waitersMax = waitersMax
    }

    /// The number of connections, and of those that are being opened.
    var openCount: Int { idle.count + inUse.count + connecting }
    var waitingCount: Int { pending.count }

    /// Handles a request for a connection; `first` after a connection that did not work.
    mutating func requested(
        _ waiter: Waiter, until deadline: ContinuousClock.Instant, first: Bool = false,
        now: ContinuousClock.Instant
    ) -> [Action] {
        guard !isClosed else { return [.refuse(waiter, .closed)] }
        if first || pending.isEmpty {
            if let connection = idle.popLast() {
                inUse.insert(connection)
                return [.use(waiter, connection)]
            }
            if mayConnect(now) {
                connecting += 1
                return [.connect(waiter)]
            }
        }
        guard deadline > now else { return [.refuse(waiter, .overdue)] }
        guard first || pending.count < waitersMax else { return [.refuse(waiter, .busy)] }
        pending.insert(Pending(waiter: waiter, deadline: deadline), at: first ? 0 : pending.count)
        return wake(now)
    }

    /// Handles the return of a connection.
    mutating func returned(
        _ connection: Connection, isUsable: Bool, now: ContinuousClock.Instant
    ) -> [Action] {
        precondition(inUse.remove(connection) != nil, "The connection was not in use.")
        guard isUsable, !isClosed else { return [.close(connection)] + refilled(now) }
        guard !pending.isEmpty else {
            idle.append(connection)
            return []
        }
        inUse.insert(connection)
        return [.use(pending.removeFirst().waiter, connection)]
    }

    /// Handles a new connection, which its caller uses.
    mutating func connected(_ connection: Connection) {
        connecting -= 1
        inUse.insert(connection)
    }

    /// Handles a failure to connect.
    mutating func connectFailed(
        tooMany: Bool, now: ContinuousClock.Instant
    ) -> [Action] {
        connecting -= 1
        // With none open nobody would return one: those who wait go on trying.
        if tooMany, openCount > 0 { pausedUntil = now + Self.pause }
        return refilled(now)
    }

    /// Handles the cancellation of a waiting caller's task.
    mutating func cancelled(_ waiter: Waiter) -> [Action] {
        guard let index = pending.firstIndex(where: { $0.waiter == waiter }) else { return [] }
        pending.remove(at: index)
        return [.refuse(waiter, .cancelled)]
    }

    /// Handles the time of a `wakeAt`.
    mutating func woke(now: ContinuousClock.Instant) -> [Action] {
        wakesAt = nil
        let overdue = pending.filter { $0.deadline <= now }
        pending.removeAll { $0.deadline <= now }
        return overdue.map { .refuse($0.waiter, .overdue) } + refilled(now) + wake(now)
    }

    /// Closes the pool: it rejects waiting callers, and lets current users of a connection finish.
    mutating func closed() -> [Action] {
        guard !isClosed else { return openCount == 0 ? [.allClosed] : [] }
        isClosed = true
        defer { (idle, pending) = ([], []) }
        let refusals = pending.map { Action.refuse($0.waiter, .closed) }
        let closures = idle.map(Action.close)
        return refusals + closures + (inUse.isEmpty && connecting == 0 ? [.allClosed] : [])
    }

    private func mayConnect(_ now: ContinuousClock.Instant) -> Bool {
        openCount < connectionsMax && (pausedUntil.map { $0 <= now } ?? true || openCount == 0)
    }

    /// Lets those who wait connect where there is room.
    private mutating func refilled(_ now: ContinuousClock.Instant) -> [Action] {
        if isClosed { return openCount == 0 ? [.allClosed] : [] }
        var actions: [Action] = []
        while !pending.isEmpty, mayConnect(now) {
            connecting += 1
            actions.append(.connect(pending.removeFirst().waiter))
        }
        return actions
    }

    /// Requests a wake-up at the first deadline or the end of a pause, unless an earlier one is pending.
    private mutating func wake(_ now: ContinuousClock.Instant) -> [Action] {
        guard var first = pending.map(\.deadline).min() else { return [] }
        if let pausedUntil, pausedUntil > now { first = min(first, pausedUntil) }
        guard wakesAt.map({ first < $0 }) ?? true else { return [] }
        wakesAt = first
        return [.wakeAt(first)]
    }
}
