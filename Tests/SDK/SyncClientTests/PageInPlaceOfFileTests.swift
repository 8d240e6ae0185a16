import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Hosts that answer with a web page and status 200 where they have no such file.
@Suite struct PageInPlaceOfFileTests {
    private static let page = StaticHost.Fault.answer(
        200, ["content-type": "text/html; charset=utf-8"],
        Array(("<!doctype html><html>" + String(repeating: "Welcome. ", count: 2000)).utf8))

    /// A release as the original format has it: no sizes, and files by name alone.
    private func original(_ voyage: Voyage) throws {
        let manifest = try Manifest(voyage.folder.read("release/manifest.json"))
        let languages = manifest.languages.compactMap { language, entry in
            entry.blueprint.map {
                "\"\(language)\":{\"blueprint\":{\"version\":\"1\",\"checksum\":\"\($0.checksum)\"}}"
            }
        }
        for name in try FileManager.default.contentsOfDirectory(
            atPath: voyage.folder.path + "/release") where name.hasPrefix("manifest.json.")
        {
            try voyage.folder.remove("release/" + name)
        }
        try voyage.folder.write(
            "{\"schemaVersion\":1,\"languages\":{\(languages.sorted().joined(separator: ","))}}",
            to: "release/manifest.json")
        voyage.host.fail("objects/", Self.page)
    }

    @Test func filesByNameAreFetchedWhereObjectsArePages() async throws {
        let voyage = try Voyage()
        try original(voyage)
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 0) && report.refused.isEmpty)
        #expect(try voyage.key("de") == "a" && voyage.key("es") == "a")
    }

    @Test func aPageInPlaceOfOneFileKeepsBackNoOther() async throws {
        let voyage = try Voyage()
        try original(voyage)
        voyage.host.fail("blueprints/de.json", Self.page)
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 0))
        #expect(report.refused.map(\.key) == ["de"])
        #expect(report.refused.first?.isTriedAgain == true)
        #expect(report.refused.first?.reason.contains("web page in place of the file") == true)
        #expect(try voyage.key("es") == "a")
        voyage.host.heal()
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).refused.isEmpty)
        #expect(try voyage.key("de") == "a")
    }

    /// With sizes too, where the page is longer or shorter than the file.
    @Test(arguments: ["<html>", "<html>" + String(repeating: " ", count: 100_000)])
    func aPageInPlaceOfAnObjectIsNamed(page: String) async throws {
        let voyage = try Voyage()
        let fault = StaticHost.Fault.answer(200, ["content-type": "text/html"], Array(page.utf8))
        voyage.host.fail(try voyage.objectPath("de"), fault)
        #expect(await voyage.run().refused.isEmpty)
        let next = try Voyage()
        next.host.fail(try next.objectPath("de"), fault)
        next.host.fail("blueprints/de.json", fault)
        #expect(await next.run().refused.first?.reason.contains("web page") == true)
    }

    @Test func whereEverythingIsAPageTheNetworkIsNamed() async throws {
        let voyage = try Voyage()
        for part in ["objects/", "blueprints/", "localizations/", "exams/", "assets/", "announce"] {
            voyage.host.fail(part, Self.page)
        }
        guard case .failed(let failure) = await voyage.run().outcome else {
            Issue.record("it did not fail")
            return
        }
        #expect(failure.code == .captivePortal)
    }

    /// A page that the app itself publishes arrives.
    @Test func anAssetMayBeAPage() async throws {
        let voyage = try Voyage(["es"])
        try voyage.folder.write("<html>Help</html>", to: "content/assets/help.html")
        try voyage.publish()
        #expect(await voyage.run().refused.isEmpty)
        #expect(try voyage.store.asset("help.html").value == Array("<html>Help</html>".utf8))
    }
}
