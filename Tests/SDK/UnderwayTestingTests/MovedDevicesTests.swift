import Foundation
import OfflineStorage
import SyncClient
import Testing
import UnderwayTesting
import UserData

/// Other devices and copies of an account that moves, and what both accounts had.
@Suite(.timeLimit(.minutes(2))) struct MovedDevicesTests {
    private let rig: MoveRig

    init() throws { rig = try MoveRig() }

    private func copy(_ device: MoveRig.Device, to name: String) throws -> MoveRig.Device {
        let folder = device.folder.deletingLastPathComponent().appending(path: name)
        try FileManager.default.copyItem(at: device.folder, to: folder)
        let secrets = MemorySecretStore()
        for secret in ["tokens of \(device.store.user)", "mark of the device"] {
            secrets.set(secret, device.secrets.secret(secret))
        }
        return try rig.open(
            name,
            after: MoveRig.Device(
                folder: folder, secrets: secrets, store: device.store, account: device.account,
                sync: device.sync))
    }

    // MARK: Another device of the moved account

    /// A phone and its copy, which have one account without a sign-in method.
    private func phoneAndCopy() async throws -> (MoveRig.Device, MoveRig.Device) {
        let phone = try rig.open("phone")
        try rig.answer(["q1"], on: phone)
        try rig.put(note: "phone", on: phone)
        #expect(await rig.sync(phone).problem == nil)
        return (phone, try copy(phone, to: "copy"))
    }

    @Test func itHearsWhereItsAccountWentAndSettlesThere() async throws {
        let (phone, copy) = try await phoneAndCopy()
        try rig.answer(["q2"], on: copy)
        try rig.step(4, on: copy)
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        let report = await rig.sync(copy)
        #expect(report.isAccountMoved && report.needsSignIn)
        #expect(
            report.problem
                == "This account was joined with another one. Sign in to that one;"
                + " 2 changes of this device wait for it.")
        #expect(try copy.store.status().lastTry?.code == "movedAccount")
        try await rig.signIn(copy)
        for device in [copy, phone] { #expect(await rig.sync(device).problem == nil) }
        for device in [copy, phone] {
            #expect(try rig.questions(device) == ["q1", "q2"])
            #expect(try device.store.record(MoveRig.Points.self, id: "p")?.n == 4)
            #expect(try device.store.status().isSynced)
            #expect(try device.store.otherUsers().isEmpty)
        }
        #expect(rig.server.users == [rig.ada] && rig.served == ["q1", "q2"])
    }

    /// What both have still to send is there once, whoever joins first.
    @Test(arguments: [false, true])
    func whatWaitsOnBothIsThereOnce(copyIsFirst: Bool) async throws {
        let phone = try rig.open("phone")
        try rig.answer(["q1"], on: phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.answer(["q2"], on: phone)
        try rig.step(4, on: phone)
        let copy = try copy(phone, to: "copy")
        try rig.answer(["q3"], on: copy)
        try rig.step(10, on: copy)
        try rig.step(100, on: phone)
        for device in copyIsFirst ? [copy, phone] : [phone, copy] { try await rig.signIn(device) }
        for device in [copy, phone, copy, phone] {
            #expect(await rig.sync(device).problem == nil)
        }
        for device in [copy, phone] {
            #expect(try rig.questions(device) == ["q1", "q2", "q3"])
            #expect(try device.store.record(MoveRig.Points.self, id: "p")?.n == 114)
            #expect(try device.store.status().isSynced)
        }
        #expect(rig.server.users == [rig.ada])
    }

    /// The same in one account.
    @Test(arguments: [[0, 1, 2], [2, 1, 0]])
    func whatWaitsOnThreeCopiesOfOneAccountIsThereOnce(order: [Int]) async throws {
        let phone = try rig.open("phone")
        try await rig.signIn(phone)
        try rig.answer(["q1"], on: phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.answer(["q2"], on: phone)
        try rig.step(4, on: phone)
        let devices = [phone, try copy(phone, to: "copy"), try copy(phone, to: "third")]
        for (index, device) in devices.enumerated() {
            try rig.step([10, 100, 1_000][index], on: device)
            try rig.answer(["q\(index + 3)"], on: device)
        }
        for index in order + order + order {
            #expect(await rig.sync(devices[index]).problem == nil)
        }
        for device in devices {
            #expect(try rig.questions(device) == ["q1", "q2", "q3", "q4", "q5"])
            #expect(try device.store.record(MoveRig.Points.self, id: "p")?.n == 1_114)
            #expect(try device.store.status().isSynced)
        }
    }

    @Test func signedInElsewhereItKeepsWhatWaits() async throws {
        let (phone, copy) = try await phoneAndCopy()
        try rig.answer(["q2"], on: copy)
        try await rig.signIn(phone)
        let eve = try #require(
            rig.server.addAccount(email: "eve@example.org", password: MoveRig.password))
        try await copy.account.signIn(
            email: "eve@example.org", password: MoveRig.password, bringing: .everything)
        #expect(await rig.sync(copy).problem == nil)
        #expect(copy.store.user == eve && rig.server.answers(of: eve).isEmpty)
        let other = try #require(try copy.store.otherUsers().first)
        #expect(other.obstacle == "movedElsewhere" && other.waitingCount == 1)
        // What waits may come along all the same; the account is joined with the third one.
        try await copy.account.bring(from: other.user)
        #expect(await rig.sync(copy).problem == nil)
        #expect(try copy.store.otherUsers().isEmpty)
        #expect(try rig.questions(copy) == ["q1", "q2"])
        #expect(rig.server.answers(of: eve).count == 2)
    }

    /// What the server applied of a request whose reply was lost is there once.
    @Test func whatWasSentBeforeTheMoveIsThereOnce() async throws {
        let (phone, copy) = try await phoneAndCopy()
        try rig.step(4, on: copy)
        try rig.answer(["q2"], on: copy)
        rig.network.fail("exchange", with: .replyLost, times: 1)
        await rig.sync(copy)
        try await rig.signIn(phone)
        try await rig.signIn(copy)
        for device in [copy, phone] { #expect(await rig.sync(device).problem == nil) }
        #expect(rig.server.records(MoveRig.Points.self, of: rig.ada).map(\.value.n) == [4])
        #expect(rig.served == ["q1", "q2"])
    }

    // MARK: Copies without a sign-in method

    /// Issue 1.3: a device that was put back from a backup signs its live copy out no more.
    @Test func aDevicePutBackAfterTwoRenewalsAndItsLiveCopyGoOn() async throws {
        let (live, backup) = try await phoneAndCopy()
        for question in ["q2", "q3"] {
            rig.server.expireAccessTokens()
            try rig.answer([question], on: live)
            #expect(await rig.sync(live).problem == nil)
        }
        rig.server.expireAccessTokens()
        try rig.answer(["q4"], on: backup)
        for _ in 0..<3 {
            for device in [backup, live] {
                rig.server.expireAccessTokens()
                let report = await rig.sync(device)
                #expect(report.problem == nil && !report.needsSignIn)
            }
        }
        let user = live.store.user
        #expect(rig.server.answers(of: user).map(\.question).sorted() == ["q1", "q2", "q3", "q4"])
        for device in [backup, live] {
            #expect(device.store.user == user)
            #expect(try rig.questions(device) == ["q1", "q2", "q3", "q4"])
            #expect(try device.store.status().isSynced)
        }
        // Starting over takes all four along.
        let new = try await backup.account.startOver()
        #expect(await rig.sync(backup).problem == nil)
        #expect(rig.server.answers(of: new).count == 4)
    }

    /// Two devices of an account that nobody can sign in to: each takes what it has into an account of its own.
    @Test func eachOfTwoCopiesStartsOver() async throws {
        let (live, copy) = try await phoneAndCopy()
        let former = live.store.user
        try rig.answer(["q2"], on: copy)
        let first = try await live.account.startOver()
        #expect(await rig.sync(copy).isAccountMoved)
        let second = try await copy.account.startOver()
        for device in [live, copy] {
            #expect(await rig.sync(device).problem == nil)
            #expect(try device.store.status().isSynced && device.store.otherUsers().isEmpty)
        }
        #expect(rig.server.answers(of: first).map(\.question) == ["q1"])
        #expect(rig.server.answers(of: second).map(\.question).sorted() == ["q1", "q2"])
        #expect(![first, second].contains(former))
    }

    // MARK: Differences

    private func differing() async throws -> MoveRig.Device {
        let tablet = try rig.open("tablet")
        try await rig.signIn(tablet, .nothing)
        let phone = try rig.open("phone")
        try rig.put(goal: "phone", on: phone)
        try rig.put(note: "phone", on: phone)
        try rig.put(goal: "tablet", on: tablet)
        try rig.put(note: "tablet", on: tablet)
        for device in [tablet, phone] { #expect(await rig.sync(device).problem == nil) }
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        #expect(await rig.sync(tablet).problem == nil)
        return tablet
    }

    /// Every device of the account shows what the move could not merge.
    @Test(arguments: [ConflictResolution<MoveRig.Goal>.mine, .theirs, .value(.init(text: "both"))])
    func whatDiffersIsDecidedOnAnyDevice(
        resolution: ConflictResolution<MoveRig.Goal>
    ) async throws {
        let tablet = try await differing()
        let conflict = try #require(try tablet.store.conflicts(of: MoveRig.Goal.self).first)
        #expect(conflict.mine?.text == "phone" && conflict.theirs?.text == "tablet")
        #expect(try !tablet.store.status().isSynced)
        try tablet.store.resolve(conflict, with: resolution, now: rig.clock.now)
        #expect(try tablet.store.conflicts().isEmpty)
        let phone = try rig.open("other")
        try await rig.signIn(phone)
        for device in [tablet, phone] {
            #expect(await rig.sync(device).problem == nil)
            #expect(try device.store.conflicts().isEmpty)
            let expected =
                switch resolution {
                case .mine: "phone"
                case .theirs: "tablet"
                case .value(let goal): goal.text
                }
            #expect(try device.store.record(MoveRig.Goal.self, id: "g")?.text == expected)
            #expect(try device.store.status().isSynced)
        }
    }

    @Test func whatLostIsANotice() async throws {
        let tablet = try await differing()
        let notice = try #require(try tablet.store.notices().first)
        #expect(notice.mine.change == .put(["text": "phone"]))
        #expect(notice.theirs.values["text"] == "tablet")
        try tablet.store.dismiss(notice.id, now: rig.clock.now)
        #expect(try tablet.store.notices().isEmpty)
        #expect(await rig.sync(tablet).problem == nil)
        let phone = try rig.open("other")
        try await rig.signIn(phone)
        #expect(await rig.sync(phone).problem == nil)
        #expect(try phone.store.notices().isEmpty)
    }

    /// A conflict that was open in the former account is asked again in the other one.
    @Test func anOpenConflictComesAlong() async throws {
        let (phone, copy) = try await phoneAndCopy()
        try rig.put(goal: "phone", on: phone)
        #expect(await rig.sync(phone).problem == nil)
        try rig.put(goal: "copy", on: copy)
        #expect(await rig.sync(copy).conflictCount == 1)
        try await rig.signIn(copy)
        #expect(await rig.sync(copy).problem == nil)
        let conflict = try #require(try copy.store.conflicts(of: MoveRig.Goal.self).first)
        #expect(conflict.mine?.text == "copy" && conflict.theirs?.text == "phone")
    }
}
