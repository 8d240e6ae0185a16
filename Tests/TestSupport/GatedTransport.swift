public import SyncClient
import Synchronization

/// A network that stops at a chosen moment until it is cancelled, and says then what a test wants.
///
/// Its moments are counted from 0: each request before it is sent, each before its head is given
/// back, and each piece of a body.
public final class GatedTransport: Transport {
    /// What a cancelled network does.
    public enum Manner: Sendable, CaseIterable {
        /// Throws its own error.
        case saysSo
        /// Throws `CancellationError`.
        case throwsCancellation
        /// Calls it a broken connection.
        case saysOffline
        /// Goes on as if nothing had happened.
        case goesOn
    }

    private struct State {
        var moment = 0
        var gate: Int?
        var manner = Manner.saysSo
        var isCancelled = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let inner: any Transport
    private let state = Mutex(State())
    private let arrivals = AsyncStream.makeStream(of: Void.self)

    public init(_ inner: any Transport) { self.inner = inner }

    /// The moments so far.
    public var moments: Int { state.withLock { $0.moment } }

    /// Counts from 0 again, and stops at a moment; `nil` for none.
    public func stop(at gate: Int?, _ manner: Manner = .saysSo) {
        state.withLock { $0 = State(gate: gate, manner: manner) }
    }

    /// Waits until the moment has come.
    public func arrived() async { for await _ in arrivals.stream { return } }

    /// Lets what waits go on.
    public func open() {
        let waiter = state.withLock { state in
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }

    public func send(_ request: TransportRequest) async throws -> TransportResponse {
        try await pass()
        var response = try await inner.send(request)
        try await pass()
        let body = Body(response.body)
        response.body = AsyncThrowingStream { [self] in
            try await pass()
            return try await body.next()
        }
        return response
    }

    private func pass() async throws {
        let manner = state.withLock { state -> Manner? in
            defer { state.moment += 1 }
            return state.moment == state.gate ? state.manner : nil
        }
        guard let manner else { return }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isCancelled = state.withLock { state in
                    if !state.isCancelled { state.waiter = continuation }
                    return state.isCancelled
                }
                arrivals.continuation.yield()
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.isCancelled = true
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume()
        }
        switch manner {
        case .saysSo: throw TransportError(.cancelled, "cancelled")
        case .throwsCancellation: throw CancellationError()
        case .saysOffline: throw TransportError(.offline, "the connection broke")
        case .goesOn: return
        }
    }

    /// The pieces of a body, one reader at a time.
    private actor Body {
        private var iterator: AsyncThrowingStream<[UInt8], any Error>.Iterator?
        private let stream: AsyncThrowingStream<[UInt8], any Error>

        init(_ stream: AsyncThrowingStream<[UInt8], any Error>) { self.stream = stream }

        func next() async throws -> [UInt8]? {
            var iterator = self.iterator ?? stream.makeAsyncIterator()
            defer { self.iterator = iterator }
            return try await iterator.next(isolation: #isolation)
        }
    }
}
