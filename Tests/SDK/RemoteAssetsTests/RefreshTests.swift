import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

@testable import RemoteAssets

@Suite struct RefreshTests {
    /// A source that answers when the test says so.
    private actor Gate {
        private(set) var questions = 0
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var askers: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false

        func ask() async -> Int {
            questions += 1
            for asker in askers { asker.resume() }
            askers = []
            let number = questions
            if !isOpen { await withCheckedContinuation { waiting.append($0) } }
            return number
        }

        /// Returns once somebody asks.
        func asked() async {
            if questions == 0 { await withCheckedContinuation { askers.append($0) } }
        }

        func open() {
            isOpen = true
            for one in waiting { one.resume() }
            waiting = []
        }
    }

    private func provider(_ gate: Gate, failsWhenCancelled: Bool = false) -> DataProvider {
        DataProvider { _ in
            let number = await gate.ask()
            if failsWhenCancelled, Task.isCancelled { throw AssetError(.offline, "it broke") }
            return .data(Data("\(number)".utf8), AssetTag(entityTag: "\(number)"))
        }
    }

    @Test func refreshesInFlightAreShared() async throws {
        let gate = Gate()
        let asset = try AssetFixture().open(provider: provider(gate))
        await withTaskGroup { group in
            for _ in 0..<100 { group.addTask { #expect(await asset.refresh() == .replaced) } }
            await gate.asked()
            // All the others have had the time to join or will find it open.
            for _ in 0..<100 { await Task.yield() }
            await gate.open()
        }
        #expect(await gate.questions < 100)
    }

    @Test(arguments: [true, false])
    func aCancelledRefreshFailsNobodyElse(failsWhenCancelled: Bool) async throws {
        let gate = Gate()
        let asset = try AssetFixture().open(
            provider: provider(gate, failsWhenCancelled: failsWhenCancelled))
        let leader = Task { await asset.refresh() }
        await gate.asked()
        let follower = Task { await asset.refresh() }
        for _ in 0..<100 { await Task.yield() }
        leader.cancel()
        await gate.open()
        guard case .failed(let error) = await leader.value else {
            Issue.record("a cancelled refresh did not end as one")
            return
        }
        #expect(error.code == .cancelled)
        // What was under way goes on for who is left; it is not asked for again.
        #expect(await follower.value == .replaced)
        #expect(await asset.current == "\(gate.questions)")
    }

    /// Thousands of times, before it began or after any number of steps.
    @Test func aRefreshCanBeCancelledAtAnyTime() async throws {
        let asset = try AssetFixture().open(
            provider: DataProvider { query in
                for _ in 0..<5 {
                    await Task.yield()
                    try Task.checkCancellation()
                }
                return query.known == nil
                    ? .data(Data("new".utf8), AssetTag(entityTag: "1")) : .unchanged
            })
        for seed: UInt64 in 1...3000 {
            var random = SeededGenerator(seed: seed)
            let isBefore = seed % 5 == 0
            let callers = (0..<3).map { _ in
                Task {
                    if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
                    return await asset.refresh()
                }
            }
            for caller in callers.dropFirst(Int.random(in: 0...2, using: &random)) {
                for _ in 0..<Int.random(in: 0...8, using: &random) { await Task.yield() }
                caller.cancel()
            }
            for caller in callers {
                let outcome = try await within(.seconds(20), "seed \(seed)") {
                    await caller.value
                }
                if case .failed(let error) = outcome {
                    #expect(error.code == .cancelled, "seed \(seed)")
                }
            }
        }
        let last = try await within { await asset.refresh() }
        #expect(last == .unchanged || last == .replaced)
        #expect(asset.current == "new")
    }

    @Test func autoRefreshAsksAgainAfterEachWait() async throws {
        let fixture = try AssetFixture()
        let waits = Mutex<[Duration]>([])
        let (ticks, tick) = AsyncStream.makeStream(of: Void.self)
        let source = fixture.source
        source.serve("1")
        let provider = DataProvider { try source.answer($0) }.autoRefresh(every: .seconds(3600)) {
            duration in
            waits.withLock { $0.append(duration) }
            var next = ticks.makeAsyncIterator()
            await next.next()
            try Task.checkCancellation()
        }
        let asset = try fixture.open(provider: provider)
        var values = asset.values().makeAsyncIterator()
        #expect(await values.next() == "bundled")
        let running = Task { await asset.run() }
        #expect(await values.next() == "1")
        source.serve("2")
        tick.yield()
        #expect(await values.next() == "2")
        running.cancel()
        await running.value
        #expect(waits.withLock { Set($0) } == [.seconds(3600)])
    }

    /// What the source says while the first look is under way is not lost.
    @Test func aSignalDuringTheFirstLookIsHeard() async throws {
        let listeners = Mutex<[AsyncStream<Void>.Continuation]>([])
        let looks = Mutex(0)
        let provider = DataProvider { _ in
            let number = looks.withLock { count in
                count += 1
                return count
            }
            if number == 1 { for listener in listeners.withLock({ $0 }) { listener.yield() } }
            return .data(Data("\(number)".utf8), AssetTag(entityTag: "\(number)"))
        }.refreshed {
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            listeners.withLock { $0.append(continuation) }
            return stream
        }
        let asset = try AssetFixture().open(provider: provider)
        let running = Task { await asset.run() }
        #expect(await asset.values().first { $0 == "2" } == "2")
        running.cancel()
        await running.value
    }

    @Test func retryWaitsLongerEachTimeAndAsTheServerAsks() async throws {
        let waits = Mutex<[Duration]>([])
        let asked = Mutex(0)
        let answers: [AssetError?] = [
            AssetError(.offline, ""), AssetError(.serverError, "", retryAfter: .seconds(9)),
            AssetError(.offline, ""), nil,
        ]
        let provider = DataProvider { _ in
            let number = asked.withLock { count in
                defer { count += 1 }
                return count
            }
            if let error = answers[number] { throw error }
            return .unchanged
        }.retry(3, backoff: .seconds(1)) { wait in waits.withLock { $0.append(wait) } }
        #expect(try await provider(AssetQuery(known: nil, bytesMax: 1)) == .unchanged)
        #expect(waits.withLock { $0 } == [.seconds(1), .seconds(9), .seconds(4)])
    }

    @Test(arguments: [AssetError.Code.notFound, .tooLong, .refused, .cancelled])
    func retryLeavesAloneWhatWouldNotHelp(code: AssetError.Code) async throws {
        let asked = Mutex(0)
        let provider = DataProvider { _ in
            asked.withLock { $0 += 1 }
            throw AssetError(code, "")
        }.retry(3) { _ in }
        await #expect(throws: AssetError.self) {
            try await provider(AssetQuery(known: nil, bytesMax: 1))
        }
        #expect(asked.withLock { $0 } == 1)
    }

    @Test func mapChangesBytesAndKeepsTheRest() async throws {
        let fixture = try AssetFixture()
        fixture.source.serve("abc")
        let source = fixture.source
        let provider = DataProvider { try source.answer($0) }.map { Data($0.reversed()) }
        let asset = try fixture.open(provider: provider)
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "cba" && asset.tag?.entityTag == "\"abc\"")
        #expect(await asset.refresh() == .unchanged)
    }

    @Test func aFileIsReadAgainWhenItChanged() async throws {
        let fixture = try AssetFixture()
        let file = fixture.folder.url.appending(path: "watched.txt")
        let asset = try fixture.open(provider: .file(file))
        guard case .failed(let error) = await asset.refresh() else {
            Issue.record("there was no file")
            return
        }
        #expect(error.code == .notFound)
        try fixture.folder.write("one", to: "watched.txt")
        #expect(await asset.refresh() == .replaced)
        #expect(await asset.refresh() == .unchanged)
        try fixture.folder.write("three", to: "watched.txt")
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "three")
    }

    @MainActor @Test func aScreenFollowsValueAndError() async throws {
        let fixture = try AssetFixture()
        let asset = try fixture.open()
        let shown = ObservedAsset(asset)
        #expect(shown.value == "bundled" && shown.error == nil)
        let following = Task { await shown.follow() }
        fixture.source.fail(.offline)
        await asset.refresh()
        await changed { shown.error != nil }
        #expect(shown.error?.code == .offline && shown.value == "bundled")
        fixture.source.serve("newer")
        await asset.refresh()
        await changed { shown.value == "newer" && shown.error == nil }
        following.cancel()
    }

    /// Waits for an observed fact.
    @MainActor private func changed(_ fact: @escaping @MainActor () -> Bool) async {
        while !fact() {
            await withCheckedContinuation { continuation in
                let isTrue = withObservationTracking {
                    fact()
                } onChange: {
                    continuation.resume()
                }
                if isTrue { continuation.resume() }
            }
        }
    }

    @Test func aRepositoryRunsWhatItDeclares() async throws {
        let folder = try TemporaryFolder()
        try folder.write("bundled", to: "bundle/a.txt")
        try folder.write("bundled", to: "bundle/b/b.txt")
        let repository = AssetRepository(
            bundle: folder.url.appending(path: "bundle"),
            folder: folder.url.appending(path: "kept"),
            appVersion: "1", isDebug: false,
            release: { name in
                DataProvider { _ in .data(Data("release \(name)".utf8), AssetTag(entityTag: name)) }
            },
            debug: { _ in DataProvider { _ in .data(Data("debug".utf8), AssetTag()) } })
        let first = try repository.asset("a.txt", .text)
        #expect(first.current == "bundled")
        let running = Task { await repository.run() }
        #expect(await first.values().first { $0 != "bundled" } == "release a.txt")
        let second = try repository.asset("b/b.txt", .text)
        #expect(await second.values().first { $0 != "bundled" } == "release b/b.txt")
        running.cancel()
        await running.value
        #expect(throws: AssetError.self) { try repository.asset("c.txt", .text) }
        #expect(throws: AssetError.self) { try repository.asset("../a.txt", .text) }
    }

    @Test func aDebugBuildUsesTheOtherSource() async throws {
        let folder = try TemporaryFolder()
        let repository = AssetRepository(
            folder: folder.url, appVersion: "1", isDebug: true,
            bundled: { _ in Data("bundled".utf8) },
            release: { _ in DataProvider { _ in .unchanged } },
            debug: { _ in DataProvider { _ in .data(Data("debug".utf8), AssetTag()) } })
        let asset = try repository.asset("a.txt", .text)
        #expect(await asset.refresh() == .replaced)
        #expect(asset.current == "debug")
    }
}
