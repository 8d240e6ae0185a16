import Foundation
import OfflineStorage
import SyncClient
import Synchronization
import Testing
import UnderwayTesting
import UserData

/// The steps that change a device's user: one at a time, whatever the network and other callers do.
@Suite(.timeLimit(.minutes(2))) struct AccountStepsTests {
    private static let email = "ada@example.org"
    private static let password = "correct horse"

    private let server = TestSyncServer()
    private let network: TestNetwork
    private let device: TestDevice

    init() throws {
        network = TestNetwork(server)
        device = try TestDevice(network: network)
    }

    private func save(_ id: String) throws {
        try device.userData.put(Favourite(bank: "es"), id: id, now: device.clock.now)
    }

    private func signUp() async throws {
        try await device.account.upgrade(email: Self.email, password: Self.password)
    }

    private func index(of part: String) -> Int? {
        network.requests.firstIndex { $0.path.hasSuffix(part) }
    }

    // MARK: One account

    @Test func twentyCallsAtOnceMakeOneAccount() async throws {
        let gate = network.holdRequests(for: "anonymous", times: 1)
        let users = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await device.account.ensure() } }
            await gate.arrival()
            gate.open()
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(users == [device.userData.user])
        #expect(server.users == [device.userData.user])
        #expect(network.requests(for: "anonymous").count == 1)
    }

    @Test(arguments: ["anonymous", "exchange"])
    func signingUpBesideASyncMakesOneAccount(held: String) async throws {
        try save("q1")
        let gate = network.holdRequests(for: held, times: 1)
        async let report = device.userDataSync.sync()
        await gate.arrival()
        async let done: Void = signUp()
        if held == "anonymous" { gate.open() }
        try await done
        gate.open()
        #expect(await report.problem == nil)
        #expect(server.users == [device.userData.user])
        #expect(try device.userData.hasSignInMethod())
        #expect(try device.userData.status().isSynced)
    }

    @Test func anAccountThatLostTheRaceIsDeleted() async throws {
        let winner = try #require(server.addAccount(email: Self.email, password: Self.password))
        let gate = network.holdRequests(for: "anonymous", times: 1)
        async let user = device.account.ensure()
        await gate.arrival()
        // As another process does that shares the store.
        try device.userData.switchUser(to: winner, bringing: .nothing, now: device.clock.now)
        gate.open()
        #expect(try await user == winner)
        #expect(device.userData.user == winner && server.users == [winner])
    }

    @Test func aReplyForAFormerUserIsDroppedAndTheSyncBeginsAgain() async throws {
        server.addAccount(email: Self.email, password: Self.password)
        try save("before")
        let former = try await device.account.ensure()
        let gate = network.holdRequests(for: "exchange", times: 1)
        async let report = device.userDataSync.sync()
        await gate.arrival()
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: .nothing)
        gate.open()
        #expect(await report.error == nil)
        let user = device.userData.user
        #expect(user != former)
        #expect(try device.userData.status().isSynced)
        #expect(try device.userData.records(Favourite.self).isEmpty)
        // The former user is not taken for synced: the reply was never read.
        try device.userData.switchUser(to: former, bringing: .nothing, now: device.clock.now)
        #expect(try device.userData.status().waitingCount == 1)
        #expect(try device.userData.status().lastTry == nil)
    }

    @Test func signingOutDuringASyncMakesNoAccountForNobody() async throws {
        try save("q1")
        try await signUp()
        let gate = network.holdRequests(for: "exchange", times: 1)
        async let report = device.userDataSync.sync()
        await gate.arrival()
        try await device.account.signOut(erasing: false)
        gate.open()
        #expect(await report.error?.code == .userChanged)
        #expect(server.users.count == 1 && device.userData.user == UserStore.localUser)
    }

    // MARK: Signing out

    @Test func signingOutWaitsForNoHost() async throws {
        try await signUp()
        let gate = network.holdRequests(for: "revoke")
        try await device.account.signOut(erasing: false)
        #expect(device.userData.user == UserStore.localUser)
        await gate.arrival()
        gate.open()
        await device.account.revokeSignedOut()
    }

    @Test func aTokenThatCouldNotBeRevokedIsRevokedBeforeTheNextRequest() async throws {
        try await signUp()
        network.isOffline = true
        try await device.account.signOut(erasing: false)
        await device.account.revokeSignedOut()
        network.heal()
        network.forgetRequests()
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: .nothing)
        let revoked = try #require(index(of: "revoke"))
        #expect(try revoked < #require(index(of: "sign-in")))
        await device.account.revokeSignedOut()
        #expect(network.requests(for: "revoke").count == 1)
    }

    @Test func theNewestEightTokensWait() async throws {
        try await signUp()
        for _ in 0..<10 {
            network.fail("revoke", with: .offline)
            try await device.account.signOut(erasing: false)
            await device.account.revokeSignedOut()
            try await device.account.signIn(
                email: Self.email, password: Self.password, bringing: .nothing)
        }
        await device.account.revokeSignedOut()
        network.heal()
        network.forgetRequests()
        await device.account.revokeSignedOut()
        #expect(network.requests(for: "revoke").count == 8)
    }

    // MARK: Deletion

    @Test func aDeletionWhoseReplyIsLostGoesOn() async throws {
        try save("q1")
        try await signUp()
        network.fail("v1/account", with: .replyLost, times: 1)
        let error = await #expect(throws: ServiceError.self) {
            try await device.account.delete()
        }
        #expect(error?.code == .deletionUnknown)
        #expect(server.users.isEmpty)
        #expect(try device.userData.hasData())
        // The next sync asks again, and makes no account for nobody.
        #expect(await device.userDataSync.sync().problem == nil)
        #expect(device.userData.user == UserStore.localUser && server.users.isEmpty)
        #expect(try !device.userData.hasData() && device.userData.otherUsers().isEmpty)
        #expect(try device.userData.intendedDeletions().isEmpty)
    }

    @Test func aSecondDeletionAfterALostReplySucceeds() async throws {
        try await signUp()
        network.fail("v1/account", with: .replyLost, times: 1)
        await #expect(throws: ServiceError.self) { try await device.account.delete() }
        try await device.account.delete()
        #expect(device.userData.user == UserStore.localUser && server.users.isEmpty)
    }

    @Test func aRefusedDeletionLeavesNoIntent() async throws {
        try save("q1")
        try await signUp()
        let refusal = TestReply(403, body: Array(#"{"code": "forbidden"}"#.utf8))
        network.fail("v1/account", with: .reply(refusal), times: 1)
        let error = await #expect(throws: ServiceError.self) {
            try await device.account.delete()
        }
        #expect(error?.code == .forbidden)
        #expect(await device.userDataSync.sync().problem == nil)
        #expect(server.users.count == 1)
        #expect(try device.userData.hasData())
    }

    /// A host in between cannot say that nothing was deleted.
    @Test func aRefusalOfAnotherHostIsNoAnswer() async throws {
        try await signUp()
        network.fail("v1/account", with: .reply(TestReply(403)), times: 1)
        let error = await #expect(throws: ServiceError.self) {
            try await device.account.delete()
        }
        #expect(error?.code == .deletionUnknown)
        #expect(await device.userDataSync.sync().problem == nil)
        #expect(device.userData.user == UserStore.localUser && server.users.isEmpty)
    }

    /// Secrets that cannot be written for a while, as with a locked keychain.
    private final class LockedSecrets: SecretStore {
        let inner = MemorySecretStore()
        let isLocked = Mutex(false)

        func secret(_ name: String) throws -> Data? { inner.secret(name) }

        func set(_ name: String, _ secret: Data?) throws {
            guard !isLocked.withLock({ $0 }) else {
                throw StoreError(.storage, "The keychain is locked.")
            }
            inner.set(name, secret)
        }
    }

    @Test func aCopyThatCannotBeRemovedIsRemovedLater() async throws {
        let secrets = LockedSecrets()
        let account = Account(
            store: device.userData, secrets: secrets, transport: network,
            serverURL: TestDevice.serverAddress)
        let sync = UserDataSync(
            store: device.userData, account: account, transport: network,
            serverURL: TestDevice.serverAddress)
        try save("q1")
        try await account.upgrade(email: Self.email, password: Self.password)
        secrets.isLocked.withLock { $0 = true }
        let error = await #expect(throws: ServiceError.self) { try await account.delete() }
        #expect(error?.code == .deletedThere)
        #expect(server.users.isEmpty)
        secrets.isLocked.withLock { $0 = false }
        _ = await sync.sync()
        #expect(try device.userData.intendedDeletions().isEmpty)
        #expect(try device.userData.otherUsers().isEmpty)
    }
}
