import Synchronization

/// A count of a download's bytes, which its deadline watches.
final class Arrivals: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add(_ bytes: Int) { count.wrappingAdd(bytes, ordering: .relaxed) }
}

/// Runs `body`, and cancels it at `limit`.
///
/// The body is awaited even then, so no part of it continues afterwards.
/// - Throws: `TransportError` `timedOut` at the limit, `cancelled` when the caller was, or the error of
///   the body.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withDeadline(limit, bytesMin: .max) { _ in try await body() }
}

/// Runs a download, and cancels it when fewer than `bytesMin` bytes arrive in one `window` of time.
///
/// So a download with progress may take any time, and a stalled one ends within two windows.
/// - Throws: As `withDeadline(_:_:)`.
func withDeadline<Value: Sendable>(
    _ window: Duration, bytesMin: Int,
    _ body: @escaping @Sendable (Arrivals) async throws -> Value
) async throws -> Value {
    let arrivals = Arrivals()
    do {
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body(arrivals) }
            group.addTask {
                var before = 0
                while true {
                    try await Task.sleep(for: window)
                    let now = arrivals.value
                    guard now - before >= bytesMin else {
                        throw TransportError(.timedOut, overdue(window, bytes: now - before))
                    }
                    before = now
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    } catch {
        // A cancelled network may throw another error.
        throw Task.isCancelled ? TransportError.cancelled : error
    }
}

private func overdue(_ window: Duration, bytes: Int) -> String {
    bytes == 0
        ? "No complete answer within \(window)."
        : "The answer is too slow: \(bytes) bytes within \(window)."
}
