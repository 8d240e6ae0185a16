import Foundation
import Ledger
import OfflineStorage
import ServerApplication
import ServerTestSupport
import ServiceAPI
import SyncClient
import Synchronization
import TestSupport
import Testing
import UnderwayTesting
import UserData

/// A device whose renewals are lost again and again, until the server gives its token no more successors that day.
@Suite struct RenewalLimitTests {
    private struct Note: CollectionRecord {
        static let collection = CollectionDeclaration("notes", .lastWriteWins)
        var text: String
    }

    /// A network that loses the reply to each renewal.
    private final class LossyTransport: Transport {
        private let inner: any Transport
        private let losesRenewals = Mutex(false)

        init(_ inner: any Transport) { self.inner = inner }

        func loseRenewals(_ isLossy: Bool) { losesRenewals.withLock { $0 = isLossy } }

        func send(_ request: TransportRequest) async throws -> TransportResponse {
            let response = try await inner.send(request)
            let isLost = losesRenewals.withLock(\.self) && response.status == 200
            if isLost, request.url.path().hasSuffix("/refresh") {
                throw TransportError(.offline, "The reply was lost.")
            }
            return response
        }
    }

    enum Host: CaseIterable {
        case server, kit
    }

    private let clock = TestClock()
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func transport(_ host: Host) async throws -> any Transport {
        guard host == .server else {
            return TestSyncServer(collections: [Note.collection], clock: clock)
        }
        let clock = clock
        let users = try await UserBackend(
            UserServiceOptions(
                folder: folder.url.appending(path: "users"),
                collections: [CollectionRules(Note.collection)], passwordRounds: 1 << 10),
            clock: { clock.now })
        return InProcessTransport(InProcessRouter(release: folder.path + "/none", users: users))
    }

    @Test(arguments: Host.allCases)
    func theDeviceWaitsAndIsNotSignedOut(host: Host) async throws {
        let inner = try await transport(host)
        let network = LossyTransport(inner)
        let clock = clock
        let store = try UserStore(
            folder: folder.url.appending(path: "device"), collections: [Note.collection])
        let account = Account(
            store: store, secrets: MemorySecretStore(), transport: network,
            serverURL: TestDevice.serverAddress)
        let sync = UserDataSync(
            store: store, account: account, transport: network,
            serverURL: TestDevice.serverAddress, clock: { clock.now }, jitter: { 0.5 })
        #expect(await sync.sync().problem == nil)
        let user = store.user
        try store.put(Note(text: "kept"), id: "n", now: clock.now)
        // Access tokens last ten minutes.
        clock.advance(by: .seconds(11 * 60))
        (inner as? TestSyncServer)?.expireAccessTokens()
        network.loseRenewals(true)
        var report = await sync.sync()
        for _ in 0..<ServiceLimits.renewalsOfTokenPerDay where report.error?.code == .offline {
            report = await sync.sync()
        }

        #expect(report.error?.code == .tooManyRequests)
        #expect(report.problem?.contains("Too many requests. Try again in") ?? false)
        #expect(!report.needsSignIn && !report.isAccountGone, "it is still signed in")
        let status = try store.status()
        #expect(store.user == user && status.waitingCount == 1)
        #expect(status.lastTry?.problem == report.problem)
        // The wait is the server's, and no timer asks before.
        let wait = try #require(report.error?.retryAfter)
        let retry = try #require(report.retryAt).timeIntervalSince(clock.now)
        #expect(wait > .seconds(3600) && .seconds(retry) >= wait)

        network.loseRenewals(false)
        clock.advance(by: .seconds(retry + 1))
        report = await sync.sync()
        #expect(report.problem == nil && store.user == user)
        #expect(try store.status().isSynced)
    }
}
