import ServiceAPI
import Synchronization
import Tables

/// The queue of each account's writes in this process: one at a time uses the storage.
///
/// The storage serializes the writes of one account anyway. A write that waits here occupies no connection and no turn
/// of the writer, which other users need.
final class KeyedQueue: Sendable {
    /// Those who wait, by account; an account is there while one of its writes runs.
    private let waiting = Mutex<[String: [CheckedContinuation<Void, any Error>]]>([:])
    private let waitersMax: Int

    init(waitersMax: Int = ServiceLimits.waitingAccountWritesMax) { self.waitersMax = waitersMax }

    /// Runs a write when those of the same account that came before have ended.
    ///
    /// - Throws: `StorageError` `busy` when too many wait, or what `body` throws.
    func run<Value>(_ account: String, _ body: () async throws -> Value) async throws -> Value {
        try await enter(account)
        defer { leave(account) }
        return try await body()
    }

    private func enter(_ account: String) async throws {
        try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = waiting.withLock { waiting in
                guard let others = waiting[account] else {
                    waiting[account] = []
                    return .success(())
                }
                guard others.count < waitersMax else { return .failure(StorageError.busy) }
                waiting[account]?.append(turn)
                return nil
            }
            if let outcome { turn.resume(with: outcome) }
        }
    }

    private func leave(_ account: String) {
        let next = waiting.withLock { waiting -> CheckedContinuation<Void, any Error>? in
            guard waiting[account]?.isEmpty == false else {
                waiting[account] = nil
                return nil
            }
            return waiting[account]?.removeFirst()
        }
        next?.resume()
    }
}
