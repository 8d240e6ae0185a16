import Dispatch
import ServiceAPI
import Synchronization
import Testing

@testable import ContentServer

@Suite struct BoundedThreadPoolTests {
    /// Ends when told, on a thread of its own.
    private final class Work: Sendable {
        let begun = Mutex((running: 0, most: 0))
        let end = DispatchSemaphore(value: 0)
        let (starts, continuation) = AsyncStream.makeStream(of: Void.self)

        func run() {
            begun.withLock {
                $0.running += 1
                $0.most = max($0.most, $0.running)
            }
            continuation.yield()
            end.wait()
            begun.withLock { $0.running -= 1 }
        }
    }

    @Test func aFewRunSomeWaitAndTheRestIsTurnedAway() async throws {
        let gate = BoundedThreadPool(waitingMax: 2)
        let work = Work()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<ServiceLimits.parsesMax {
                group.addTask { try await gate.run { work.run() } }
            }
            var starts = work.starts.makeAsyncIterator()
            for _ in 0..<ServiceLimits.parsesMax { await starts.next() }
            for _ in 0..<2 { group.addTask { try await gate.run { work.run() } } }
            while gate.count < ServiceLimits.parsesMax + 2 { await Task.yield() }
            let error = await #expect(throws: RequestError.self) { try await gate.run {} }
            #expect(error?.code == .busy && error?.retryAfterSeconds == 2)
            for _ in 0..<(ServiceLimits.parsesMax + 2) { work.end.signal() }
            try await group.waitForAll()
        }
        #expect(work.begun.withLock { $0.most } == ServiceLimits.parsesMax)
        #expect(try await gate.run { 7 } == 7)
    }

    @Test func bytesOfBodiesAreBoundedForEachAddressAndForAll() throws {
        let budget = BodyBudget(bytesMax: 100, addressBytesMax: 60)
        try budget.reserve(60, for: "a")
        #expect(throws: RequestError.self) { try budget.reserve(1, for: "a") }
        try budget.reserve(40, for: "b")
        #expect(throws: RequestError.self) { try budget.reserve(1, for: "c") }
        budget.release(60, of: "a")
        try budget.reserve(60, for: "c")
    }
}
