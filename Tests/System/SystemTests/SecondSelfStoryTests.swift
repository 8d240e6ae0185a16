import Boards
import Foundation
import GRDB
import Ledger
import OfflineStorage
import SyncClient
import TestSupport
import Testing
import UserData

/// Who signs in has no second self: one place on each board, and nothing is left after a deletion.
@Suite struct SecondSelfStoryTests {
    private static let email = "ada@example.org"
    private static let password = "correct horse"

    private let world: DeviceWorld
    private let tablet: DeviceWorld.Device

    init() async throws {
        world = try await DeviceWorld()
        let boards = try #require(world.users.boards)
        try await boards.storage.set(BoardDefinition(name: "es", bank: world.bank.name))
        tablet = try world.open("tablet")
        try world.answer(["q1", "q2"], on: tablet)
        try world.put("from the tablet", "n1", on: tablet)
        try await tablet.account.upgrade(email: Self.email, password: Self.password)
        #expect(await world.sync(tablet).problem == nil)
    }

    private func signIn(_ device: DeviceWorld.Device, _ bringing: BroughtData) async throws {
        try await device.account.signIn(
            email: Self.email, password: Self.password, bringing: bringing)
    }

    private func phone() async throws -> DeviceWorld.Device {
        let phone = try world.open("phone")
        try world.answer(["q3"], on: phone)
        try world.put("from the phone", "n2", on: phone)
        #expect(await world.sync(phone).problem == nil)
        return phone
    }

    private func board(_ device: DeviceWorld.Device) async throws -> BoardPage {
        _ = try await world.users.boards?.refresh()
        return try await device.account.board("es", .all, now: world.clock.now).page
    }

    /// Two anonymous phones come into one account.
    @Test func allOfALearnersAccountsHaveOnePlace() async throws {
        let phone = try await phone()
        #expect(try await board(phone).placeCount == 2)
        try await signIn(phone, .everything)
        #expect(await world.sync(phone).problem == nil)
        let page = try await board(phone)
        #expect(page.placeCount == 1 && page.own?.score == 30)
        #expect(await world.sync(tablet).problem == nil)
        #expect(try world.shown(tablet) == world.shown(phone))
    }

    /// No row of any table names the account or what moved into it.
    @Test func nothingIsLeftAfterADeletion() async throws {
        let phone = try await phone()
        let users = [phone.store.user, tablet.store.user]
        try await signIn(phone, .everything)
        #expect(await world.sync(phone).problem == nil)
        try await phone.account.delete()
        try await world.users.purgeAccounts()
        #expect(try phone.store.otherUsers().isEmpty && phone.store.intendedMoves().isEmpty)
        #expect(try rows(users + ["from the phone", "from the tablet"]) == [])
        #expect(await world.sync(tablet).isAccountGone)
        #expect(try await board(try await newcomer()).placeCount == 0)
    }

    /// Returns the rows of the server's database that have one of these texts.
    private func rows(_ texts: [String]) throws -> [String] {
        try StoredRows.naming(texts, in: world.folder.path + "/users/users.sqlite")
    }

    private func newcomer() async throws -> DeviceWorld.Device {
        let device = try world.open("newcomer")
        try await device.account.ensure()
        return device
    }

    @Test func startingOverLeavesNoAccountBehind() async throws {
        let phone = try await phone()
        try world.answer(["q4"], on: phone)
        let former = phone.store.user
        try await phone.account.startOver()
        #expect(phone.store.user != former)
        #expect(await world.sync(phone).problem == nil)
        #expect(try world.questions(phone) == ["q3", "q4"])
        #expect(try phone.store.status().isSynced)
        #expect(try await board(phone).placeCount == 2)
    }

    /// A backup of an anonymous device is put back after two renewals: both go on, and all four answers arrive.
    @Test func aDevicePutBackSignsItsLiveCopyOutNoMore() async throws {
        do {
            let phone = try world.open("live")
            try world.answer(["q3"], on: phone)
            #expect(await world.sync(phone).problem == nil)
        }
        try world.copy("live", to: "backup", withSecrets: true)
        let (live, backup) = (try world.open("live"), try world.open("backup"))
        for question in ["q4", "q5"] {
            world.clock.advance(3600)
            try world.answer([question], on: live)
            #expect(await world.sync(live).problem == nil)
        }
        try world.answer(["q6"], on: backup)
        for _ in 0..<3 {
            for device in [backup, live] {
                world.clock.advance(3600)
                let report = await world.sync(device)
                #expect(report.problem == nil && !report.needsSignIn, "\(report)")
            }
        }
        for device in [backup, live] {
            #expect(device.store.user == live.store.user)
            #expect(try world.questions(device) == ["q3", "q4", "q5", "q6"])
            #expect(try device.store.status().isSynced)
        }
        try await backup.account.startOver()
        #expect(await world.sync(backup).problem == nil)
        #expect(try world.questions(backup) == ["q3", "q4", "q5", "q6"])
        #expect(try backup.store.status().isSynced)
        // The live copy hears where its account went.
        #expect(await world.sync(live).isAccountMoved)
    }
}
