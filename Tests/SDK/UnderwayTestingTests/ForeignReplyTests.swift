import Foundation
import OfflineStorage
import SyncClient
import Testing
import UnderwayTesting
import UserData

/// Replies that are not the server's: a network that wants a sign-in, or another host at its address.
@Suite struct ForeignReplyTests {
    private struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .lastWriteWins)
        var minutes: Int
    }

    private static let email = "anne@example.org"
    private static let password = "correct horse"

    /// A device with an account and an unsent record, whose network answers all else with `reply`.
    private func device(_ server: TestSyncServer, behind reply: TestReply) async throws
        -> TestDevice
    {
        let network = TestNetwork(server)
        let device = try TestDevice(network: network, collections: [Goal.collection])
        server.addAccount(email: Self.email, password: Self.password)
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: .nothing)
        try device.userData.put(Goal(minutes: 20), id: "g")
        network.fail(with: .reply(reply))
        return device
    }

    private static let replies = [
        TestReply.captivePortal, .json("{}"), TestReply(200), .json("[1]"),
    ]

    @Test(arguments: replies)
    func anAccountIsNotDeletedByAForeignReply(reply: TestReply) async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let device = try await device(server, behind: reply)
        let error = await #expect(throws: ServiceError.self) { try await device.account.delete() }
        #expect(error?.code == .deletionUnknown)
        #expect(try device.userData.record(Goal.self, id: "g") == Goal(minutes: 20))
        #expect(try device.userData.status().waitingCount == 1)
        #expect(device.userData.user != UserStore.localUser)
    }

    @Test(arguments: replies)
    func noRequestSucceedsByAForeignReply(reply: TestReply) async throws {
        let account = try await device(
            TestSyncServer(collections: [Goal.collection]), behind: reply
        )
        .account
        let requests: [@Sendable () async throws -> Void] = [
            { try await account.removeDevice("d") },
            { try await account.removeSignInMethod("email") },
            { try await account.revokeAllSessions() },
            { try await account.requestVerification() },
            { try await account.verifyEmail(code: "1") },
            { try await account.requestPasswordReset(email: Self.email) },
            {
                try await account.resetPassword(
                    email: Self.email, code: "1", newPassword: Self.password)
            },
            { try await account.upgrade(email: "other@example.org", password: Self.password) },
            {
                try await account.signIn(
                    email: Self.email, password: Self.password, bringing: .nothing)
            },
            { try await account.startOver() },
        ]
        for (index, request) in requests.enumerated() {
            await #expect(throws: ServiceError.self, "request \(index)") { try await request() }
        }
    }

    @Test func aPageIsNoExportAndNoList() async throws {
        let account = try await device(TestSyncServer(), behind: .captivePortal).account
        for request in [
            { _ = try await account.export() }, { _ = try await account.devices() },
            { _ = try await account.signInMethods() },
        ] as [@Sendable () async throws -> Void] {
            let error = await #expect(throws: ServiceError.self) { try await request() }
            #expect(error?.code == .captivePortal)
        }
    }

    @Test func aSyncBehindAPageSaysWhatToDoAndTriesAgain() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let device = try await device(server, behind: .captivePortal)
        let report = await device.userDataSync.sync()
        #expect(report.error?.code == .captivePortal)
        #expect(report.error?.message.contains("Sign in to the network") == true)
        #expect(report.retryAt != nil)
        #expect(try device.userData.status().waitingCount == 1)
    }

    @Test func anOverloadedHostWithoutAReasonIsBusy() async throws {
        let device = try await device(
            TestSyncServer(), behind: .unavailable(retryAfter: .seconds(9)))
        let error = await #expect(throws: ServiceError.self) {
            try await device.account.revokeAllSessions()
        }
        #expect(error?.code == .busy && error?.retryAfter == .seconds(9))
    }
}
