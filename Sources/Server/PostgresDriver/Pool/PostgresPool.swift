import Dispatch
import Synchronization

/// A bounded pool of connections, which it opens on demand and replaces when they break.
///
/// ```swift
/// let pool = PostgresPool(PoolSettings(try PostgresAddress("postgres://app@localhost/underway")))
/// let count = try await pool.query("SELECT count(*) AS n FROM account").first?.value("n", as: Int.self)
/// print(count ?? 0)
/// await pool.close()
/// ```
public final class PostgresPool: Sendable {
    /// The settings.
    public let settings: PoolSettings
    let state: Mutex<PoolMembers>
    let clock = ContinuousClock()
    let timer = DispatchQueue(label: "postgres pool")

    /// Creates a pool without connections.
    public init(_ settings: PoolSettings) {
        self.settings = settings
        state = Mutex(
            PoolMembers(
                PoolMachine(
                    connectionsMax: settings.connectionsMax, waitersMax: settings.waitersMax)))
    }

    /// The current counts of connections and callers.
    public var status: PoolStatus {
        state.withLock { members in
            PoolStatus(
                idle: members.machine.idle.count, inUse: members.machine.inUse.count,
                connecting: members.machine.connecting, waiting: members.machine.waitingCount)
        }
    }

    /// Runs a closure with a connection, on that connection's thread.
    ///
    /// Cancelling the task also cancels the running statement. A transaction that the closure leaves open is rolled
    /// back.
    ///
    /// - Throws: The error of `body`; `PostgresError` with code `poolBusy` (retry later), `poolClosed` or in phase
    ///   `connecting`; `CancellationError`.
    @discardableResult
    public func use<Value: Sendable>(
        _ body: @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        try await use(unnamed: false, body)
    }

    /// Executes one statement outside of a transaction.
    ///
    /// - Throws: `PostgresError`; `CancellationError`.
    @discardableResult
    public func query(_ statement: PostgresStatement) async throws -> PostgresResult {
        try await use { try $0.query(statement) }
    }

    /// Executes statements as one transaction, in one round trip.
    ///
    /// - Throws: `PostgresError` of the first failed statement, with its `statementIndex`; `CancellationError`.
    @discardableResult
    public func pipeline(_ statements: [PostgresStatement]) async throws -> [PostgresResult] {
        try await use { try $0.pipeline(statements) }
    }

    /// Runs a closure in a transaction, which commits when the closure returns and rolls back when it throws.
    ///
    /// The policy may run the closure again, so it must have no effects except its statements.
    ///
    /// - Throws: The error of `body`; `PostgresError`, with `isOutcomeUnknown` if the transaction may have been
    ///   committed (read the state before a retry); `CancellationError`.
    @discardableResult
    public func transaction<Value: Sendable>(
        _ options: TransactionOptions = TransactionOptions(), retry: RetryPolicy = RetryPolicy(),
        _ body: @Sendable (PostgresTransaction) throws -> Value
    ) async throws -> Value {
        var attempts = RetryState(retry, usesNames: settings.statementNamesMax > 0)
        while true {
            do {
                return try await use(unnamed: attempts.isUnnamed) { connection in
                    try connection.transaction(options, body)
                }
            } catch let error as PostgresError {
                let decision = attempts.failed(
                    error, isReadOnly: options.isReadOnly, chance: Double.random(in: 0...1))
                switch decision {
                case .fail: throw error
                case .repeatAfter(let delay), .repeatElsewhere(let delay):
                    try await Task.sleep(for: delay)
                }
            }
        }
    }

    /// Closes the pool: it rejects new callers, and lets current users of a connection finish.
    ///
    /// It returns when the last connection is closed.
    ///
    /// - Parameter limit: The time after which the statements of current users are cancelled.
    public func close(cancellingAfter limit: Duration? = nil) async {
        if let limit { cancelUses(after: limit) }
        await withCheckedContinuation { continuation in
            perform { members, _ in
                members.closing.append(continuation)
                return members.machine.closed()
            }
        }
    }

    private func use<Value: Sendable>(
        unnamed: Bool, _ body: @Sendable (PostgresConnection) throws -> Value
    ) async throws -> Value {
        let deadline = clock.now + settings.waitTimeout
        var isFirst = false
        while true {
            let lease = try await lease(until: deadline, first: isFirst)
            let outcome = await lease.thread.use(trial: trial(of: lease), unnamed: unnamed, body)
            switch outcome {
            case .dead:
                await giveBack(lease, isUsable: false)
                isFirst = true
            case .finished(let result, let isUsable):
                await giveBack(lease, isUsable: isUsable && result.allowsReuse)
                return try result.get()
            }
        }
    }

    /// Returns the check of a connection before its use: none for a new one, a query for one that was idle.
    private func trial(of lease: PoolMembers.Lease) -> ConnectionThread.Trial {
        guard let usedAt = lease.usedAt else { return .none }
        let isRested = usedAt + settings.idleCheckAfter < clock.now
        return isRested ? .question(settings.idleCheckTimeout) : .look(settings.idleCheckTimeout)
    }

    private func giveBack(_ lease: PoolMembers.Lease, isUsable: Bool) async {
        let isYoung = lease.thread.openedAt + settings.connectionAgeMax > clock.now
        let isOpen = state.withLock { !$0.machine.isClosed }
        let isUsable = isUsable && isYoung && isOpen
        if !isUsable { await lease.thread.close() }
        perform { members, now in
            members.leases[lease.id]?.usedAt = now
            return members.machine.returned(lease.id, isUsable: isUsable, now: now)
        }
    }
}

extension Result {
    /// False after a write was refused: the server may have become a standby, and another one writes now.
    fileprivate var allowsReuse: Bool {
        guard case .failure(let error as PostgresError) = self else { return true }
        return error.code != .readOnlyTransaction
    }
}
