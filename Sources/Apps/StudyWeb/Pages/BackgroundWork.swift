import ServiceLifecycle
import Synchronization

/// Work that a request begins and that outlives it, such as a sync: at most one of each name.
///
/// It runs in ``run()``, as a service of the app, so that it ends with the app.
final class BackgroundWork: Service {
    private struct Job: Sendable {
        var name: String
        var body: @Sendable () async -> Void
        /// Ends when the job is to be cancelled.
        var cancellation: AsyncStream<Void>
    }

    private let jobs: AsyncStream<Job>
    private let queue: AsyncStream<Job>.Continuation
    private let running = Mutex<[String: AsyncStream<Void>.Continuation]>([:])

    init() { (jobs, queue) = AsyncStream.makeStream() }

    /// Begins a job; does nothing while one of its name has not ended.
    func start(_ name: String, _ body: @escaping @Sendable () async -> Void) {
        let (cancellation, cancel) = AsyncStream<Void>.makeStream()
        let isNew = running.withLock { running in
            guard running[name] == nil else { return false }
            running[name] = cancel
            return true
        }
        if isNew { queue.yield(Job(name: name, body: body, cancellation: cancellation)) }
    }

    /// Returns true from ``start(_:_:)`` until the job has ended.
    func isRunning(_ name: String) -> Bool { running.withLock { $0[name] != nil } }

    /// Cancels a job, if it is there.
    func cancel(_ name: String) { running.withLock { $0[name] }?.finish() }

    /// Runs the jobs until the app shuts down, which cancels them.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                for await job in self.jobs { group.addTask { await self.perform(job) } }
            }
        }
    }

    private func perform(_ job: Job) async {
        await withTaskGroup { race in
            race.addTask { await job.body() }
            race.addTask { for await _ in job.cancellation {} }
            await race.next()
            race.cancelAll()
        }
        running.withLock { $0[job.name] = nil }
    }
}
