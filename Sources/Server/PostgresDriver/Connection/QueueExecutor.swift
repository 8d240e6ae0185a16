import Dispatch

/// Runs the jobs of an actor on a queue of its own, whose thread may block.
///
/// `@unchecked Sendable`: the only member is a queue, which is safe to use from every thread; Dispatch on Linux does not
/// declare it.
final class QueueExecutor: SerialExecutor, @unchecked Sendable {
    private let queue: DispatchQueue

    init(label: String) { queue = DispatchQueue(label: label) }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
