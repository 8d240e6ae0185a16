import Synchronization

/// A signal from many threads to one task, which remembers one raise.
final class WakeSignal: Sendable {
    private enum State {
        case idle
        case raised
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.idle)

    /// Resumes the waiting task, or makes the next wait return at once.
    func raise() { resume(otherwise: .raised) }

    /// Waits for a raise or the task's cancellation; only one task may wait.
    func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumesNow = state.withLock { state in
                    switch state {
                    case .waiting: preconditionFailure("Only one task may wait.")
                    case .idle where !Task.isCancelled:
                        state = .waiting(continuation)
                        return false
                    case .idle, .raised:
                        state = .idle
                        return true
                    }
                }
                if resumesNow { continuation.resume() }
            }
        } onCancel: {
            resume(otherwise: nil)
        }
    }

    private func resume(otherwise next: State?) {
        let waiter: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard case .waiting(let waiter) = state else {
                if let next { state = next }
                return nil
            }
            state = .idle
            return waiter
        }
        waiter?.resume()
    }
}
