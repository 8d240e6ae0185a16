import Foundation
import OfflineStorage
import SyncClient
import Testing
import UserData

/// Changes that the server refuses, and data that is more than one request or reply may have.
@Suite struct RefusedAndLargeTests {
    @Test func aRecordThatBreaksItsRulesIsRefusedWhenItIsWritten() async throws {
        let world = try await DeviceWorld()
        let phone = try world.open("phone")
        let error = #expect(throws: StoreError.self) {
            try phone.store.put(
                Favourite(bank: "es", note: String(repeating: "n", count: 1_001)), id: "f",
                now: world.clock.now)
        }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("\"note\"") == true)
        #expect(try phone.store.outbox().isEmpty)
        let long = String(repeating: "x", count: 16_000)
        #expect(throws: StoreError.self) {
            try phone.store.put(
                Five(a: long, b: long, c: long, d: long, e: long), id: "n", now: world.clock.now)
        }
    }

    /// Each field fits, the record does not.
    struct Five: CollectionRecord {
        static let collection = DeviceWorld.Note.collection
        var a, b, c, d, e: String
    }

    @Test func aCollectionThatTheServerDoesNotKnowIsSaidAndNothingIsLost() async throws {
        let world = try await DeviceWorld(serving: [DeviceWorld.Points.collection])
        let phone = try world.open("phone")
        try world.put("text", "n1", on: phone)
        let report = await world.sync(phone)
        #expect(report.rejectedCount == 1)
        #expect(report.problem?.contains("notes") == true)
        #expect(report.problem?.contains("underway.yaml") == true)
        let status = try phone.store.status()
        #expect(!status.isSynced)
        #expect(status.rejectedCount == 1)
        #expect(try world.shown(phone).notes == ["n1": "text"])
        #expect(throws: StoreError.self) { try phone.store.signOut(erasing: true) }
        // Other data goes on.
        try world.step(1, on: phone)
        #expect(await world.sync(phone).retryAt == nil)
        #expect(try phone.store.status().waitingCount == 0)
        // A new text takes the refused one's place; giving up shows what the server has.
        try world.put("better", "n1", on: phone)
        await world.sync(phone)
        let refused = try phone.store.rejected()
        #expect(refused.map(\.operation.change) == [.put(["text": "better"])])
        try phone.store.retry(refused[0].operation.id, now: world.clock.now)
        #expect(try phone.store.outbox().count == 1)
        await world.sync(phone)
        try phone.store.dismiss(
            try #require(try phone.store.rejected().first).operation.id, now: world.clock.now)
        #expect(try world.shown(phone).notes.isEmpty)
        #expect(await world.sync(phone).problem == nil)
        #expect(try phone.store.status().isSynced)
    }

    @Test func fieldsThatAnotherDeviceChangedAreNotOverwritten() async throws {
        let world = try await DeviceWorld()
        let phone = try world.open("phone")
        try phone.store.put(
            DeviceWorld.Profile(name: "Ada", city: "London"), id: "me", now: world.clock.now)
        try await phone.account.upgrade(email: "ada@example.org", password: "correct horse")
        let tablet = try world.open("tablet")
        try await tablet.account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
        for device in [phone, tablet] { #expect(await world.sync(device).problem == nil) }
        world.clock.advance(5)
        try phone.store.put(
            DeviceWorld.Profile(name: "Ada", city: "Paris"), id: "me", now: world.clock.now)
        world.clock.advance(5)
        try tablet.store.put(
            DeviceWorld.Profile(name: nil, city: "London"), id: "me", now: world.clock.now)
        for device in [phone, tablet, phone] { #expect(await world.sync(device).problem == nil) }
        for device in [phone, tablet] {
            #expect(
                try device.store.record(DeviceWorld.Profile.self, id: "me")
                    == DeviceWorld.Profile(name: nil, city: "Paris"))
        }
    }

    @Test func manyLongRecordsGoUpAndDownInPieces() async throws {
        let world = try await DeviceWorld()
        let phone = try world.open("phone")
        let text = String(repeating: "\"long\" ", count: 2_000)
        for number in 0..<250 { try world.put("\(number) \(text)", "n\(number)", on: phone) }
        try await phone.account.upgrade(email: "ada@example.org", password: "correct horse")
        let sent = await world.sync(phone)
        #expect(sent.problem == nil)
        #expect(try phone.store.status().isSynced)
        let tablet = try world.open("tablet")
        try await tablet.account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
        #expect(await world.sync(tablet).problem == nil)
        #expect(try world.shown(tablet) == world.shown(phone))
    }

    @Test func aConflictIsResolvedAsItWasShownOrNotAtAll() async throws {
        let world = try await DeviceWorld()
        let phone = try world.open("phone")
        func reserve(_ date: ExamDate, _ device: DeviceWorld.Device) throws {
            world.clock.advance(5)
            try device.store.put(
                Reservation(exam: "de/swift", date: date), id: "swift", now: world.clock.now)
        }
        try reserve("2027-01-01", phone)
        try await phone.account.upgrade(email: "ada@example.org", password: "correct horse")
        let tablet = try world.open("tablet")
        try await tablet.account.signIn(
            email: "ada@example.org", password: "correct horse", bringing: .everything)
        for device in [phone, tablet] { #expect(await world.sync(device).problem == nil) }
        try reserve("2027-02-02", phone)
        try reserve("2027-03-03", tablet)
        for device in [phone, tablet] { await world.sync(device) }
        let shown = try #require(try tablet.store.conflicts().first)
        #expect(shown.theirs.values["date"] == "2027-02-02")
        // The phone changes its mind before the tablet's user decides.
        try reserve("2027-04-04", phone)
        for device in [phone, tablet] { await world.sync(device) }
        let error = #expect(throws: StoreError.self) {
            try tablet.store.resolve(
                shown.key, .keepMine, shown: shown.tag, now: world.clock.now)
        }
        #expect(error?.code == .outdated)
        let renewed = try #require(try tablet.store.conflicts().first)
        #expect(renewed.theirs.values["date"] == "2027-04-04")
        try tablet.store.resolve(
            shown.key, .keepMine, shown: renewed.tag, now: world.clock.now)
        for device in [tablet, phone] { #expect(await world.sync(device).problem == nil) }
        #expect(try phone.store.record(Reservation.self, id: "swift")?.date == "2027-03-03")
    }
}
