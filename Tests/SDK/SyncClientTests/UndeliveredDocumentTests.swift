import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// A host, or something on the way, that keeps one file of a release back.
@Suite struct UndeliveredDocumentTests {
    /// The path of a language's questions in the release that is served.
    private func object(_ language: String, _ voyage: Voyage) throws -> String {
        let manifest = try ReleaseReader.manifest(
            [UInt8](voyage.folder.read("release/manifest.json"))
        ).manifest
        let document = try #require(
            manifest.eagerDocuments.first { $0.kind == .blueprint && $0.key == language })
        return document.checksum.hex
    }

    @Test(arguments: [StaticHost.Fault.status(500), .status(403), .flipBit(at: 20)])
    func oneFileThatIsKeptBackKeepsNoOther(fault: StaticHost.Fault) async throws {
        let voyage = try Voyage()
        let hex = try object("de", voyage)
        voyage.host.fail(hex, fault)
        voyage.host.fail("blueprints/de.json", fault)
        let report = await voyage.run()
        #expect(report.refused.map(\.key) == ["de"], "\(report.outcome)")
        #expect(report.refused.first?.isTriedAgain == true)
        #expect(try voyage.key("es") == "a")
        // Nobody says "up to date" meanwhile, and each check asks for it again.
        voyage.clock.advance(40 * 60)
        #expect(await voyage.run(force: false).outcome != .upToDate)
        voyage.host.heal()
        voyage.clock.advance(40 * 60)
        let healed = await voyage.run(force: false)
        #expect(healed.refused.isEmpty, "\(healed.outcome)")
        #expect(try voyage.key("de") == "a")
        voyage.clock.advance(40 * 60)
        #expect(await voyage.run(force: false).outcome == .upToDate)
    }

    @Test func aManifestThatNamesNothingTakesNothingAway() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let good = try voyage.folder.read("release/manifest.json")
        try voyage.folder.write("{\"schemaVersion\":2}", to: "release/manifest.json")
        guard case .failed(let failure) = await voyage.run().outcome else {
            Issue.record("it was taken")
            return
        }
        #expect(failure.code == .badManifest)
        try voyage.folder.write([UInt8](good), to: "release/manifest.json")
        #expect(await voyage.run(force: true).outcome == .upToDate)
        #expect(try voyage.key("es") == "a")
    }

    /// Two replies that declare as much as an integer holds.
    @Test func whatAServerDeclaresNeverOverflows() {
        let tally = TrafficCounter()
        for length in ["9223372036854775807", "9223372036854775807", "-5", "x"] {
            tally.count(
                TransportResponse(
                    status: 200, headers: ["content-length": length], body: .init { $0.finish() }),
                decodedBytes: 7)
        }
        #expect(tally.value.bodyBytes == 28)
    }

    /// An address that was never asked is asked, whatever the last one answered; and a failure is said again.
    @Test func anotherAddressIsAskedAtOnceAndAFailureIsRepeated() async throws {
        let voyage = try Voyage()
        voyage.host.fail("manifest", .status(500))
        _ = await voyage.run(force: false)
        let again = await voyage.run(force: false)
        guard case .notDue = again.outcome else {
            Issue.record("\(again.outcome)")
            return
        }
        #expect(again.lastError?.code == .serverError)
        #expect(again.lastProblem?.contains("500") == true)
        voyage.host.heal()
        let other = ContentSync(
            store: voyage.store, transport: voyage.host, releaseURL: "http://elsewhere",
            clock: { voyage.clock.now })
        #expect(await other.sync().outcome == .installed(release: 1))
    }
}
