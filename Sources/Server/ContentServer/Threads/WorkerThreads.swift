import CCompression
import Dispatch
import Foundation
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Threads for one kind of long computation, separate from those that serve requests.
///
/// On Linux, tasks and queues of Dispatch share one pool with a thread for each core, so a long computation there
/// delays every request. Jobs run in the order of their arrival; the caller bounds their number. The threads live as
/// long as the process.
package final class WorkerThreads: Sendable {
    private typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var jobCount = 0
        var processorNanoseconds: Int64 = 0
    }

    private let state = Mutex(State())
    private let arrivals = DispatchSemaphore(value: 0)

    /// Starts threads.
    ///
    /// - Parameters:
    ///   - name: The name of the threads, at most 15 bytes.
    ///   - count: The number of threads.
    package init(_ name: String, count: Int) {
        for _ in 0..<count {
            let thread = Thread { [self] in
                // `Thread.name` does nothing where the thread runs before `start` has returned.
                underway_name_thread(name)
                work()
            }
            thread.start()
        }
    }

    /// Runs a job on one of the threads.
    ///
    /// - Returns: The result of the job.
    /// - Throws: The error of the job.
    package func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let job: Job = { [self] in
                let start = underway_thread_time()
                let result = Result { try body() }
                let used = underway_thread_time() - start
                // Counted before the caller goes on.
                state.withLock {
                    $0.jobCount += 1
                    $0.processorNanoseconds += used
                }
                continuation.resume(with: result)
            }
            state.withLock { $0.jobs.append(job) }
            arrivals.signal()
        }
    }

    /// The number of completed jobs.
    package var jobCount: Int { state.withLock { $0.jobCount } }

    /// The processor time of all completed jobs.
    package var processorTime: Duration {
        .nanoseconds(state.withLock { $0.processorNanoseconds })
    }

    private func work() {
        yieldToRequests()
        while true {
            arrivals.wait()
            state.withLock { $0.jobs.removeFirst() }()
        }
    }

    /// Lowers the priority of the calling thread a little, so that requests are served first where cores are few.
    ///
    /// Half of a request's share: with a tenth, others' work on the machine holds a password up for ten times its own time.
    private func yieldToRequests() {
        #if os(Linux)
        // Linux counts niceness by thread: 0 is the calling one, not the process.
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 3)
        #endif
    }
}
