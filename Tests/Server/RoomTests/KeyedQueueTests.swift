import Synchronization
import Testing

@testable import Ledger
@testable import Tables

/// The queue of one account's writes.
@Suite struct KeyedQueueTests {
    /// Writes that end when the test says so, and what became of them.
    private final class Gate: Sendable {
        private let turns = Mutex<[CheckedContinuation<Void, Never>]>([])
        let running = Mutex(0)

        func pass() async {
            running.withLock { $0 += 1 }
            await withCheckedContinuation { turn in turns.withLock { $0.append(turn) } }
            running.withLock { $0 -= 1 }
        }

        /// Lets one write end, once there is one.
        func open() async {
            while true {
                if let turn = turns.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
                    return turn.resume()
                }
                await Task.yield()
            }
        }
    }

    @Test func writesOfAnAccountFollowEachOther() async throws {
        let (lanes, gate) = (KeyedQueue(waitersMax: 64), Gate())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { try await lanes.run("u") { await gate.pass() } } }
            for _ in 0..<20 {
                await gate.open()
                #expect(gate.running.withLock { $0 } <= 1)
            }
            try await group.waitForAll()
        }
    }

    @Test func anotherAccountDoesNotWait() async throws {
        let (lanes, gate) = (KeyedQueue(waitersMax: 1), Gate())
        async let first: Void = lanes.run("u") { await gate.pass() }
        #expect(try await lanes.run("v") { 7 } == 7)
        await gate.open()
        try await first
    }

    @Test func tooManyAreRefusedAndAnErrorFreesTheLane() async throws {
        struct Failure: Error {}
        let (lanes, gate) = (KeyedQueue(waitersMax: 0), Gate())
        async let first: Void = lanes.run("u") { await gate.pass() }
        while gate.running.withLock({ $0 == 0 }) { await Task.yield() }
        await #expect(throws: StorageError.busy) { try await lanes.run("u") {} }
        await gate.open()
        try await first
        await #expect(throws: Failure.self) { try await lanes.run("u") { throw Failure() } }
        #expect(try await lanes.run("u") { 1 } == 1)
    }
}
