import Foundation
import TestSupport
import Testing
import Underway
import UnderwayTesting

/// The tests of an app that docs/app-developers.md shows.
@Suite struct AppTestExampleTests {
    // correctedKey: start
    @Test func aCorrectedKeyReachesThePhone() async throws {
        let server = try TestReleaseServer(.sample)
        let network = TestNetwork(server)
        let phone = try TestDevice(network: network)
        await phone.contentSync.sync()
        try server.publish { $0[blueprint: "int/harbour"]?.questions[0].correct = [1] }

        network.fail("objects/", with: .damagedBody, times: 1)
        let report = await phone.contentSync.sync(force: true)

        let harbour = QuestionFilter.Bank.exam(region: "int", exam: "harbour")
        let bank = try await phone.store.perform { try $0.blueprint(harbour) }
        #expect(report.outcome == .installed(release: 2))
        #expect(bank.value.questions[0].correctOptionIDs == ["b"])
    }
    // correctedKey: end

    // favourite: start
    @Test func aFavouriteReachesTheTablet() async throws {
        let server = TestSyncServer()
        let (phone, tablet) = (try TestDevice(network: server), try TestDevice(network: server))
        let (email, password) = ("anne@example.org", "correct horse")

        try await phone.userData.perform {
            try $0.put(Favourite(bank: "int/harbour"), id: "lights", now: phone.clock.now)
        }
        try await phone.account.upgrade(email: email, password: password)
        #expect(await phone.userDataSync.sync().problem == nil)

        try await tablet.account.signIn(email: email, password: password, bringing: .everything)
        #expect(await tablet.userDataSync.sync().problem == nil)
        let favourites = try await tablet.userData.perform { try $0.records(Favourite.self) }
        #expect(favourites.map(\.id) == ["lights"])
    }
    // favourite: end

    @Test func thePageShowsTheseTests() throws {
        try DocumentedExample.expect("correctedKey", linesMax: 18)
        try DocumentedExample.expect("favourite", linesMax: 18)
    }
}
