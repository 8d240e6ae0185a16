import Foundation
import OfflineStorage
import ServerTestSupport
import SyncClient
import TestSupport
import Testing
import UserData

/// A cancelled sync of user data returns at once, counts as no failure, and the next one works.
@Suite struct CancelledUserDataTests {
    /// A device with its network, which stops where a test wants.
    private struct Device: Sendable {
        let folder: TemporaryFolder
        let store: UserStore
        let gated: GatedTransport
        let sync: UserDataSync
        let clock: StoryClock

        init() async throws {
            let folder = try TemporaryFolder()
            let clock = StoryClock()
            let users = try await Story.users(folder, clock)
            try self.init(
                folder,
                InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users)),
                serverURL: "http://server", clock)
        }

        init(
            _ folder: TemporaryFolder, _ transport: any Transport, serverURL: URL,
            _ clock: StoryClock
        ) throws {
            self.folder = folder
            self.clock = clock
            store = try UserStore(
                folder: folder.url.appending(path: "device"),
                collections: [CollectionDeclaration("points", .counter)])
            gated = GatedTransport(transport)
            let account = Account(
                store: store,
                secrets: try FileSecretStore(folder: folder.url.appending(path: "secrets")),
                transport: gated, serverURL: serverURL)
            sync = UserDataSync(
                store: store, account: account, transport: gated, serverURL: serverURL,
                clock: { [clock] in clock.now }, jitter: { 0 })
        }

        func count() throws {
            _ = try store.handle(
                .wrote(RecordKey("points", "all"), .count(field: "n", by: 1)), now: clock.now)
        }

        var points: FieldValue? {
            get throws { try store.state().current(RecordKey("points", "all"))?.values["n"] }
        }
    }

    @Test(arguments: GatedTransport.Manner.allCases)
    func aSyncCanBeCancelledAtEachOfItsMoments(manner: GatedTransport.Manner) async throws {
        let whole = try await Device()
        try whole.count()
        #expect(await whole.sync.sync().problem == nil)
        let moments = whole.gated.moments
        #expect(moments >= 8)
        for moment in 0..<moments {
            let device = try await Device()
            try device.count()
            device.gated.stop(at: moment, manner)
            let task = Task { await device.sync.sync() }
            try await within(.seconds(20), "moment \(moment)") { await device.gated.arrived() }
            task.cancel()
            let report = try await within(.seconds(20), "moment \(moment)") { await task.value }
            #expect(report.isCancelled && report.error?.code == .cancelled, "moment \(moment)")
            #expect(report.retryAt == nil && !report.needsSignIn, "moment \(moment)")
            device.gated.stop(at: nil)
            let next = try await within(.seconds(20), "moment \(moment)") {
                await device.sync.sync()
            }
            #expect(next.problem == nil && !next.isCancelled, "moment \(moment)")
            #expect(try device.store.status().isSynced, "moment \(moment)")
            #expect(try device.points == 1, "moment \(moment)")
        }
    }

    /// Thousands of times, after any number of steps; nothing is lost or doubled.
    @Test func aSyncCanBeCancelledAtAnyTime() async throws {
        let device = try await Device()
        let rounds: UInt64 = 2000
        for seed in 1...rounds {
            var random = SeededGenerator(seed: seed)
            try device.count()
            device.clock.advance(3600)
            let isBefore = seed % 7 == 0
            let task = Task {
                if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
                return await device.sync.sync()
            }
            for _ in 0..<Int.random(in: 0...40, using: &random) { await Task.yield() }
            task.cancel()
            let report = try await within(.seconds(20), "seed \(seed)") { await task.value }
            #expect(report.problem == nil || report.isCancelled, "seed \(seed): \(report)")
        }
        #expect(try await within { await device.sync.sync() }.problem == nil)
        #expect(try device.points == .integer(Int64(rounds)))
        #expect(try device.store.status().isSynced)
    }

    @Test func aSecondCallJoinsTheFirst() async throws {
        let device = try await Device()
        try device.count()
        device.gated.stop(at: 2, .goesOn)
        let first = Task { await device.sync.sync() }
        await device.gated.arrived()
        let second = Task { await device.sync.sync() }
        for _ in 0..<200 { await Task.yield() }
        first.cancel()
        #expect(try await within { await first.value }.isCancelled)
        device.gated.open()
        #expect(try await within { await second.value }.problem == nil)
        #expect(try device.store.status().isSynced)
    }

    /// The same over the loopback, hundreds of times.
    @Test func aSyncOverTheLoopbackCanBeCancelledAtAnyTime() async throws {
        let folder = try TemporaryFolder()
        let clock = StoryClock()
        let users = try await Story.users(folder, clock)
        try await withServer(folder.path + "/none", users: users) { baseURL in
            let transport = HTTPTransport()
            defer { transport.close() }
            let end = baseURL.range(of: "/api")?.lowerBound ?? baseURL.endIndex
            let device = try Device(
                folder, transport, serverURL: try URL(address: String(baseURL[..<end])), clock)
            // Making accounts is limited; here the exchanges are cancelled.
            #expect(try await within { await device.sync.sync() }.problem == nil)
            for seed: UInt64 in 1...300 {
                var random = SeededGenerator(seed: seed)
                try device.count()
                let pause = Int.random(in: 0...4000, using: &random)
                let task = Task { await device.sync.sync() }
                if seed % 4 > 0 { try await Task.sleep(for: .microseconds(pause)) }
                task.cancel()
                let report = try await within(.seconds(20), "seed \(seed)") { await task.value }
                #expect(report.problem == nil || report.isCancelled, "seed \(seed): \(report)")
            }
            #expect(try await within { await device.sync.sync() }.problem == nil)
            #expect(try device.points == 300)
        }
    }
}
