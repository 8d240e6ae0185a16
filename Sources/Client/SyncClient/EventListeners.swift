import Synchronization

/// Hands each event to everyone who listens.
///
/// A listener that does not read keeps the newest 256.
final class EventListeners: Sendable {
    private struct State {
        var nextID = 0
        var continuations: [Int: AsyncStream<SyncEvent>.Continuation] = [:]
    }

    private let state = Mutex(State())

    func stream() -> AsyncStream<SyncEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: SyncEvent.self, bufferingPolicy: .bufferingNewest(256))
        let id = state.withLock { state in
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.continuations[id] = nil }
        }
        return stream
    }

    func send(_ event: SyncEvent) {
        let continuations = state.withLock { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield(event) }
    }

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) {
            continuation.finish()
        }
    }
}
