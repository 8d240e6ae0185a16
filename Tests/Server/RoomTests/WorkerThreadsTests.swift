import Foundation
import ServiceAPI
import Synchronization
import Testing

@testable import Accounts
@testable import ContentServer

@Suite struct WorkerThreadsTests {
    private static var threadName: String { Thread.current.name ?? "" }

    @Test func noSharedThreadComputesAHash() async throws {
        let queue = PasswordQueue()
        let names = try await withThrowingTaskGroup(of: String.self) { group in
            for address in 0..<20 {
                group.addTask { try await queue.run(for: "\(address)") { Self.threadName } }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(names == ["passwords"])
        // What runs beside them has other threads, so no job can take one of theirs.
        let shared = await withTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { Self.threadName } }
            return await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(!shared.contains("passwords"))
    }

    /// Jobs that wait until they are released.
    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let begun = Mutex(0)

        var count: Int { begun.withLock { $0 } }

        func wait() {
            begun.withLock { $0 += 1 }
            semaphore.wait()
        }

        func open(_ count: Int) { for _ in 0..<count { semaphore.signal() } }
    }

    @Test func requestsAreServedWhileAllThreadsOfPasswordsAreBusy() async throws {
        let (queue, gate) = (PasswordQueue(), Gate())
        let jobCount = ServiceLimits.passwordChecksMax + 4
        try await withThrowingTaskGroup { group in
            for address in 0..<jobCount {
                group.addTask { try await queue.run(for: "\(address)") { gate.wait() } }
            }
            while gate.count < ServiceLimits.passwordChecksMax { await Task.yield() }
            let served = await withTaskGroup { requests in
                for _ in 0..<200 { requests.addTask { await Task.yield() } }
                return await requests.reduce(0) { count, _ in count + 1 }
            }
            #expect(served == 200)
            // No more than the bound began meanwhile.
            #expect(gate.count == ServiceLimits.passwordChecksMax)
            gate.open(jobCount)
            try await group.waitForAll()
        }
    }

    @Test func jobsAreCountedWithTheirProcessorTime() async throws {
        let threads = WorkerThreads("counted", count: 1)
        let failure = await #expect(throws: RequestError.self) {
            try await threads.run { throw RequestError.passwordsAreBusy }
        }
        #expect(failure?.code == .busy)
        let sum = try await threads.run { (0..<100_000).reduce(0) { $0 &+ $1 &* $1 } }
        #expect(sum != 0)
        // The count follows the result: the next job sees it.
        let (count, time) = try await threads.run { (threads.jobCount, threads.processorTime) }
        #expect(count == 2 && time > .zero)
    }
}
