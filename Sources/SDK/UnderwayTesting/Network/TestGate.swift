import SyncClient
import Synchronization

/// A gate at which requests wait until a test opens it, so that no test sleeps.
///
/// ```swift
/// let gate = network.holdRequests(for: "manifest.json")
/// async let report = sync.sync()
/// await gate.arrival()  // the request waits; whatever happens meanwhile can be tested now
/// gate.open()
/// print(await report.outcome)
/// ```
public final class TestGate: Sendable {
    private struct State {
        var isOpen = false
        var nextID = 0
        var arrivedCount = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
        var cancelled: Set<Int> = []
        var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Removes the watchers whose number of requests has arrived.
        mutating func takeWatchers() -> [CheckedContinuation<Void, Never>] {
            let ready = watchers.filter { $0.count <= arrivedCount }.map(\.continuation)
            watchers.removeAll { $0.count <= arrivedCount }
            return ready
        }
    }

    private let state = Mutex(State())

    /// Creates a closed gate.
    public init() {}

    /// Releases all waiting requests, and those that arrive later.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until requests have arrived at the gate.
    ///
    /// - Parameter count: The number of requests since the gate was created.
    public func arrival(of count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isHere = state.withLock { state in
                if state.arrivedCount < count { state.watchers.append((count, continuation)) }
                return state.arrivedCount >= count
            }
            if isHere { continuation.resume() }
        }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `TransportError` `cancelled` at once when the task is cancelled.
    func pass() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enter(id, continuation)
            }
        } onCancel: {
            leave(id)
        }
    }

    private func enter(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
        let (result, watchers) = state.withLock { state in
            state.arrivedCount += 1
            var result: Result<Void, any Error>?
            if state.cancelled.remove(id) != nil {
                result = .failure(Self.cancellation)
            } else if state.isOpen {
                result = .success(())
            } else {
                state.waiting[id] = continuation
            }
            return (result, state.takeWatchers())
        }
        if let result { continuation.resume(with: result) }
        for watcher in watchers { watcher.resume() }
    }

    private func leave(_ id: Int) {
        let continuation = state.withLock { state in
            let continuation = state.waiting.removeValue(forKey: id)
            // Cancelled before it waits, or after it went on.
            if continuation == nil { state.cancelled.insert(id) }
            return continuation
        }
        continuation?.resume(throwing: Self.cancellation)
    }

    private static let cancellation = TransportError(.cancelled, "The request was cancelled.")
}
