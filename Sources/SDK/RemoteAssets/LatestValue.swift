import Synchronization

/// A value and its followers: each gets the present value and, of later ones, at least the newest.
package final class LatestValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextID = 0
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    private let bufferedMax: Int

    /// Starts with a value.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - bufferedMax: The maximum number of values buffered for a slow follower.
    package init(_ value: Value, bufferedMax: Int = 1) {
        state = Mutex(State(value: value))
        self.bufferedMax = bufferedMax
    }

    /// The present value.
    package var value: Value { state.withLock { $0.value } }

    /// Replaces the value; followers see values in the order of the calls.
    package func set(_ value: Value) { update { $0 = value } }

    /// Changes the value under the lock.
    package func update(_ change: (inout Value) -> Void) {
        state.withLock { state in
            change(&state.value)
            for follower in state.followers.values { follower.yield(state.value) }
        }
    }

    /// Replaces the value without notifying followers.
    func setQuietly(_ value: Value) { state.withLock { $0.value = value } }

    /// Returns a stream of the present value and each newer one; it ends with this object.
    package func stream() -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(bufferedMax))
        let id = state.withLock { state in
            state.nextID += 1
            state.followers[state.nextID] = continuation
            continuation.yield(state.value)
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.followers[id] = nil }
        }
        return stream
    }

    /// Returns a stream of parts of the values; values without one are skipped.
    func stream<Part>(_ part: @escaping @Sendable (Value) -> Part?) -> AsyncStream<Part> {
        let values = stream()
        return AsyncStream {
            for await value in values {
                if let part = part(value) { return part }
            }
            return nil
        }
    }

    deinit {
        for follower in state.withLock({ Array($0.followers.values) }) { follower.finish() }
    }
}
