import Foundation
import OfflineStorage
import SyncClient
import Testing
import UserData

/// What was done before somebody signs in is taken along or left, as the user says, and never lost.
@Suite struct SignInTests {
    private static let email = "ada@example.org"
    private static let password = "correct horse"

    private func makeAccount(_ world: DeviceWorld) async throws -> DeviceWorld.Device {
        let tablet = try world.open("tablet")
        try world.put("from the tablet", "n1", on: tablet)
        try world.answer(["q1"], on: tablet)
        try await tablet.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(tablet).problem == nil)
        return tablet
    }

    private func signIn(_ device: DeviceWorld.Device, _ bringing: BroughtData) async throws {
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: bringing)
    }

    /// A phone whose anonymous account has data already.
    private func anonymousPhone(_ world: DeviceWorld) async throws -> DeviceWorld.Device {
        let phone = try world.open("phone")
        try world.put("from the phone", "n2", on: phone)
        try world.step(3, on: phone)
        try world.answer(["q2"], on: phone)
        #expect(await world.sync(phone).problem == nil)
        try world.answer(["q3"], on: phone)
        return phone
    }

    @Test func everythingOfAnAnonymousAccountComesAlongOnce() async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        let phone = try await anonymousPhone(world)
        try await signIn(phone, .everything)
        for device in [phone, tablet, phone, tablet] {
            #expect(await world.sync(device).problem == nil)
        }
        let all = DeviceWorld.Shown(
            notes: ["n1": "from the tablet", "n2": "from the phone"], points: 3,
            questions: ["q1", "q2", "q3"])
        #expect(try world.shown(tablet) == all)
        #expect(try world.shown(phone) == all)
        #expect(try phone.store.otherUsers().isEmpty)
        // Signing in once more, also in a new process, doubles nothing.
        let again = try world.open("phone")
        try await signIn(again, .everything)
        for device in [again, tablet] { #expect(await world.sync(device).problem == nil) }
        #expect(try world.shown(tablet) == all)
    }

    @Test func whatIsLeftIsNamedAndCanComeLater() async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        let phone = try await anonymousPhone(world)
        let former = phone.store.user
        try await signIn(phone, .nothing)
        #expect(await world.sync(phone).problem == nil)
        #expect(try world.shown(phone) == world.shown(tablet))
        let other = try #require(try phone.store.otherUsers().first)
        #expect(other.user == former)
        #expect(other.recordCount == 2 && other.answerCount == 2 && other.waitingCount == 1)
        #expect(try phone.store.export(user: former).count > 100)
        try phone.store.bring(from: former, now: world.clock.now)
        for device in [phone, tablet] { #expect(await world.sync(device).problem == nil) }
        #expect(try world.shown(tablet).questions == ["q1", "q2", "q3"])
    }

    /// A new phone from the backup of an old one, and the old one: both go on, then both sign in.
    @Test(arguments: [false, true])
    func aCopyAndItsOriginalBringTheirDataOnce(withSecrets: Bool) async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        do {
            let phone = try world.open("phone")
            try world.answer(["q2"], on: phone)
            try world.step(5, on: phone)
            #expect(await world.sync(phone).problem == nil)
        }
        try world.copy("phone", to: "copy", withSecrets: withSecrets)
        let (phone, copy) = (try world.open("phone"), try world.open("copy"))
        try world.answer(["q3", "q4"], on: phone)
        try world.step(30, on: phone)
        try world.answer(["q5", "q6"], on: copy)
        try world.step(400, on: copy)
        for device in [phone, copy] {
            try await signIn(device, .everything)
            let report = await world.sync(device)
            #expect(report.problem == nil, "\(report)")
        }
        for _ in 0..<3 {
            for device in [phone, copy, tablet] { #expect(await world.sync(device).problem == nil) }
        }
        for device in [phone, copy, tablet] {
            #expect(try world.shown(device).questions == ["q1", "q2", "q3", "q4", "q5", "q6"])
            #expect(try world.shown(device).points == 435)
            #expect(try device.store.status().isSynced)
        }
    }

    @Test func countersWithEqualSumsAddUp() async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        let phone = try world.open("phone")
        for device in [tablet, phone] {
            try world.step(5, on: device)
            #expect(await world.sync(device).problem == nil)
        }
        // The tablet's data is on the phone before the phone's own comes along.
        let former = phone.store.user
        try await signIn(phone, .nothing)
        #expect(await world.sync(phone).problem == nil)
        try phone.store.bring(from: former, now: world.clock.now)
        for device in [phone, tablet] { #expect(await world.sync(device).problem == nil) }
        #expect(try world.shown(tablet).points == 10)
    }

    @Test func anotherProcessLearnsWhoSignedIn() async throws {
        let world = try await DeviceWorld()
        _ = try await makeAccount(world)
        let (one, other) = (try world.open("phone"), try world.open("phone"))
        try world.put("before", "n2", on: one)
        #expect(await world.sync(other).problem == nil)
        #expect(one.store.user == other.store.user)
        try world.put("after", "n3", on: one)
        try await signIn(other, .everything)
        try world.answer(["q8"], on: one)
        #expect(await world.sync(one).problem == nil)
        #expect(try one.store.status().isSynced)
        #expect(try world.shown(one) == world.shown(other))
        #expect(try world.shown(one).notes.keys.sorted() == ["n1", "n2", "n3"])
        #expect(try world.shown(one).questions == ["q1", "q8"])
    }

    @Test func anAccountThatNobodyCouldReachIsNotErasedUnasked() async throws {
        let world = try await DeviceWorld()
        let phone = try await anonymousPhone(world)
        #expect(await world.sync(phone).problem == nil)
        let error = await #expect(throws: StoreError.self) {
            try await phone.account.signOut(erasing: true)
        }
        #expect(error?.code == .unsent)
        try await phone.account.upgrade(email: "eve@example.org", password: Self.password)
        try await phone.account.signOut(erasing: true)
        #expect(try phone.store.records(DeviceWorld.Note.self).isEmpty)
    }

    @Test func whatIsDoneSignedOutComesAlong() async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        try await tablet.account.signOut(erasing: false)
        try world.answer(["q9"], on: tablet)
        try world.put("signed out", "n9", on: tablet)
        try await signIn(tablet, .everything)
        #expect(await world.sync(tablet).problem == nil)
        #expect(try world.shown(tablet).questions == ["q1", "q9"])
        #expect(try world.shown(tablet).notes["n9"] == "signed out")
    }

    @Test func whatContradictsTheAccountGoesToTheInbox() async throws {
        let world = try await DeviceWorld()
        let tablet = try world.open("tablet")
        try tablet.store.put(
            Reservation(exam: "de/swift", date: "2027-01-01"), id: "swift", now: world.clock.now)
        try await tablet.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(tablet).problem == nil)
        let phone = try world.open("phone")
        try phone.store.put(
            Reservation(exam: "de/swift", date: "2027-02-02"), id: "swift", now: world.clock.now)
        #expect(await world.sync(phone).problem == nil)
        try await signIn(phone, .everything)
        #expect(await world.sync(phone).conflictCount == 1)
        let conflict = try #require(try phone.store.conflicts().first)
        #expect(conflict.mine.change.putsDate("2027-02-02"))
        #expect(conflict.theirs.values["date"] == "2027-01-01")
    }

    @Test func theDataOfADeletedAccountStartsOver() async throws {
        let world = try await DeviceWorld()
        let tablet = try await makeAccount(world)
        let phone = try world.open("phone")
        try await signIn(phone, .everything)
        #expect(await world.sync(phone).problem == nil)
        try await tablet.account.delete()
        try world.answer(["q5"], on: phone)
        let report = await world.sync(phone)
        #expect(report.isAccountGone)
        #expect(try !phone.store.status().isSynced)
        try await phone.account.startOver()
        #expect(await world.sync(phone).problem == nil)
        #expect(try phone.store.status().isSynced)
        #expect(try world.shown(phone).questions == ["q1", "q5"])
        #expect(try world.shown(phone).notes == ["n1": "from the tablet"])
    }
}

extension Change {
    fileprivate func putsDate(_ date: FieldValue) -> Bool {
        if case .put(let fields) = self { fields["date"] == date } else { false }
    }
}
