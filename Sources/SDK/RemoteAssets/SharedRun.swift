import Synchronization

/// Work for which several callers wait together, one run at a time.
///
/// A caller whose task is cancelled leaves alone and at once. The work is cancelled when the last of its callers has
/// left; a caller that arrives while it ends gets a run that begins after it.
///
/// ```
/// let runs = SharedRun<Report>()
/// let report = await runs.value { await self.perform() } ?? .cancelled
/// ```
package final class SharedRun<Value: Sendable>: Sendable {
    /// The work, done once for all waiting callers.
    package typealias Work = @Sendable () async -> Value

    private typealias Continuation = CheckedContinuation<Value?, Never>

    private struct Waiter {
        var id: Int
        var continuation: Continuation
        var work: Work
    }

    private struct State {
        var run: Task<Void, Never>?
        /// True when all callers of the run have left.
        var isAbandoned = false
        var current: [Waiter] = []
        /// The callers that wait for a run that begins later.
        var next: [Waiter] = []
        /// The callers that were cancelled before they waited.
        var left: Set<Int> = []
        var lastID = 0
    }

    private let state = Mutex(State())

    /// Creates an object without a run.
    package init() {}

    /// Starts the work, or joins the run under way.
    ///
    /// - Parameters:
    ///   - anew: True to join only a run that begins after this call.
    ///   - work: The work, if this call starts a run.
    /// - Returns: The result of the work; `nil` when this caller's task was cancelled.
    package func value(anew: Bool = false, _ work: @escaping Work) async -> Value? {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let value = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(Waiter(id: id, continuation: continuation, work: work), anew: anew)
            }
        } onCancel: {
            leave(id)
        }
        _ = state.withLock { $0.left.remove(id) }
        return value
    }

    private func enter(_ waiter: Waiter, anew: Bool) {
        let hasLeft = state.withLock { state in
            guard !state.left.contains(waiter.id) else { return true }
            if state.run == nil {
                state.current = [waiter]
                start(&state)
            } else if anew || state.isAbandoned {
                state.next.append(waiter)
            } else {
                state.current.append(waiter)
            }
            return false
        }
        if hasLeft { waiter.continuation.resume(returning: nil) }
    }

    /// Starts the work of the first waiting caller.
    private func start(_ state: inout State) {
        guard let work = state.current.first?.work else { return }
        state.isAbandoned = false
        // Belongs to all waiting callers, and outlives the first.
        state.run = Task { ended(with: await work()) }
    }

    private func ended(with value: Value) {
        let done = state.withLock { state in
            let done = state.current
            state.run = nil
            state.current = state.next
            state.next = []
            start(&state)
            return done
        }
        for waiter in done { waiter.continuation.resume(returning: value) }
    }

    private func leave(_ id: Int) {
        let (waiter, abandoned) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            if let index = state.next.firstIndex(where: { $0.id == id }) {
                return (state.next.remove(at: index), nil)
            }
            guard let index = state.current.firstIndex(where: { $0.id == id }) else {
                state.left.insert(id)
                return (nil, nil)
            }
            let waiter = state.current.remove(at: index)
            guard state.current.isEmpty else { return (waiter, nil) }
            state.isAbandoned = true
            return (waiter, state.run)
        }
        waiter?.continuation.resume(returning: nil)
        abandoned?.cancel()
    }
}
