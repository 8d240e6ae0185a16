import Synchronization

/// A broadcast of events to any number of streams.
///
/// A stream that is not read buffers the newest 256.
package final class Listeners<Event: Sendable>: Sendable {
    private struct State {
        var nextID = 0
        var continuations: [Int: AsyncStream<Event>.Continuation] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns a stream of the events from now on.
    package func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(256))
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

    /// Sends an event to all streams.
    package func send(_ event: Event) {
        let continuations = state.withLock { Array($0.continuations.values) }
        for continuation in continuations { continuation.yield(event) }
    }

    deinit {
        for continuation in state.withLock({ Array($0.continuations.values) }) {
            continuation.finish()
        }
    }
}
