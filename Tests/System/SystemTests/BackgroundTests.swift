import Foundation
import GRDB
import Logging
import OfflineStore
import ServerTestSupport
import ServiceLifecycle
import SyncService
import Synchronization
import TestSupport
import Testing
import UserData
import UserService

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
        let desk = try await Story.desk(folder, clock)
        let transport = Outage(
            InProcessTransport(InProcessRouter(release: folder.path + "/none", users: desk)),
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
        let report = try await background.wake()
        #expect(report.problem == nil && report.pushed == 1)
        let quarter = clock.now + BackgroundSync.intervalMin
        #expect(calendar.wishes.withLock { $0 } == [quarter, quarter])
    }

    @Test func aFailureKeepsEverythingAndComesBack() async throws {
        let calendar = Calendar()
        let background = BackgroundSync(
            userData: try await sync(failures: 1), scheduler: calendar,
            clock: { [clock] in clock.now })
        try count()
        #expect(try await background.wake().problem == "offline")
        #expect(try store.status().waitingCount == 1)
        #expect(try store.status().lastTry?.problem == "offline")
        #expect(try await background.wake().problem == nil)
        #expect(try store.status().isSynced)
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
                mode: "study", milliseconds: number)
            _ = try store.handle(
                .answered(count: 1), now: clock.now, extras: .init(answers: [row]))
        }
        try answer(1)
        #expect(await sync.sync().problem == nil)
        let server = try DatabaseQueue(path: folder.path + "/users/users.sqlite")
        try await server.write { try $0.execute(sql: "UPDATE account SET answerCount = 2000000") }
        try answer(2)
        let report = await sync.sync()
        #expect(report.problem == "the server takes no more for now" && report.retryAt != nil)
        #expect(try store.status().waitingCount == 1)
        #expect(try store.status().lastTry?.problem == report.problem)
        try await server.write { try $0.execute(sql: "UPDATE account SET answerCount = 1") }
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
