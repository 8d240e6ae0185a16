import Foundation

/// The threads on which blocking calls of stores run for `async` callers.
///
/// A store waits for disks and for other processes, up to ten seconds; the threads of Swift's own pool, one
/// a core, must not.
enum StoreThreads {
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
    static func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.addOperation { continuation.resume(with: Result(catching: body)) }
        }
    }
}

extension OfflineStore {
    /// Calls functions of the store on a thread of its own, for `async` callers such as the main actor.
    ///
    /// ```swift
    /// let bank = try await store.perform { try $0.blueprint(.placement(language: "es")) }
    /// ```
    ///
    /// Cancellation does not stop a call that has begun. Calls that are awaited one after the other run in that
    /// order; at most four run at the same time.
    /// - Parameter body: Calls the store; between its calls, other callers may write.
    /// - Returns: The result of `body`.
    /// - Throws: An error of `body`.
    public func perform<Value: Sendable>(
        _ body: @escaping @Sendable (OfflineStore) throws -> Value
    ) async throws -> Value {
        try await StoreThreads.run { try body(self) }
    }
}

extension UserStore {
    /// Calls functions of the store on a thread of its own, for `async` callers such as the main actor.
    ///
    /// ```swift
    /// try await userData.perform { try $0.put(Favourite(bank: "es"), id: "es-001") }
    /// ```
    ///
    /// Cancellation does not stop a call that has begun. Calls that are awaited one after the other run in that
    /// order; at most four run at the same time.
    /// - Parameter body: Calls the store. Each call is one transaction: ``write(now:_:)`` commits several changes
    ///   atomically.
    /// - Returns: The result of `body`.
    /// - Throws: An error of `body`.
    public func perform<Value: Sendable>(
        _ body: @escaping @Sendable (UserStore) throws -> Value
    ) async throws -> Value {
        try await StoreThreads.run { try body(self) }
    }
}
