import Synchronization

/// A value with everyone who follows it: each gets the present one and, of those that come, at least
/// the newest.
final class LatestValue<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var nextID = 0
        var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    }

    private let state: Mutex<State>

    private let bufferedMax: Int

    /// Starts with a value; `bufferedMax` of them wait for a slow follower.
    init(_ value: Value, bufferedMax: Int = 1) {
        state = Mutex(State(value: value))
        self.bufferedMax = bufferedMax
    }

    var value: Value { state.withLock { $0.value } }

    /// Replaces the value; the order in which followers see values is that of the calls.
    func set(_ value: Value) {
        state.withLock { state in
            state.value = value
            for follower in state.followers.values { follower.yield(value) }
        }
    }

    /// Replaces the value by one that is no news to followers.
    func setQuietly(_ value: Value) { state.withLock { $0.value = value } }

    func stream() -> AsyncStream<Value> {
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

    /// Parts of the values; those without one are passed over.
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
