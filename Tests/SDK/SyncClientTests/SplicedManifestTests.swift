import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Hosts that give all their manifests the same strong tag.
@Suite struct SplicedManifestTests {
    /// The transfer of release 2 breaks, release 3 is published, and the rest is of that.
    @Test(arguments: [20, 90, 150, 250, 300])
    func theRestOfAnotherManifestIsNotInstalled(cut: Int) async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag("\"1\"")
        try voyage.edit()
        voyage.host.fail("manifest.json", .cut(after: cut), times: 3)
        guard case .failed = await voyage.run(force: false).outcome else {
            Issue.record("the transfer did not break")
            return
        }
        try voyage.folder.write("[1, 2, 3]", to: "content/assets/more.json")
        try voyage.edit(key: 2)
        voyage.clock.advance(3600)
        voyage.host.forgetRequests()
        #expect(await voyage.run(force: false).outcome == .installed(release: 3))
        let manifests = voyage.host.requests.filter { $0.url.lastPathComponent == "manifest.json" }
        #expect(manifests.map { $0.headers["Range"] != nil } == [true, false])
        #expect(
            try voyage.store.currentManifest()?.bytes
                == voyage.folder.read("release/manifest.json"))
        #expect(try voyage.key() == "c")
    }

    /// Each entry is right by itself, but they are of two releases.
    @Test func aMixtureThatCanBeReadIsNotInstalled() async throws {
        let voyage = try Voyage(["de", "es"])
        voyage.host.fixTag("\"1\"")
        let before = String(
            decoding: try voyage.folder.read("release/manifest.json"), as: UTF8.self)
        let es = try #require(before.range(of: "\"es\":"))
        let cut = before.utf8.distance(from: before.startIndex, to: es.lowerBound)
        voyage.host.fail("manifest.json", .cut(after: cut), times: 1)
        voyage.host.fail("manifest.json", .offline, times: 2)
        guard case .failed = await voyage.run(force: false).outcome else {
            Issue.record("the transfer did not break")
            return
        }
        for language in ["de", "es"] {
            try voyage.folder.writeBlueprint(language, key: 1, stem: "One?")
        }
        try voyage.publish()
        let after = try voyage.folder.read("release/manifest.json")
        #expect(after.count == before.utf8.count)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
        #expect(try voyage.store.currentManifest()?.bytes == after)
        #expect(try voyage.key("de") == "b" && voyage.key("es") == "b")
    }

    /// As long as the other, but put together it is no JSON.
    @Test func whatDoesNotParseIsAskedForAnewAndWhole() async throws {
        let voyage = try Voyage(["es"])
        let manifest = try voyage.folder.read("release/manifest.json")
        let padded =
            Array("{\"a\":\"\(String(repeating: "x", count: 200))\",".utf8) + manifest.dropFirst()
        let other =
            Array(manifest.dropLast())
            + Array(",\"a\":\"\(String(repeating: "x", count: 200))\"}".utf8)
        #expect(padded.count == other.count)
        voyage.host.fixTag("\"1\"")
        try voyage.folder.write(padded, to: "release/manifest.json")
        voyage.host.fail("manifest.json", .cut(after: 150), times: 1)
        voyage.host.onRequest { [folder = voyage.folder, host = voyage.host] path in
            guard path == "manifest.json", host.requests.count == 2 else { return }
            try? folder.write(other, to: "release/manifest.json")
        }
        #expect(await voyage.run().outcome == .installed(release: 1))
        #expect(try voyage.store.currentManifest()?.bytes == other)
    }

    /// A tag that was given to the installed manifest says nothing of another one.
    @Test func aTagThatDoesNotChangeJoinsNothing() async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag("\"1\"")
        _ = await voyage.run()
        try voyage.edit()
        voyage.host.fail("manifest.json", .cut(after: 150), times: 1)
        voyage.host.forgetRequests()
        #expect(await voyage.run(force: true).outcome == .installed(release: 2))
        #expect(voyage.host.requests.allSatisfy { $0.headers["Range"] == nil })
    }
}
