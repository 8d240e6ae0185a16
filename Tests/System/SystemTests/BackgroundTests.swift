import Foundation
import GRDB
import Logging
import OfflineStorage
import ServerTestSupport
import ServiceLifecycle
import SyncService
import Synchronization
import TestSupport
import Testing
import UserData

@testable import SyncClient

@Suite struct BackgroundTests {
    private final class Calendar: BackgroundScheduler {
        let wishes = Mutex<[Date]>([])

        func schedule(earliest: Date) { wishes.withLock { $0.append(earliest) } }
    }

    /// The routes, after so many requests gone for so many more.
    private final class Outage: Transport {
        let inner: InProcessTransport
        let failures: Mutex<Int>

        init(_ inner: InProcessTransport, failures: Int) {
            self.inner = inner
            self.failures = Mutex(failures)
        }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let fails = failures.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { throw TransportError(.offline, "no network") }
            return try await inner.send(request)
        }
    }

    private let folder: TemporaryFolder
    private let clock = StoryClock()
    private let store: UserStore

    init() throws {
        folder = try TemporaryFolder()
        store = try UserStore(
            folder: folder.url.appending(path: "device"),
            collections: [CollectionDeclaration("points", .counter)])
    }

    private func sync(
        failures: Int = 0, now: (@Sendable () -> Date)? = nil
    ) async throws -> UserDataSync {
        let users = try await Story.users(folder, clock)
        let transport = Outage(
            InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users)),
            failures: failures)
        let account = Account(
            store: store, secrets: try FileSecretStore(folder: folder.url.appending(path: "s")),
            transport: transport, serverURL: "http://server")
        let clock = clock
        return UserDataSync(
            store: store, account: account, transport: transport, serverURL: "http://server",
            clock: now ?? { clock.now }, jitter: { 0 })
    }

    private func count() throws {
        _ = try store.handle(
            .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: clock.now)
    }

    @Test func eachRunAsksForTheNextFirstAndAgainAtItsEnd() async throws {
        let calendar = Calendar()
        let background = BackgroundSync(
            userData: try await sync(), scheduler: calendar, clock: { [clock] in clock.now })
        try count()
        let report = await background.wake()
        #expect(report.isSuccess && report.userData.pushed == 1 && report.schedulingProblem == nil)
        let quarter = clock.now + BackgroundSync.intervalMin
        #expect(calendar.wishes.withLock { $0 } == [quarter, quarter])
    }

    @Test func aFailureKeepsEverythingAndComesBack() async throws {
        let calendar = Calendar()
        let background = BackgroundSync(
            userData: try await sync(failures: 1), scheduler: calendar,
            clock: { [clock] in clock.now })
        try count()
        let report = await background.wake()
        #expect(report.userData.problem == "offline" && !report.isSuccess)
        #expect(try store.status().waitingCount == 1)
        #expect(try store.status().lastTry?.problem == "offline")
        #expect(await background.wake().isSuccess)
        #expect(try store.status().isSynced)
    }

    /// As iOS does in the simulator, or when the user turned Background App Refresh off.
    private struct Refusal: BackgroundScheduler, Error {
        func schedule(earliest: Date) throws { throw self }
    }

    @Test func itSyncsAlsoWhenTheNextTimeCannotBeScheduled() async throws {
        let background = BackgroundSync(
            userData: try await sync(), scheduler: Refusal(), clock: { [clock] in clock.now })
        try count()
        #expect(throws: Refusal.self) { try background.schedule() }
        let report = await background.wake()
        #expect(report.isSuccess && report.userData.pushed == 1)
        #expect(report.schedulingError?.code == .notScheduled)
        #expect(report.schedulingError?.cause is Refusal)
        #expect(report.schedulingProblem?.contains("cannot be scheduled") == true)
        #expect(try store.status().isSynced)
    }

    @Test func theFirstTimeIsScheduledByTheApp() async throws {
        let calendar = Calendar()
        let background = BackgroundSync(
            userData: try await sync(), scheduler: calendar, clock: { [clock] in clock.now })
        try background.schedule()
        #expect(calendar.wishes.withLock { $0 } == [clock.now + BackgroundSync.intervalMin])
    }

    @Test func contentThatCannotBeReachedIsAFailure() async throws {
        let content = ContentSync(
            store: try OfflineStore(folder: folder.url.appending(path: "content")),
            transport: StaticHost(root: folder.path + "/none"), releaseURL: "http://host")
        let background = BackgroundSync(
            userData: try await sync(), content: content, scheduler: Calendar(),
            clock: { [clock] in clock.now })
        let report = await background.wake()
        #expect(report.userData.problem == nil && report.content != nil && !report.isSuccess)
    }

    /// The times that the system was told that a piece of work is complete, and whether it succeeded.
    private final class Completion: Sendable {
        private let values = Mutex<[Bool]>([])
        private let (ended, continuation) = AsyncStream.makeStream(of: Void.self)

        var all: [Bool] { values.withLock { $0 } }

        func complete(_ success: Bool) {
            values.withLock { $0.append(success) }
            continuation.yield()
        }

        func wait() async { for await _ in ended { return } }
    }

    @Test func whatTheSystemEndsIsReportedAsFailedOnce() async throws {
        let completion = Completion()
        let background = BackgroundSync(
            userData: try await sync(), scheduler: Calendar(), clock: { [clock] in clock.now })
        try count()
        let run = BackgroundRun { completion.complete($0) }
        // The time was over before the work began.
        run.expire()
        run.start { await background.wake().isSuccess }
        await completion.wait()
        run.expire()
        #expect(completion.all == [false])
        #expect(await background.wake().isSuccess)
        #expect(try store.status().isSynced)
    }

    @Test func eachRunIsCompletedOnceWheneverTheTimeIsOver() async {
        for round in 0..<500 {
            let completion = Completion()
            let run = BackgroundRun { completion.complete($0) }
            await withTaskGroup(of: Void.self) { group in
                group.addTask { run.start { !Task.isCancelled } }
                if round % 2 == 0 { group.addTask { run.expire() } }
                group.addTask { await completion.wait() }
            }
            run.expire()
            #expect(completion.all.count == 1)
            if round % 2 == 1 { #expect(completion.all == [true]) }
        }
    }

    @Test func theNextTimeIsBoundedOnBothSides() async throws {
        let now = clock.now
        let background = BackgroundSync(
            userData: try await sync(), scheduler: Calendar(), clock: { now })
        #expect(background.next(nil) == now + 900)
        #expect(background.next(now + 5) == now + 900)
        #expect(background.next(now + 7_200) == now + 7_200)
        #expect(background.next(now + 1e9) == now + 86_400)
    }

    /// The server answers well and takes nothing more: nobody may be told that all is well.
    @Test func aQuotaThatIsUsedUpIsSaidAndTriedAgain() async throws {
        let sync = try await sync()
        func answer(_ number: Int64) throws {
            let row = AnswerRow(
                bank: "b", session: "s", question: "q", isCorrect: true, takenMilliseconds: 1,
                exposuresBefore: 0, mode: "study", milliseconds: number)
            _ = try store.handle(
                .answered(count: 1), now: clock.now, extras: .init(answers: [row]))
        }
        try answer(1)
        #expect(await sync.sync().problem == nil)
        let server = try DatabaseQueue(path: folder.path + "/users/users.sqlite")
        try await server.write { try $0.execute(sql: "UPDATE account SET answer_count = 2000000") }
        try answer(2)
        let report = await sync.sync()
        #expect(report.error?.code == .full && report.retryAt != nil)
        #expect(try store.status().waitingCount == 1)
        #expect(try store.status().lastTry?.problem == report.problem)
        #expect(try store.status().lastTry?.code == "full")
        try await server.write { try $0.execute(sql: "UPDATE account SET answer_count = 1") }
        #expect(await sync.sync().problem == nil)
        #expect(try store.status().isSynced)
    }

    @Test func anExpiredRunStopsAndTheNextGoesOn() async throws {
        let sync = try await sync()
        try count()
        let run = Task {
            // As the system does: the time was over before it began.
            while !Task.isCancelled { await Task.yield() }
            return await sync.sync()
        }
        run.cancel()
        #expect(await run.value.problem != nil)
        #expect(try store.status().waitingCount == 1)
        #expect(await sync.sync().problem == nil)
        #expect(try store.status().isSynced)
    }

    @Test func aServiceSyncsWhenItIsDueUntilItsShutdown() async throws {
        let scheduler = ServiceScheduler(start: Date())
        let background = BackgroundSync(userData: try await sync(), scheduler: scheduler)
        try count()
        let changes = store.changedRecords()
        let group = ServiceGroup(services: [scheduler], logger: .init(label: "test"))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            scheduler.use(background)
            for await _ in changes where try store.status().isSynced { break }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        #expect(try store.status().isSynced)
    }

    /// `run` sends each change by itself, and tries again after a failure without a new change.
    @Test func nothingWaitsForTheNextChange() async throws {
        let sync = try await sync(failures: 1, now: { Date() })
        var changes = store.changedRecords().makeAsyncIterator()
        try count()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await sync.run() }
            while try !store.status().isSynced { _ = await changes.next() }
            // A change while it runs leaves at once.
            try store.post(
                .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: clock.now)
            while try !store.status().isSynced { _ = await changes.next() }
            tasks.cancelAll()
        }
        #expect(try store.state().answersOnServer.total == 0 && store.outbox().isEmpty)
    }
}
