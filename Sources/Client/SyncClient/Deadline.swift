/// Runs `body`, and cancels it when it takes longer than `limit`.
///
/// The body is awaited even then, so nothing of it runs on afterwards.
/// - Throws: `TransportError` `timedOut` at the limit, `cancelled` when the caller was, or what the
///   body throws.
func withDeadline<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    do {
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: limit)
                throw TransportError(.timedOut, "No complete answer within \(limit).")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    } catch {
        // A network that was cancelled may call it by another name.
        throw Task.isCancelled ? TransportError.cancelled : error
    }
}
