import CLibpq
import Synchronization

/// Wakes the thread of a connection when the task that uses the connection is cancelled.
///
/// Each use has a token, so that a late request never concerns the next use.
final class Interrupt: Sendable {
    private struct State {
        var token = 0
        var isActive = false
        var isRequested = false
    }

    private let state = Mutex(State())
    private let writes: Int32
    /// A descriptor that is readable from a request until the end of the use; negative when there is none.
    let descriptor: Int32

    init() {
        var reads: Int32 = -1
        var writes: Int32 = -1
        // Without a pipe (no descriptors left) a cancelled task waits for the reply like any other.
        _ = unsafe underway_pipe(&reads, &writes)
        descriptor = reads
        self.writes = writes
    }

    deinit { if descriptor >= 0 { underway_pipe_close(descriptor, writes) } }

    var isRequested: Bool { state.withLock(\.isRequested) }

    /// Begins a use.
    func begin() -> Int {
        state.withLock { state in
            state.token += 1
            state.isActive = true
            return state.token
        }
    }

    /// Requests the end of a use, if it goes on; of whichever goes on, without a token.
    func request(_ token: Int? = nil) {
        state.withLock { state in
            guard state.isActive, token ?? state.token == state.token, !state.isRequested else {
                return
            }
            state.isRequested = true
            if writes >= 0 { underway_pipe_signal(writes) }
        }
    }

    /// Ends a use.
    func end() {
        state.withLock { state in
            state.isActive = false
            state.isRequested = false
            if descriptor >= 0 { underway_pipe_drain(descriptor) }
        }
    }
}
