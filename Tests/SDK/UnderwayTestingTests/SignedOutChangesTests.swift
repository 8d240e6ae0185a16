import Foundation
import OfflineStorage
import SyncClient
import Testing
import UnderwayTesting
import UserData

/// What a user did not send before signing out: it is counted, and lost in no contradiction.
@Suite struct SignedOutChangesTests {
    private struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .askUser)
        var text: String
    }

    private struct Note: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("notes", .lastWriteWins)
        var text: String
    }

    private static let email = "ada@example.org"
    private static let password = "correct horse"

    private let server = TestSyncServer(collections: [Goal.collection, Note.collection])
    private let network: TestNetwork
    private let clock = TestClock()
    private let tablet: TestDevice
    private let phone: TestDevice

    init() throws {
        network = TestNetwork(server)
        let all = [Goal.collection, Note.collection]
        tablet = try TestDevice(network: network, collections: all, clock: clock)
        phone = try TestDevice(network: network, collections: all, clock: clock)
        server.addAccount(email: Self.email, password: Self.password)
    }

    private func signIn(_ device: TestDevice, _ bringing: BroughtData) async throws {
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: bringing)
    }

    private func sync(_ device: TestDevice) async {
        clock.advance(by: .seconds(60))
        #expect(await device.userDataSync.sync().problem == nil)
    }

    private func put(_ text: String, on device: TestDevice, isNote: Bool) throws {
        clock.advance(by: .seconds(1))
        if isNote { return try device.userData.put(Note(text: text), id: "r", now: clock.now) }
        try device.userData.put(Goal(text: text), id: "r", now: clock.now)
    }

    /// Every text that a device still has somewhere.
    private func texts(_ store: UserStore) throws -> Set<String> {
        func fields(_ change: Change) -> [FieldValue] {
            if case .put(let fields) = change { Array(fields.values) } else { [] }
        }
        let shown =
            try store.records(Goal.self).map(\.value.text)
            + store.records(Note.self).map(\.value.text)
        var values = try store.conflicts().flatMap {
            fields($0.mine.change) + $0.theirs.values.values
        }
        values += try store.notices().flatMap { fields($0.mine.change) + $0.theirs.values.values }
        values += try store.outbox().flatMap { fields($0.operation.change) }
        values += try store.rejected().flatMap { fields($0.operation.change) }
        var texts = Set(shown)
        for case .text(let text) in values { texts.insert(text) }
        return texts
    }

    /// Each change is unsent or made signed out, by one order of the three last ones.
    @Test(arguments: [false, true], [false, true])
    func nothingIsLostInAContradiction(isNote: Bool, isPhoneLast: Bool) async throws {
        for device in [tablet, phone] { try await signIn(device, .nothing) }
        try put("zero", on: tablet, isNote: isNote)
        await sync(tablet)
        await sync(phone)
        try put("unsent", on: tablet, isNote: isNote)
        try await tablet.account.signOut(erasing: false)
        #expect(try tablet.userData.status().othersWaiting == 1)
        if !isPhoneLast { try put("phone", on: phone, isNote: isNote) }
        try put("signed out", on: tablet, isNote: isNote)
        if isPhoneLast { try put("phone", on: phone, isNote: isNote) }
        await sync(phone)
        try await signIn(tablet, .everything)
        #expect(try tablet.userData.status().othersWaiting == 0)
        for device in [tablet, phone, tablet] { await sync(device) }
        let all = try texts(tablet.userData).union(texts(phone.userData))
        #expect(all.isSuperset(of: ["unsent", "signed out", "phone"]), "\(all)")
    }

    @Test(arguments: [false, true])
    func theLaterOfTwoOwnChangesTellsOfTheEarlier(isNote: Bool) async throws {
        try await signIn(tablet, .nothing)
        try put("unsent", on: tablet, isNote: isNote)
        try await tablet.account.signOut(erasing: false)
        try put("signed out", on: tablet, isNote: isNote)
        try await signIn(tablet, .everything)
        await sync(tablet)
        #expect(try texts(tablet.userData).isSuperset(of: ["unsent", "signed out"]))
    }

    @Test func whatWaitsStaysUntilItIsErasedOnPurpose() async throws {
        try await signIn(tablet, .nothing)
        let user = tablet.userData.user
        try put("unsent", on: tablet, isNote: true)
        try await tablet.account.signOut(erasing: false)
        try put("local", on: tablet, isNote: true)
        await sync(tablet)
        #expect(try tablet.userData.status().othersWaiting == 1)
        #expect(throws: StoreError.self) { try tablet.userData.erase(user: user) }
        #expect(try tablet.userData.status().othersWaiting == 1)
        try tablet.userData.erase(user: user, lossIsAccepted: true)
        #expect(try tablet.userData.status().othersWaiting == 0)
    }
}
