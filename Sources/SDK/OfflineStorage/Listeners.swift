import Synchronization

/// A broadcast of events to any number of streams.
///
/// A stream that is not read buffers the newest 256.
package final class Listeners<Event: Sendable>: Sendable {
    private struct Listener {
        let yield: @Sendable (Event) -> Void
        let finish: @Sendable () -> Void
    }

    private struct State {
        var nextID = 0
        var listeners: [Int: Listener] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Returns a stream of the events from now on, which buffers the newest 256.
    package func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Event.self, bufferingPolicy: .bufferingNewest(256))
        add(continuation) { continuation.yield($0) }
        return stream
    }

    /// Returns a stream of signals: one for all events that arrive while the previous one is handled.
    ///
    /// It suits a reader that reloads everything: a hundred events in a row then cost one or two reads.
    ///
    /// - Parameter isWanted: True for an event that is signalled.
    /// - Returns: The stream; it ends with this broadcast.
    package func signals(
        where isWanted: @escaping @Sendable (Event) -> Bool = { _ in true }
    ) -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Void.self, bufferingPolicy: .bufferingNewest(1))
        add(continuation) { if isWanted($0) { continuation.yield() } }
        return stream
    }

    private func add<Element>(
        _ continuation: AsyncStream<Element>.Continuation,
        _ yield: @escaping @Sendable (Event) -> Void
    ) {
        let id = state.withLock { state in
            state.nextID += 1
            state.listeners[state.nextID] = Listener(
                yield: yield, finish: { continuation.finish() })
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[id] = nil }
        }
    }

    /// Sends an event to all streams.
    package func send(_ event: Event) {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.yield(event) }
    }

    deinit {
        for listener in state.withLock({ Array($0.listeners.values) }) { listener.finish() }
    }
}
