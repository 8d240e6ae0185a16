import Foundation
import ServiceAPI
import Testing
import UserData

@testable import Accounts
@testable import Operations

/// The count of devices by what content they have.
@Suite struct UptakeTests {
    static let adapters = AccountAdapter.allCases

    /// A server's users, each with a device that synced once.
    private struct World {
        let board: BoardWorld
        let uptake: UptakeService

        init(_ adapter: AccountAdapter, users: Int) async throws {
            let board = try await BoardWorld(adapter, users: users)
            for user in board.users { try await board.answer(user, []) }
            self.board = board
            uptake = UptakeService(board.accounts.uptake) { board.clock.now }
        }

        func note(
            _ user: Int, _ release: Int, _ obstacle: InstalledContent.Obstacle? = nil
        ) async throws {
            let name = board.users[user]
            try await uptake.note(
                InstalledContent(release: release, obstacle: obstacle), of: name,
                client: ClientID("device of \(name)"))
        }

        func pass(days: Double) { board.clock.set(board.clock.now + days * 86_400) }
    }

    @Test(arguments: adapters)
    func aDeviceCountsOnceWithWhatItHasNow(adapter: AccountAdapter) async throws {
        let world = try await World(adapter, users: 3)
        for user in 0..<3 { try await world.note(user, 16) }
        try await world.note(0, 17)
        try await world.note(1, 16, .storage)
        try await world.note(1, 16, .storage)
        #expect(
            try await world.uptake.uptake().counts == [
                UptakeCount(release: 17, devices: 1), UptakeCount(release: 16, devices: 1),
                UptakeCount(release: 16, obstacle: .storage, devices: 1),
            ])
        // Back to what it was: another process would have stored it meanwhile.
        try await world.note(1, 16)
        #expect(try await world.uptake.uptake().counts.last == UptakeCount(release: 16, devices: 2))
    }

    @Test(arguments: adapters)
    func aDeviceThatIsAwayForAMonthDoesNotCount(adapter: AccountAdapter) async throws {
        let world = try await World(adapter, users: 2)
        for user in 0..<2 { try await world.note(user, 1) }
        world.pass(days: Double(ServiceLimits.uptakeDays))
        #expect(try await world.uptake.uptake().devices == 2)
        try await world.note(0, 1)
        world.pass(days: 1)
        #expect(try await world.uptake.uptake().devices == 1)
    }

    @Test(arguments: adapters)
    func whatIsNoDeviceOfTheUserChangesNothing(adapter: AccountAdapter) async throws {
        let world = try await World(adapter, users: 2)
        let foreign = ClientID("device of \(world.board.users[1])")
        try await world.uptake.note(
            InstalledContent(release: 9), of: world.board.users[0], client: foreign)
        #expect(try await world.uptake.uptake() == Uptake([]))
    }

    @Test(arguments: adapters)
    func aDeletedAccountDoesNotCount(adapter: AccountAdapter) async throws {
        let world = try await World(adapter, users: 2)
        for user in 0..<2 { try await world.note(user, 1) }
        let accounts = world.board.accounts
        try await accounts.write(.markDeleted(world.board.users[0], at: 5))
        try await AccountUpkeep(storage: accounts.storage, now: world.board.clock.now)
            .eraseDeletedAccounts()
        #expect(try await world.uptake.uptake().devices == 1)
    }

    @Test func releasesThatDevicesMakeUpAreCountedTogether() {
        let most = ServiceLimits.uptakeReleasesMax
        let claimed = (1...most + 5).map { UptakeCount(release: $0, devices: 1) }
        let uptake = Uptake(
            claimed + [UptakeCount(release: most + 5, obstacle: .storage, devices: 40)])
        #expect(uptake.counts.count == most + 2)
        #expect(uptake.counts.first == UptakeCount(release: most + 5, devices: 1))
        #expect(uptake.counts.last == UptakeCount(release: nil, devices: 5))
        #expect(uptake.devices == most + 5 + 40)
    }

    @Test(arguments: adapters)
    func aDeviceBeforeItsServerIsOfferedAnOlderRelease(adapter: AccountAdapter) async throws {
        let world = try await World(adapter, users: 1)
        let user = world.board.users[0]
        for release in [18, 777_000, 16, 777_001] {
            try await world.uptake.note(
                InstalledContent(release: release), of: user, client: ClientID("device of \(user)"),
                newest: 17)
        }
        // Not counted by the number that it says, and not left out.
        #expect(
            try await world.uptake.uptake().counts == [
                UptakeCount(release: 17, obstacle: .olderRelease, devices: 1)
            ])
        try await world.uptake.note(
            InstalledContent(release: 17), of: user, client: ClientID("device of \(user)"),
            newest: 17)
        #expect(try await world.uptake.uptake().counts == [UptakeCount(release: 17, devices: 1)])
    }

    @Test func aProcessRemembersABoundedNumberOfReports() {
        let remembered = RememberedReports(most: 2)
        let report = RememberedReports.Report(content: InstalledContent(release: 1), day: 1)
        let devices = ["a", "b", "c"].map {
            RememberedReports.Device(user: $0, client: ClientID("d"))
        }
        for device in devices.prefix(2) { remembered.insert(report, of: device) }
        #expect(devices.map { remembered.isNew(report, of: $0) } == [false, false, true])
        var later = report
        later.day = 2
        #expect(remembered.isNew(later, of: devices[0]))
        remembered.insert(report, of: devices[2])
        #expect(devices.map { remembered.isNew(report, of: $0) } == [true, true, false])
    }
}
