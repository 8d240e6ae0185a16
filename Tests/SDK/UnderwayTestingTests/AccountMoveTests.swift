import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI
import SyncClient
import Synchronization
import Testing
import UnderwayTesting
import UserData

/// An account is left by a move: whatever breaks meanwhile, all of it is in the other account once.
@Suite(.timeLimit(.minutes(2))) struct AccountMoveTests {
    private let rig: MoveRig

    init() throws { rig = try MoveRig() }

    @Test func everythingComesAlongAndTheFormerAccountIsClosed() async throws {
        let phone = try await rig.phone()
        let former = phone.store.user
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
        #expect(phone.secrets.secret("tokens of \(former)") == nil)
    }

    /// What is shown does not wait for the next sync.
    @Test func everythingIsShownAtOnce() async throws {
        let phone = try await rig.phone()
        try await rig.signIn(phone)
        #expect(try rig.questions(phone) == ["q1", "q2", "q3"])
        #expect(try phone.store.record(MoveRig.Note.self, id: "n")?.text == "phone")
        #expect(try phone.store.record(MoveRig.Points.self, id: "p")?.n == 7)
    }

    @Test func whatComesIntoAnAccountThatTheDeviceHasIsJoined() async throws {
        let phone = try rig.open("phone")
        try await rig.signIn(phone, .nothing)
        try rig.answer(["q1"], on: phone)
        try rig.step(3, on: phone)
        #expect(await rig.sync(phone).problem == nil)
        // Unsent, while the user is another one.
        try rig.step(1, on: phone)
        try await phone.account.signOut(erasing: false)
        try rig.answer(["q2"], on: phone)
        try rig.put(note: "phone", on: phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.answer(["q3"], on: phone)
        try rig.step(3, on: phone)
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
    }

    // MARK: Faults and kills

    /// The n-th request to a path fails, or its reply is lost.
    struct Fault: Sendable, CustomTestStringConvertible {
        var part: String
        var skipped: Int
        var isReply: Bool

        var testDescription: String { "\(part) \(skipped), \(isReply ? "reply" : "request")" }

        static let all: [Fault] = [("exchange", 0), ("exchange", 1), ("move", 0), ("sign-in", 0)]
            .flatMap { part, skipped in
                [false, true].map { Fault(part: part, skipped: skipped, isReply: $0) }
            }
    }

    /// After each fault the process ends, and another one goes on with a sync.
    @Test(arguments: Fault.all, [false, true])
    func everyFaultLeavesTheMoveToTheNextProcess(fault: Fault, hasUnsent: Bool) async throws {
        var phone = try await rig.phone()
        if !hasUnsent { #expect(await rig.sync(phone).problem == nil) }
        for _ in 0..<fault.skipped { rig.network.fail(fault.part, with: .passed, times: 1) }
        rig.network.fail(fault.part, with: fault.isReply ? .replyLost : .offline)
        // Where the fault meets the sync before the move alone, the sign-in succeeds.
        try? await rig.signIn(phone)
        rig.network.heal()
        phone = try rig.open("phone", after: phone)
        if phone.store.user != rig.ada, try phone.store.intendedMoves().isEmpty {
            #expect(fault.part == "sign-in")
            try await rig.signIn(phone)
        }
        #expect(await rig.sync(phone).problem == nil)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone, "\(fault)")
    }

    @Test func aMoveThatTakesLongerIsAskedForAgain() async throws {
        let phone = try await rig.phone()
        let moving = MoveBody.Reply.moving(done: 1, of: 2).json.canonicalBytes
        rig.network.fail(
            "move", with: .reply(TestReply(200, body: moving)), times: 1)
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        #expect(rig.network.requests(for: "v1/move").count == 2)
        try rig.expectJoined(phone)
    }

    /// While the move is not done, the device is not synced and says why.
    @Test func whileItMovesTheDeviceIsNotSynced() async throws {
        let phone = try await rig.phone()
        rig.network.fail("move", with: .unavailable())
        let error = await #expect(throws: ServiceError.self) { try await rig.signIn(phone) }
        #expect(error?.code == .moving)
        #expect(await rig.sync(phone).error?.status == 503)
        #expect(try phone.store.status().isMoving && !phone.store.status().isSynced)
        rig.network.heal()
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
    }

    /// Secrets that cannot be removed for a while, as with a locked keychain.
    @Test func tokensThatCannotBeRemovedAreRemovedLater() async throws {
        let secrets = StuckSecrets()
        let phone = try await rig.phone()
        let former = phone.store.user
        try secrets.take(phone.secrets, of: former)
        let account = Account(
            store: phone.store, secrets: secrets, transport: rig.network,
            serverURL: TestDevice.serverAddress)
        let sync = UserDataSync(
            store: phone.store, account: account, transport: rig.network,
            serverURL: TestDevice.serverAddress)
        secrets.isStuck.withLock { $0 = true }
        await #expect(throws: StoreError.self) {
            try await account.signIn(
                email: MoveRig.email, password: MoveRig.password, bringing: .everything)
        }
        #expect(phone.store.user == rig.ada)
        secrets.isStuck.withLock { $0 = false }
        #expect(await sync.sync().problem == nil)
        #expect(try secrets.secret("tokens of \(former)") == nil)
        try rig.expectJoined(phone)
    }

    private final class StuckSecrets: SecretStore {
        let inner = MemorySecretStore()
        let isStuck = Mutex(false)

        func take(_ other: MemorySecretStore, of user: String) throws {
            try set("tokens of \(user)", other.secret("tokens of \(user)"))
        }

        func secret(_ name: String) throws -> Data? { inner.secret(name) }

        func set(_ name: String, _ secret: Data?) throws {
            guard secret != nil || !isStuck.withLock({ $0 }) else {
                throw StoreError(.storage, "The keychain is locked.")
            }
            inner.set(name, secret)
        }
    }

    @Test func signingOutEndsTheIntent() async throws {
        let phone = try await rig.phone()
        rig.network.fail("move", with: .offline)
        await #expect(throws: ServiceError.self) { try await rig.signIn(phone) }
        try await phone.account.signOut(erasing: false)
        rig.network.heal()
        #expect(await rig.sync(phone).problem == nil)
        #expect(phone.store.user == UserStore.localUser || phone.store.user != rig.ada)
        #expect(try phone.store.intendedMoves().isEmpty && rig.server.users.count >= 2)
        #expect(try phone.store.status().othersWaiting == 0 || !phone.store.otherUsers().isEmpty)
    }

    /// The other account's password is changed elsewhere before the move begins: nobody is signed in there any more.
    @Test func anEndedSessionOfTheTargetGivesTheMoveUp() async throws {
        let phone = try await rig.phone()
        let former = phone.store.user
        rig.network.fail("move", with: .offline)
        await #expect(throws: ServiceError.self) { try await rig.signIn(phone) }
        rig.network.heal()
        let tablet = try rig.open("tablet")
        try await rig.signIn(tablet, .nothing)
        try await tablet.account.upgrade(
            email: MoveRig.email, password: "another horse", currentPassword: MoveRig.password)
        let report = await rig.sync(phone)
        #expect(report.problem == nil && !report.needsSignIn)
        #expect(phone.store.user == former)
        #expect(try !phone.store.status().isMoving && phone.store.status().isSynced)
    }

    // MARK: Refusals

    @Test(arguments: [ProblemCode.movedElsewhere, .hasRole, .tooMuch, .needsFreshSignIn])
    func aRefusedMoveLeavesTheFormerUserWithTheReason(code: ProblemCode) async throws {
        let phone = try await rig.phone()
        let former = phone.store.user
        let body = #"{"code": "\#(code.rawValue)"}"#
        rig.network.fail(
            "v1/move", with: .reply(TestReply(code.status, body: Array(body.utf8))))
        try await rig.signIn(phone)
        #expect(phone.store.user == rig.ada)
        #expect(await rig.sync(phone).problem == nil)
        let other = try #require(try phone.store.otherUsers().first)
        #expect(other.user == former && other.obstacle == code.rawValue)
        #expect(other.answerCount == 3)
        #expect(try rig.questions(phone).isEmpty)
        // Later the obstacle is gone, and the account still has its token.
        rig.network.heal()
        try await phone.account.bring(from: former)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
    }

    /// As one of an earlier version: the device takes its own copy along, and the account stays.
    @Test func aServerThatMovesNoAccountsLosesNothing() async throws {
        let phone = try await rig.phone()
        let (former, answers) = (phone.store.user, try rig.questions(phone))
        #expect(answers.count == 3)
        let body = #"{"code": "refused"}"#
        rig.network.fail(
            "v1/move", with: .reply(TestReply(ProblemCode.refused.status, body: Array(body.utf8))))
        try await rig.signIn(phone)
        #expect(phone.store.user == rig.ada && former != rig.ada)
        #expect(await rig.sync(phone).problem == nil)
        #expect(try rig.questions(phone) == answers && rig.served == answers)
        #expect(try phone.store.otherUsers().isEmpty && phone.store.status().isSynced)
    }

    @Test func anAccountWithASignInMethodIsJoinedByItsPassword() async throws {
        let phone = try await rig.phone()
        try await phone.account.upgrade(email: "eve@example.org", password: MoveRig.password)
        let former = phone.store.user
        rig.clock.advance(by: .seconds(3600))
        try await rig.signIn(phone)
        #expect(try phone.store.otherUsers().map(\.obstacle) == ["needsFreshSignIn"])
        try await phone.account.join(email: "eve@example.org", password: MoveRig.password)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
        #expect(phone.secrets.secret("tokens of \(former)") == nil)
    }

    @Test func anAccountThatThisDeviceNeverHadIsJoinedToo() async throws {
        let phone = try await rig.phone()
        try await phone.account.upgrade(email: "eve@example.org", password: MoveRig.password)
        #expect(await rig.sync(phone).problem == nil)
        let tablet = try rig.open("tablet")
        try await rig.signIn(tablet, .nothing)
        try await tablet.account.join(email: "eve@example.org", password: MoveRig.password)
        #expect(await rig.sync(tablet).problem == nil)
        try rig.expectJoined(tablet)
    }

    // MARK: Where there is no move

    @Test func nothingLeavesTheAccountWithItsToken() async throws {
        let phone = try await rig.phone()
        let former = phone.store.user
        try await rig.signIn(phone, .nothing)
        #expect(rig.server.users.count == 2)
        #expect(try phone.store.otherUsers().map(\.waitingCount) == [2])
        try await phone.account.bring(from: former)
        #expect(await rig.sync(phone).problem == nil)
        try rig.expectJoined(phone)
    }

    @Test func withoutSecretsTheDeviceTakesItsCopyAlong() async throws {
        let phone = try await rig.phone()
        phone.secrets.set("tokens of \(phone.store.user)", nil)
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        #expect(rig.served == ["q1", "q2", "q3"])
        #expect(try phone.store.status().isSynced && phone.store.otherUsers().isEmpty)
        #expect(rig.server.users.count == 2, "nobody can close it")
    }

    @Test(arguments: [false, true]) func startingOverMoves(isDeleted: Bool) async throws {
        let phone = try await rig.phone()
        let former = phone.store.user
        if isDeleted { rig.server.deleteAccount(former) }
        let user = try await phone.account.startOver()
        #expect(await rig.sync(phone).problem == nil)
        #expect(rig.server.users.sorted() == [rig.ada, user].sorted())
        #expect(rig.server.answers(of: user).map(\.question).sorted() == ["q1", "q2", "q3"])
        #expect(try phone.store.status().isSynced && phone.store.otherUsers().isEmpty)
    }

    @Test func deletingTheAccountDeletesWhatMovedIntoIt() async throws {
        let phone = try await rig.phone()
        try await rig.signIn(phone)
        try await phone.account.delete()
        #expect(rig.server.users.isEmpty)
        #expect(try !phone.store.hasData() && phone.store.otherUsers().isEmpty)
        #expect(try phone.store.intendedMoves().isEmpty)
    }
}

extension NetworkFault {
    /// No fault: the host's reply, whole.
    fileprivate static let passed = NetworkFault.brokenBody(afterBytes: .max)
}
