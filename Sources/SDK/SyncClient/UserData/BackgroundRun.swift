import Synchronization

/// A piece of background work that ends or runs out of time, and is completed exactly once.
///
/// `expire` may be called at any moment, also before `start` and after the end.
final class BackgroundRun: Sendable {
    private struct State {
        /// `nil` once called.
        var complete: (@Sendable (_ success: Bool) -> Void)?
        var work: Task<Void, Never>?
        var isExpired = false
    }

    private let state: Mutex<State>

    /// Creates a completion.
    ///
    /// - Parameter complete: Reports to the system; called once, after the work has ended.
    init(complete: @escaping @Sendable (_ success: Bool) -> Void) {
        state = Mutex(State(complete: complete))
    }

    /// Starts the work, which returns true for a success.
    func start(_ work: @escaping @Sendable () async -> Bool) {
        // The system's call returns at once: there is no task that this one could be a child of.
        let task = Task { end(success: await work()) }
        let isExpired = state.withLock { state in
            if state.complete != nil { state.work = task }
            return state.isExpired
        }
        if isExpired { task.cancel() }
    }

    /// Cancels the work at the end of its time; it is completed as failed after it has stopped.
    func expire() {
        let work = state.withLock { state in
            state.isExpired = true
            return state.work
        }
        work?.cancel()
    }

    private func end(success: Bool) {
        let ended = state.withLock { state in
            // A reference would keep the system's task alive.
            defer { (state.complete, state.work) = (nil, nil) }
            return (complete: state.complete, isExpired: state.isExpired)
        }
        ended.complete?(success && !ended.isExpired)
    }
}
