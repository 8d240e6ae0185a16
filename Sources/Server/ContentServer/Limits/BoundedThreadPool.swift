import NIOPosix
import ServiceAPI
import Synchronization

/// A bounded pool of threads for parsing request bodies, apart from the threads that serve files and health checks.
package final class BoundedThreadPool: Sendable {
    /// The threads of request bodies, which live as long as the process.
    private static let shared = started(ServiceLimits.parsesMax)

    private let pool: NIOThreadPool
    private let threads: Int
    private let waitingMax: Int
    private let entered = Mutex(0)

    /// Creates a gate to the threads that all request bodies share.
    package init(waitingMax: Int = ServiceLimits.waitingParsesMax) {
        (pool, threads) = (Self.shared, ServiceLimits.parsesMax)
        self.waitingMax = waitingMax
    }

    /// Creates a gate to separate threads, which live as long as the process, for work that takes seconds.
    package init(threads: Int, waitingMax: Int) {
        pool = Self.started(threads)
        self.threads = threads
        self.waitingMax = waitingMax
    }

    private static func started(_ threads: Int) -> NIOThreadPool {
        let pool = NIOThreadPool(numberOfThreads: threads)
        pool.start()
        return pool
    }

    /// The number of jobs that run or are queued.
    var count: Int { entered.withLock { $0 } }

    /// Runs a job on the pool.
    ///
    /// - Returns: The result of the job.
    /// - Throws: `RequestError` `busy` if the queue is full (retry later), or the job's error.
    package func run<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        let isAdmitted = entered.withLock { count in
            guard count < threads + waitingMax else { return false }
            count += 1
            return true
        }
        guard isAdmitted else { throw RequestError.overloaded }
        defer { entered.withLock { $0 -= 1 } }
        return try await pool.runIfActive(work)
    }
}

/// The limits on request bodies in memory, in bytes, in total and per address.
package final class BodyBudget: Sendable {
    private struct State {
        var all = 0
        var addresses: [String: Int] = [:]
    }

    private let bytesMax: Int
    private let addressBytesMax: Int
    private let state = Mutex(State())

    package init(
        bytesMax: Int = ServiceLimits.bodiesBytesMax,
        addressBytesMax: Int = ServiceLimits.addressBodiesBytesMax
    ) {
        self.bytesMax = bytesMax
        self.addressBytesMax = addressBytesMax
    }

    /// Reserves the bytes of a received body.
    ///
    /// - Throws: `RequestError` `busy` at a limit (retry later); then nothing is reserved.
    package func reserve(_ count: Int, for address: String) throws {
        let isTaken = state.withLock { state in
            let mine = state.addresses[address, default: 0]
            guard state.all + count <= bytesMax, mine + count <= addressBytesMax else {
                return false
            }
            state.all += count
            state.addresses[address] = mine + count
            return true
        }
        guard isTaken else { throw RequestError.overloaded }
    }

    /// Releases reserved bytes.
    package func release(_ count: Int, of address: String) {
        state.withLock { state in
            state.all -= count
            let mine = state.addresses[address, default: 0] - count
            state.addresses[address] = mine > 0 ? mine : nil
        }
    }
}
