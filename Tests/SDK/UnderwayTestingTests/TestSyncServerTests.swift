import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient
import Testing
import UnderwayTesting
import UserData

@Suite struct TestSyncServerTests {
    private struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .askUser)
        var minutes: Int
    }

    private static let email = "anne@example.org"
    private static let password = "correct horse"
    private static let bank = QuestionFilter.Bank.exam(region: "int", exam: "harbour")

    /// Two devices of one account.
    private func devices(
        _ server: TestSyncServer, _ network: (any Transport)? = nil
    ) async throws -> (TestDevice, TestDevice) {
        let clock = TestClock()
        let devices = try (0..<2).map { _ in
            try TestDevice(
                network: network ?? server, collections: [Goal.collection], clock: clock)
        }
        server.addAccount(email: Self.email, password: Self.password)
        for device in devices {
            try await device.account.signIn(
                email: Self.email, password: Self.password, bringing: .nothing)
        }
        return (devices[0], devices[1])
    }

    private func sync(_ devices: TestDevice...) async {
        for device in devices {
            device.clock.advance(by: .seconds(60))
            let report = await device.userDataSync.sync()
            #expect(report.problem == nil)
        }
    }

    private func put(_ minutes: Int, on device: TestDevice) throws {
        device.clock.advance(by: .seconds(1))
        try device.userData.put(Goal(minutes: minutes), id: "g", now: device.clock.now)
    }

    private func answer(_ count: Int, on device: TestDevice) throws {
        let records = (0..<count).map { index in
            AnswerRecord(
                sessionID: "s", questionID: "q\(index)", contentVersion: "1", response: ["a"],
                isCorrect: true, credit: 1, timeTaken: 2, exposuresBefore: 0, mode: .study,
                isRandomlySelected: false, date: device.clock.now)
        }
        try device.userData.add(records, to: Self.bank, now: device.clock.now)
    }

    @Test func recordsAndAnswersReachTheOtherDevice() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let (phone, tablet) = try await devices(server)
        try put(20, on: phone)
        try answer(3, on: phone)
        await sync(phone, tablet)
        #expect(try tablet.userData.record(Goal.self, id: "g") == Goal(minutes: 20))
        #expect(try tablet.userData.answers(of: Self.bank).count == 3)
        #expect(server.records(Goal.self).map(\.value) == [Goal(minutes: 20)])
        #expect(server.answers().count == 3)
        #expect(try phone.userData.status().isSynced && tablet.userData.status().isSynced)
    }

    @Test func aConflictAwaitsTheUser() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let (phone, tablet) = try await devices(server)
        try put(20, on: phone)
        try put(30, on: tablet)
        await sync(phone, tablet)
        #expect(try tablet.userData.conflicts().count == 1)
        #expect(server.records(Goal.self).map(\.value) == [Goal(minutes: 20)])
    }

    @Test func aLostReplyAppliesNothingTwice() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let network = TestNetwork(server)
        let (phone, _) = try await devices(server, network)
        try put(20, on: phone)
        try answer(2, on: phone)
        network.fail("/exchange", with: .replyLost, times: 1)
        _ = await phone.userDataSync.sync()
        #expect(try !phone.userData.status().isSynced)
        await sync(phone)
        #expect(server.answers().count == 2)
        #expect(try phone.userData.conflicts().isEmpty && phone.userData.status().isSynced)
    }

    @Test func anUnknownCollectionIsRejected() async throws {
        let server = TestSyncServer()
        let (phone, _) = try await devices(server)
        try put(20, on: phone)
        let report = await phone.userDataSync.sync()
        #expect(report.rejectedCount == 1 && report.error?.code == .unknownCollection)
    }

    @Test func signInsAreRefusedAsScripted() async throws {
        let server = TestSyncServer()
        let phone = try TestDevice(network: server)
        server.signInRefusal = .tooManyRequests
        #expect(await phone.userDataSync.sync().problem != nil)
        #expect(server.users.isEmpty)
        server.signInRefusal = nil
        await sync(phone)
        #expect(server.users.count == 1)
        await #expect(throws: (any Error).self) {
            try await phone.account.signIn(
                email: Self.email, password: "wrong words", bringing: .nothing)
        }
    }

    @Test func tokensAreRenewedAndSessionsEnd() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let (phone, _) = try await devices(server)
        server.expireAccessTokens()
        try put(20, on: phone)
        await sync(phone)
        server.endSessions()
        try put(30, on: phone)
        let report = await phone.userDataSync.sync()
        #expect(report.needsSignIn)
    }

    @Test func aTokenOfAnotherIssuerOpensItsAccount() async throws {
        let server = TestSyncServer()
        server.acceptExternalToken("apple-1", of: "anne")
        server.acceptExternalToken("apple-2", of: "anne")
        let (phone, tablet) = (try TestDevice(network: server), try TestDevice(network: server))
        let user = try await phone.account.signIn(
            externalToken: "apple-1", linking: false, bringing: .nothing)
        let same = try await tablet.account.signIn(
            externalToken: "apple-2", linking: false, bringing: .nothing)
        #expect(user == same)
        #expect(try await phone.account.signInMethods().map(\.name) == ["anne"])
    }

    @Test func aDeletedAccountIsReported() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let (phone, _) = try await devices(server)
        await sync(phone)
        server.deleteAccount(phone.userData.user)
        try put(1, on: phone)
        #expect(await phone.userDataSync.sync().isAccountGone)
    }

    @Test func aRestoredServerGetsBackWhatItLost() async throws {
        let server = TestSyncServer(collections: [Goal.collection])
        let (phone, tablet) = try await devices(server)
        let empty = server.backup()
        try put(20, on: phone)
        try answer(2, on: phone)
        await sync(phone, tablet)
        server.restore(empty)
        #expect(server.records(Goal.self).isEmpty)
        await sync(phone, tablet)
        #expect(server.records(Goal.self).map(\.value) == [Goal(minutes: 20)])
        #expect(server.answers().count == 2)
    }

    @Test func theAccountListsAndForgetsItsDevices() async throws {
        let server = TestSyncServer()
        let (phone, tablet) = try await devices(server)
        await sync(phone, tablet)
        let known = try await phone.account.devices()
        #expect(known.count == 2)
        try await phone.account.removeDevice(known[0].id)
        #expect(try await phone.account.devices().count == 1)
    }
}
