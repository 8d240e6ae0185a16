import ContentModel
import Foundation
import OfflineStorage
import SyncClient
import Testing
import UnderwayTesting

@Suite struct TestReleaseServerTests {
    private static let harbour = QuestionFilter.Bank.exam(region: "int", exam: "harbour")

    @Test func theSampleHasAQuestionOfEachType() throws {
        let types = ReleaseContent.sample[blueprint: "int/harbour"]?.questions.map(\.type)
        #expect(Set(types ?? []) == Set(QuestionType.allCases))
    }

    @Test func aDeviceShowsTheWholeSample() async throws {
        let phone = try TestDevice(network: try TestReleaseServer(.sample))
        #expect(await phone.contentSync.sync().outcome == .installed(release: 1))
        let sample = ReleaseContent.sample
        #expect(try phone.store.blueprint(Self.harbour).value == sample[blueprint: "int/harbour"])
        #expect(
            try phone.store.blueprint(.placement(language: "en")).value == sample[blueprint: "en"])
        #expect(try phone.store.announcements().value == sample.announcements)
        #expect(try phone.store.localization(language: "en").value == sample.localizations["en"])
        let links = try await phone.contentSync.asset("policy-links.json")
        #expect([UInt8](links) == sample.assets["policy-links.json"]?.bytes)
        #expect(try phone.store.refusedDocuments().isEmpty)
    }

    @Test func clipsAndImagesComeWhenTheyAreAskedFor() async throws {
        var content = ReleaseContent.sample
        content.audio["en"] = ["hello.m4a": Array("clip".utf8)]
        content.media["int/harbour"] = ["buoy.svg": Array("<svg/>".utf8)]
        content[blueprint: "int/harbour"]?.questions[0].image = "buoy.svg"
        let phone = try TestDevice(network: try TestReleaseServer(content))
        await phone.contentSync.sync()
        let clips = try await phone.contentSync.files(.audio(language: "en"))
        let images = try await phone.contentSync.files(.media(exam: "int/harbour"))
        #expect(try clips["hello.m4a"].map { try Data(contentsOf: $0) } == Data("clip".utf8))
        #expect(images.keys.sorted() == ["buoy.svg"])
    }

    @Test func anUnchangedReleaseIsOneShortRequest() async throws {
        let network = TestNetwork(try TestReleaseServer(.sample))
        let phone = try TestDevice(network: network)
        await phone.contentSync.sync()
        network.forgetRequests()
        phone.clock.advance(by: .seconds(3600))
        #expect(await phone.contentSync.sync().outcome == .upToDate)
        #expect(network.requests.count == 1)
        #expect(network.requests.first?.headers["If-None-Match"] != nil)
    }

    @Test func aBrokenDownloadGoesOnWhereItStopped() async throws {
        var content = ReleaseContent.sample
        content.assets["chart.bin"] = .init(Array(repeating: 7, count: 5000), fetchClass: .onDemand)
        let server = try TestReleaseServer(content)
        let network = TestNetwork(server)
        let phone = try TestDevice(network: network)
        await phone.contentSync.sync()
        network.fail("objects/", with: .brokenBody(afterBytes: 2000), times: 1)
        await #expect(throws: (any Error).self) {
            try await phone.contentSync.asset("chart.bin")
        }
        let bytes = try await phone.contentSync.asset("chart.bin")
        #expect(bytes.count == 5000)
        #expect(network.requests.last?.headers["Range"] == "bytes=2000-")
    }

    @Test func aDamagedDocumentIsFetchedAgain() async throws {
        let network = TestNetwork(try TestReleaseServer(.sample))
        let phone = try TestDevice(network: network)
        network.fail("objects/", with: .damagedBody, times: 1)
        #expect(await phone.contentSync.sync().outcome == .installed(release: 1))
        #expect(network.requests.count > 6)
    }

    @Test func aCaptivePortalChangesNothing() async throws {
        let network = TestNetwork(try TestReleaseServer(.sample))
        let phone = try TestDevice(network: network)
        network.fail(with: .captivePortal)
        guard case .failed(let failure) = await phone.contentSync.sync().outcome else {
            Issue.record("A page was taken for content.")
            return
        }
        #expect(failure.code == .captivePortal)
    }

    @Test func contentThatADeviceWouldRefuseIsNotPublished() throws {
        let server = try TestReleaseServer(.sample)
        #expect(throws: ContentError.self) {
            try server.publish { $0[blueprint: "int/harbour"]?.questions[0].correct = [9] }
        }
        #expect(throws: (any Error).self) {
            try server.publish { $0.assets["../out.json"] = .json("{}") }
        }
        #expect(server.release == 1)
    }

    @Test func aBundleOfTheSampleNeedsNoNetwork() throws {
        let phone = try TestDevice.preview()
        let bank = try phone.store.blueprint(Self.harbour)
        #expect(bank.freshness.source == .bundled && bank.value.questions.count == 5)
    }
}
