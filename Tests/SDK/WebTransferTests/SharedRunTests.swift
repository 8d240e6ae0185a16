import Synchronization
import TestSupport
import Testing

@testable import RemoteAssets

@Suite struct SharedRunTests {
    /// Work that ends when it is told to, or cancelled.
    private final class Work: Sendable {
        private struct State {
            var started = 0
            var cancelled = 0
            var running = 0
            var mostRunning = 0
        }

        private let state = Mutex(State())
        private let starts = AsyncStream.makeStream(of: Void.self)
        private let gate = AsyncStream.makeStream(of: Void.self)

        var started: Int { state.withLock { $0.started } }
        var cancelled: Int { state.withLock { $0.cancelled } }
        var mostRunning: Int { state.withLock { $0.mostRunning } }

        func open() { gate.continuation.yield() }
        func begun() async { for await _ in starts.stream { return } }

        func run() async -> Int {
            let number = state.withLock { state in
                state.started += 1
                state.running += 1
                state.mostRunning = max(state.mostRunning, state.running)
                return state.started
            }
            starts.continuation.yield()
            for await _ in gate.stream { break }
            state.withLock { state in
                state.running -= 1
                state.cancelled += Task.isCancelled ? 1 : 0
            }
            return number
        }
    }

    /// How many run now, and at most.
    private final class Running: Sendable {
        private let counts = Mutex((now: 0, most: 0))

        var most: Int { counts.withLock { $0.most } }

        func begin() {
            counts.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
        }

        func end() { counts.withLock { $0.now -= 1 } }
    }

    @Test func aCallerThatLeavesTakesNobodyAlong() async throws {
        let runs = SharedRun<Int>()
        let work = Work()
        let first = Task { await runs.value { await work.run() } }
        await work.begun()
        let (entries, entered) = AsyncStream.makeStream(of: Void.self)
        let second = Task {
            entered.yield()
            return await runs.value { await work.run() }
        }
        for await _ in entries { break }
        // The second may not be waiting yet; a third that is started now begins after the first left.
        await Task.yield()
        first.cancel()
        #expect(try await within { await first.value } == nil)
        work.open()
        work.open()
        #expect(try await within { await second.value } != nil)
        #expect(work.mostRunning == 1)
    }

    @Test func theLastToLeaveCancelsTheWork() async throws {
        let runs = SharedRun<Int>()
        let work = Work()
        let only = Task { await runs.value { await work.run() } }
        await work.begun()
        only.cancel()
        #expect(try await within { await only.value } == nil)
        // Whoever comes now gets a run of its own.
        let next = Task { await runs.value { 99 } }
        #expect(try await within { await next.value } == 99)
        #expect(work.cancelled == 1)
    }

    @Test func aCancelledTaskStartsNothing() async throws {
        let runs = SharedRun<Int>()
        let work = Work()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await runs.value { await work.run() }
        }
        #expect(try await within { await task.value } == nil)
        #expect(work.started == 0)
    }

    @Test func aCallerThatWantsItNewGetsALaterRun() async throws {
        let runs = SharedRun<Int>()
        let work = Work()
        let first = Task { await runs.value { await work.run() } }
        await work.begun()
        let second = Task { await runs.value(anew: true) { 7 } }
        for _ in 0..<100 { await Task.yield() }
        work.open()
        #expect(try await within { await first.value } == 1)
        #expect(try await within { await second.value } == 7)
    }

    /// Callers come and leave at random; each gets a value or `nil`, and no two runs overlap.
    @Test func nobodyWaitsForEver() async throws {
        for seed: UInt64 in 1...2000 {
            var random = SeededGenerator(seed: seed)
            let runs = SharedRun<Int>()
            let running = Running()
            let waits = (0..<6).map { _ in Int.random(in: 0...6, using: &random) }
            let callers = waits.map { wait in
                Task {
                    for _ in 0..<wait { await Task.yield() }
                    return await runs.value(anew: wait == 3) {
                        running.begin()
                        for _ in 0..<wait where !Task.isCancelled { await Task.yield() }
                        running.end()
                        return wait
                    }
                }
            }
            var isLeft = callers.map { _ in false }
            for (index, caller) in callers.enumerated() where Bool.random(using: &random) {
                for _ in 0..<Int.random(in: 0...4, using: &random) { await Task.yield() }
                caller.cancel()
                isLeft[index] = true
            }
            for (caller, hasLeft) in zip(callers, isLeft) {
                let value = try await within(.seconds(300), "seed \(seed)") { await caller.value }
                if !hasLeft { #expect(value != nil, "seed \(seed)") }
            }
            #expect(running.most <= 1, "seed \(seed)")
        }
    }
}
