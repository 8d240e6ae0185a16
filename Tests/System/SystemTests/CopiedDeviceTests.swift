import Foundation
import OfflineStorage
import SyncClient
import Testing

/// Devices that were restored from a backup, or run beside their copy: what is written afterwards
/// arrives, what was sent before is there once.
@Suite struct CopiedDeviceTests {
    private static let email = "ada@example.org"
    private static let password = "correct horse"

    /// A phone with an account and some data, everything on the server, and its copy in `backup`.
    private func begin(
        _ world: DeviceWorld, pending: Bool, withSecrets: Bool
    ) async throws {
        let phone = try world.open("phone")
        try world.put("one", "n1", on: phone)
        try world.step(1, on: phone)
        try world.answer(["q1"], on: phone)
        try await phone.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(phone).problem == nil)
        if pending {
            try world.put("two", "n2", on: phone)
            try world.step(10, on: phone)
            try world.answer(["q2"], on: phone)
        }
        try world.copy("phone", to: "backup", withSecrets: withSecrets)
    }

    private func signIn(_ device: DeviceWorld.Device) async throws {
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: .everything)
    }

    /// Syncs all until nothing moves, and says what each shows.
    private func meet(_ world: DeviceWorld, _ devices: DeviceWorld.Device...) async throws {
        for _ in 0..<4 {
            for device in devices {
                let report = await world.sync(device)
                #expect(report.problem == nil)
            }
        }
        for device in devices {
            #expect(try device.store.status().isSynced)
            #expect(try world.shown(device) == world.shown(devices[0]))
        }
    }

    @Test(arguments: [false, true], [false, true])
    func aPhonePutBackSendsWhatItWritesNext(pending: Bool, withSecrets: Bool) async throws {
        let world = try await DeviceWorld()
        try await begin(world, pending: pending, withSecrets: withSecrets)
        do {
            let phone = try world.open("phone")
            try world.put("later", "n3", on: phone)
            try world.step(100, on: phone)
            try world.answer(["q3", "q4"], on: phone)
            #expect(await world.sync(phone).problem == nil)
            #expect(await world.sync(phone).problem == nil)
        }
        try world.copy("backup", to: "phone", withSecrets: withSecrets)
        let phone = try world.open("phone")
        if !withSecrets { try await signIn(phone) }
        try world.put("after", "n4", on: phone)
        try world.step(1000, on: phone)
        try world.answer(["q5"], on: phone)
        let tablet = try world.open("tablet")
        try await signIn(tablet)
        try await meet(world, phone, tablet)
        var expected = DeviceWorld.Shown(
            notes: ["n1": "one", "n3": "later", "n4": "after"], points: 1101,
            questions: ["q1", "q3", "q4", "q5"])
        if pending {
            expected.notes["n2"] = "two"
            expected.points += 10
            expected.questions = ["q1", "q2", "q3", "q4", "q5"]
        }
        #expect(try world.shown(tablet) == expected)
    }

    /// What waited in the backup may be sent by either first, and is there once.
    @Test(arguments: [false, true])
    func aCopyThatIsFasterThanItsOriginalDoublesNothing(withSecrets: Bool) async throws {
        let world = try await DeviceWorld()
        try await begin(world, pending: true, withSecrets: withSecrets)
        let copy = try world.open("backup")
        if !withSecrets { try await signIn(copy) }
        try world.answer(["q3"], on: copy)
        await world.sync(copy)
        let phone = try world.open("phone")
        try world.step(100, on: phone)
        try world.answer(["q4"], on: phone)
        try await meet(world, phone, copy)
        #expect(
            try world.shown(phone)
                == DeviceWorld.Shown(
                    notes: ["n1": "one", "n2": "two"], points: 111,
                    questions: ["q1", "q2", "q3", "q4"]))
    }

    @Test(arguments: [false, true], [false, true])
    func aCopyBesideTheOriginalLosesAndDoublesNothing(pending: Bool, withSecrets: Bool)
        async throws
    {
        let world = try await DeviceWorld()
        try await begin(world, pending: pending, withSecrets: withSecrets)
        let (phone, copy) = (try world.open("phone"), try world.open("backup"))
        if !withSecrets { try await signIn(copy) }
        try world.put("mine", "n3", on: phone)
        try world.put("copied", "n4", on: copy)
        try world.step(100, on: phone)
        try world.step(1000, on: copy)
        try world.answer(["q3"], on: phone)
        try world.answer(["q4", "q5"], on: copy)
        await world.sync(phone)
        // The copy goes on without the network for a while, so that its numbers run ahead.
        try world.answer(["q6"], on: copy)
        await world.sync(copy)
        try world.step(10_000, on: phone)
        try world.answer(["q7"], on: phone)
        try await meet(world, phone, copy)
        var expected = DeviceWorld.Shown(
            notes: ["n1": "one", "n3": "mine", "n4": "copied"], points: 11_101,
            questions: ["q1", "q3", "q4", "q5", "q6", "q7"])
        if pending {
            expected.notes["n2"] = "two"
            expected.points += 10
            expected.questions.insert("q2", at: 1)
        }
        #expect(try world.shown(copy) == expected)
    }

    /// Steps that wait on each of several copies count once, whoever sends them first and whoever goes on with more; so
    /// do answers. The original may be retired meanwhile.
    @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2]], [false, true])
    func whatWaitsOnThreeCopiesIsThereOnce(order: [Int], isRetired: Bool) async throws {
        let world = try await DeviceWorld()
        try await begin(world, pending: true, withSecrets: true)
        try world.copy("backup", to: "third", withSecrets: true)
        let devices = try ["phone", "backup", "third"].map { try world.open($0) }
        for (index, device) in devices.enumerated() {
            try world.step([100, 1_000, 10_000][index], on: device)
            try world.answer(["q\(index + 3)"], on: device)
        }
        if isRetired {
            let account = devices[0].account
            for device in try await account.devices() { try await account.removeDevice(device.id) }
        }
        for index in order { await world.sync(devices[index]) }
        try await meet(world, devices[0], devices[1], devices[2])
        #expect(
            try world.shown(devices[0])
                == DeviceWorld.Shown(
                    notes: ["n1": "one", "n2": "two"], points: 11_111,
                    questions: ["q1", "q2", "q3", "q4", "q5"]))
    }

    /// A phone and its backup, brought into another account: without its secrets a copy cannot have the account moved, and
    /// takes what it has along.
    @Test(arguments: [false, true], [false, true])
    func whatCopiesBringIntoAnotherAccountIsThereOnce(phoneHasSecrets: Bool, copyIsFirst: Bool)
        async throws
    {
        let world = try await DeviceWorld()
        do {
            let image = try world.open("image")
            try world.step(1, on: image)
            try world.answer(["q1"], on: image)
            try await image.account.ensure()
            #expect(await world.sync(image).problem == nil)
            try world.step(10, on: image)
            try world.answer(["q2"], on: image)
            try world.put("waits", "n1", on: image)
        }
        try world.copy("image", to: "phone", withSecrets: phoneHasSecrets)
        try world.copy("image", to: "copy", withSecrets: false)
        let owner = try world.open("owner")
        try world.step(100, on: owner)
        try await owner.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(owner).problem == nil)
        let devices = [try world.open("phone"), try world.open("copy")]
        try world.step(1_000, on: devices[0])
        try world.answer(["q3"], on: devices[1])
        for device in copyIsFirst ? devices.reversed() : devices { try await signIn(device) }
        try await meet(world, owner, devices[0], devices[1])
        #expect(
            try world.shown(owner)
                == DeviceWorld.Shown(
                    notes: ["n1": "waits"], points: 1_111, questions: ["q1", "q2", "q3"]))
    }

    /// An imaged tablet, or a backup that was made while signed out: each copy goes on and gets an
    /// account of its own, and then both enter one account.
    @Test(arguments: [false, true])
    func copiesOfAStoreWithoutAnAccountLoseNothing(haveAccounts: Bool) async throws {
        let world = try await DeviceWorld()
        do {
            let image = try world.open("one")
            try world.answer(["q1"], on: image)
            try world.step(1, on: image)
        }
        try world.copy("one", to: "two", withSecrets: true)
        let owner = try world.open("owner")
        try world.answer(["q0"], on: owner)
        try await owner.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(owner).problem == nil)
        let copies = [try world.open("one"), try world.open("two")]
        for (copy, questions) in zip(copies, [["q2", "q3"], ["q4", "q5"]]) {
            try world.answer(questions, on: copy)
            try world.step(10, on: copy)
            if haveAccounts { #expect(await world.sync(copy).problem == nil) }
            try await signIn(copy)
            #expect(await world.sync(copy).problem == nil)
        }
        try await meet(world, owner, copies[0], copies[1])
        let newcomer = try world.open("newcomer")
        try await signIn(newcomer)
        #expect(await world.sync(newcomer).problem == nil)
        let expected = DeviceWorld.Shown(
            points: 21, questions: ["q0", "q1", "q2", "q3", "q4", "q5"])
        for device in [owner, copies[0], copies[1], newcomer] {
            #expect(try world.shown(device) == expected)
            #expect(try device.store.status().isSynced)
        }
    }
}
