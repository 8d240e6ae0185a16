import Synchronization

/// A clock that a test advances: each sleep lasts until the test lets its duration elapse, or it is cancelled.
final class FakeTimer: Sendable {
    private struct Sleeper {
        var id: Int
        var duration: Duration
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var id: Int
        var duration: Duration
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var lastID = 0
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []
    }

    private let state = Mutex(State())

    func sleep(_ duration: Duration) async throws {
        let id = nextID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Sleeper(id: id, duration: duration, continuation: continuation))
            }
        } onCancel: {
            take { $0.id == id }?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Returns as soon as someone sleeps for this long, or the task is cancelled.
    func reached(_ duration: Duration) async {
        let id = nextID()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let watcher = Watcher(id: id, duration: duration, continuation: continuation)
                let waits = state.withLock { state in
                    guard !Task.isCancelled,
                        !state.sleepers.contains(where: { $0.duration == duration })
                    else { return false }
                    state.watchers.append(watcher)
                    return true
                }
                if !waits { continuation.resume() }
            }
        } onCancel: {
            takeWatchers { $0.id == id }.forEach { $0.continuation.resume() }
        }
    }

    /// Waits until someone sleeps for this long, and wakes it.
    func elapse(_ duration: Duration) async {
        await reached(duration)
        take { $0.duration == duration }?.continuation.resume()
    }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
    }

    private func add(_ sleeper: Sleeper) {
        let isAdded = state.withLock { state in
            guard !Task.isCancelled else { return false }
            state.sleepers.append(sleeper)
            return true
        }
        guard isAdded else { return sleeper.continuation.resume(throwing: CancellationError()) }
        takeWatchers { $0.duration == sleeper.duration }.forEach { $0.continuation.resume() }
    }

    private func take(_ isWanted: (Sleeper) -> Bool) -> Sleeper? {
        state.withLock { state in
            state.sleepers.firstIndex(where: isWanted).map { state.sleepers.remove(at: $0) }
        }
    }

    private func takeWatchers(_ isWanted: (Watcher) -> Bool) -> [Watcher] {
        state.withLock { state in
            defer { state.watchers.removeAll(where: isWanted) }
            return state.watchers.filter(isWanted)
        }
    }
}
