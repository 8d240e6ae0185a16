import NIOCore
package import ServiceAPI
import ServiceLifecycle
import Synchronization

/// The broadcast of events about content under development to every connected app.
///
/// An app that connects later first receives the last valid event of each kind.
package final class DevelopmentBroadcast: Service {
    /// The maximum number of connected apps.
    package static let listenersMax = 100
    /// The interval of heartbeats on a silent stream.
    static let heartbeatInterval = Duration.seconds(10)

    private struct State {
        var nextID = 0
        var listeners: [Int: AsyncStream<ByteBuffer>.Continuation] = [:]
        var release: DevelopmentEvent?
        var trouble: DevelopmentEvent?
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Creates a broadcast without an event.
    package init() {}

    /// Sends an event to all listeners.
    package func send(_ event: DevelopmentEvent) {
        state.withLock { state in
            if case .release = event {
                (state.release, state.trouble) = (event, nil)
            } else {
                state.trouble = event
            }
        }
        yield(ByteBuffer(bytes: event.message.bytes))
    }

    /// Sends heartbeats to silent streams, and ends all streams at a graceful shutdown.
    package func run() async throws {
        // Cancelled at shutdown, which ends the streams.
        try? await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                try await Task.sleep(for: Self.heartbeatInterval)
                self.yield(ByteBuffer(bytes: EventMessage.heartbeat))
            }
        }
        let listeners = state.withLock { state in
            state.hasEnded = true
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }

    private func yield(_ bytes: ByteBuffer) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(bytes) }
    }

    /// Adds a listener.
    ///
    /// - Returns: The bytes for it, of which a slow reader misses all but the newest 64 events;
    ///   `nil` when there are too many listeners.
    func listen() -> AsyncStream<ByteBuffer>? {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ByteBuffer.self, bufferingPolicy: .bufferingNewest(64))
        let id: Int? = state.withLock { state in
            guard state.listeners.count < Self.listenersMax, !state.hasEnded else { return nil }
            state.nextID += 1
            state.listeners[state.nextID] = continuation
            for event in [state.release, state.trouble].compactMap({ $0 }) {
                continuation.yield(ByteBuffer(bytes: event.message.bytes))
            }
            return state.nextID
        }
        guard let id else { return nil }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }
}
