public import Testing

/// What a call did not do in time.
public struct Overdue: Error, CustomStringConvertible {
    public var description: String
}

/// Waits for a call, but not for ever: fails loudly where a test would hang.
///
/// The call is left to itself when it is overdue.
public func within<Value: Sendable>(
    _ limit: Duration = .seconds(20), _ what: @autoclosure () -> String = "the call",
    sourceLocation: SourceLocation = #_sourceLocation,
    _ call: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, any Error>.self)
    let work = Task {
        do { continuation.yield(.success(try await call())) } catch {
            continuation.yield(.failure(error))
        }
    }
    let watchdog = Task {
        // Cancelled when the call returned in time.
        guard (try? await Task.sleep(for: limit)) != nil else { return }
        continuation.finish()
    }
    defer { watchdog.cancel() }
    for await result in results { return try result.get() }
    work.cancel()
    let overdue = Overdue(description: "\(what()) did not return within \(limit)")
    Issue.record(overdue, sourceLocation: sourceLocation)
    throw overdue
}
