public import SyncClient

/// A line that all answers share, with so many bytes a second.
public actor SlowLine {
    private let bytesPerSecond: Double
    private var freeAt = ContinuousClock.now

    public init(bytesPerSecond: Int) { self.bytesPerSecond = Double(bytesPerSecond) }

    /// The same response at the line's pace.
    public nonisolated func slowed(_ response: TransportResponse) -> TransportResponse {
        var slow = response
        let body = response.body
        slow.body = AsyncThrowingStream { continuation in
            let work = Task {
                do {
                    for try await piece in body {
                        try await self.carry(piece.count)
                        continuation.yield(piece)
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in work.cancel() }
        }
        return slow
    }

    private func carry(_ bytes: Int) async throws {
        // What a busy machine missed it may make up for.
        freeAt = max(freeAt, .now - .milliseconds(200)) + .seconds(Double(bytes) / bytesPerSecond)
        try await Task.sleep(until: freeAt)
    }
}
