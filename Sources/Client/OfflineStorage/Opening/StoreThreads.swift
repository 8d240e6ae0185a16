import Foundation

/// The threads on which blocking calls of stores run for `async` callers.
///
/// A store waits for disks and for other processes, up to ten seconds; the threads of Swift's own pool, one
/// a core, must not.
package enum StoreThreads {
    /// The number of calls that run at the same time; further ones wait in their order.
    static let callsMax = 4

    private static let queue: OperationQueue = {
        let queue = OperationQueue()
        queue.name = "underway.store"
        queue.maxConcurrentOperationCount = callsMax
        queue.qualityOfService = .userInitiated
        return queue
    }()

    /// Runs a blocking call and returns its result.
    ///
    /// Cancellation does not stop a call: a transaction ends as a whole.
    /// - Throws: An error of `body`.
    package static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Result(catching: body)) }
        }
    }
}
