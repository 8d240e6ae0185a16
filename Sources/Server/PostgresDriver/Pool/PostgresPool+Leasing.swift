import Dispatch
import Synchronization

extension PostgresPool {
    /// The delays between trials while the server has no connection left and the pool has none either.
    private static let backoff = (first: Duration.milliseconds(50), last: Duration.seconds(1))

    /// Waits for a connection, or opens one.
    ///
    /// - Parameters:
    ///   - deadline: The end of the wait.
    ///   - first: True for a caller whose turn it was before.
    /// - Returns: The connection, which the caller gives back.
    /// - Throws: `PostgresError`; `CancellationError`.
    func lease(
        until deadline: ContinuousClock.Instant, first: Bool
    ) async throws -> PoolMembers.Lease {
        var delay = Self.backoff.first
        var isFirst = first
        while true {
            try Task.checkCancellation()
            do {
                switch await turn(until: deadline, first: isFirst) {
                case .use(let lease): return lease
                case .connect: return try await connect()
                case .refused(let refusal): throw refusal.error
                }
            } catch let error as PostgresError
                where error.code == .tooManyConnections && clock.now + delay < deadline
            {
                isFirst = true
                guard status.inUse + status.idle == 0 else { continue }
                try await Task.sleep(for: delay)
                delay = min(delay * 2, Self.backoff.last)
            }
        }
    }

    /// Asks the machine, and waits until it is this caller's turn.
    private func turn(
        until deadline: ContinuousClock.Instant, first: Bool
    ) async -> PoolMembers.Turn {
        let waiter = state.withLock { $0.newNumber() }
        defer { state.withLock { _ = $0.cancelled.remove(waiter) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                perform { members, now in
                    members.waiters[waiter] = continuation
                    if members.cancelled.remove(waiter) != nil {
                        return [.refuse(waiter, .cancelled)]
                    }
                    return members.machine.requested(
                        waiter, until: deadline, first: first, now: now)
                }
            }
        } onCancel: {
            perform { members, _ in
                // Either it waits, or it is about to ask.
                if members.waiters[waiter] == nil { members.cancelled.insert(waiter) }
                return members.machine.cancelled(waiter)
            }
        }
    }

    /// Opens a connection, as the machine has permitted.
    private func connect() async throws -> PoolMembers.Lease {
        let thread = ConnectionThread()
        do {
            try await thread.open(
                settings.address, replyTimeout: settings.replyTimeout,
                namesMax: settings.statementNamesMax)
        } catch {
            let isTooMany = (error as? PostgresError)?.code == .tooManyConnections
            perform { members, now in
                members.machine.connectFailed(tooMany: isTooMany, now: now)
            }
            throw error
        }
        return state.withLock { members in
            let lease = PoolMembers.Lease(id: members.newNumber(), thread: thread)
            members.leases[lease.id] = lease
            members.machine.connected(lease.id)
            return lease
        }
    }

    /// Cancels the statements of all that use a connection at that time.
    func cancelUses(after limit: Duration) {
        timer.asyncAfter(deadline: .now() + .milliseconds(Int(limit.milliseconds))) { [weak self] in
            let threads = self?.state.withLock { $0.leases.values.map(\.thread) } ?? []
            for thread in threads { thread.interrupt.request() }
        }
    }

    /// Passes an event to the machine, and carries out its actions.
    func perform(
        _ event: (inout PoolMembers, ContinuousClock.Instant) -> [PoolMachine.Action]
    ) {
        let now = clock.now
        // Continuations are resumed outside of the lock.
        let effects = state.withLock { members in
            event(&members, now).flatMap { members.effects(of: $0) }
        }
        for effect in effects { carryOut(effect) }
    }

    private func carryOut(_ effect: PoolMembers.Effect) {
        switch effect {
        case .resume(let waiter, let turn): waiter.resume(returning: turn)
        case .finish(let closing): closing.resume()
        case .drop: break
        case .wake(let instant):
            let delay = (instant - clock.now).milliseconds + 1
            timer.asyncAfter(deadline: .now() + .milliseconds(Int(max(delay, 0)))) { [weak self] in
                self?.perform { members, now in members.machine.woke(now: now) }
            }
        }
    }
}

extension PoolMembers {
    /// An action on values that are resumed outside of the lock.
    enum Effect {
        case resume(CheckedContinuation<Turn, Never>, Turn)
        case finish(CheckedContinuation<Void, Never>)
        /// The last reference to a connection, which closes it, if its user has not done so.
        case drop(Lease)
        case wake(ContinuousClock.Instant)
    }

    mutating func effects(of action: PoolMachine.Action) -> [Effect] {
        switch action {
        case .use(let waiter, let connection):
            guard let lease = leases[connection] else {
                preconditionFailure("The pool does not know this connection.")
            }
            return answer(waiter, .use(lease))
        case .connect(let waiter): return answer(waiter, .connect)
        case .refuse(let waiter, let refusal): return answer(waiter, .refused(refusal))
        case .close(let connection):
            return leases.removeValue(forKey: connection).map { [.drop($0)] } ?? []
        case .wakeAt(let instant): return [.wake(instant)]
        case .allClosed:
            defer { closing = [] }
            return closing.map(Effect.finish)
        }
    }

    private mutating func answer(_ waiter: PoolMachine.Waiter, _ turn: Turn) -> [Effect] {
        waiters.removeValue(forKey: waiter).map { [.resume($0, turn)] } ?? []
    }
}

extension PoolMachine.Refusal {
    /// The failure that a caller meets.
    var error: any Error {
        switch self {
        case .busy, .overdue: PostgresError(.poolBusy, .waiting)
        case .closed: PostgresError(.poolClosed, .waiting)
        case .cancelled: CancellationError()
        }
    }
}
