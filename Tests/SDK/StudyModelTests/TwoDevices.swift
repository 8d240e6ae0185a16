import Foundation
import Testing
import Underway
import UnderwayTesting

@testable import StudyModel

/// A phone and a tablet of one learner, with a server between them and one clock for both.
struct TwoDevices {
    /// A record of the app's own, about which the learner is asked.
    struct Goal: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("goals", .askUser)

        var title: String?
        var minutes: Double
        var isLoud: Bool
        var days: [String]
    }

    /// A record of the app's own, of which each field is merged by itself.
    struct Plan: CollectionRecord, Equatable {
        static let collection = CollectionDeclaration("plans", .fieldMerge)

        var words: Int
        var city: String
    }

    let server: TestSyncServer
    let phone: TestDevice
    let tablet: TestDevice
    private let clock = TestClock()

    /// Signs both in.
    ///
    /// - Parameter knowsGoals: False for a server that refuses them.
    init(knowsGoals: Bool = true) async throws {
        server = TestSyncServer(
            collections: [Plan.collection] + (knowsGoals ? [Goal.collection] : []))
        let (email, password) = ("anne@example.org", "correct horse")
        server.addAccount(email: email, password: password)
        phone = try TestDevice(
            network: server, collections: [Goal.collection, Plan.collection], clock: clock)
        tablet = try TestDevice(
            network: server, collections: [Goal.collection, Plan.collection], clock: clock)
        for device in [phone, tablet] {
            try await device.account.signIn(
                email: email, password: password, bringing: .nothing)
        }
    }

    /// The services of the tablet's screens.
    var services: StudyServices { services(of: tablet) }

    func services(of device: TestDevice) -> StudyServices {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return StudyServices(
            content: device.store, userData: device.userData,
            announcements: AnnouncementCenter(content: device.store, userData: device.userData),
            clock: { [clock] in clock.now }, calendar: calendar)
    }

    func sync(_ devices: TestDevice...) async {
        for device in devices {
            clock.advance(by: .seconds(60))
            _ = await device.userDataSync.sync()
        }
    }

    /// Writes on both devices without a sync between, so that the tablet has a conflict.
    func disagree(_ mine: some CollectionRecord, _ theirs: some CollectionRecord, id: String)
        async throws
    {
        try phone.userData.put(theirs, id: id, now: clock.now)
        clock.advance(by: .seconds(60))
        try tablet.userData.put(mine, id: id, now: clock.now)
        await sync(phone, tablet)
    }

    var now: Date { clock.now }
}
