import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Manifests with more odd entries than anybody reads.
@Suite struct OddManifestTests {
    @Test func oddEntriesAreNamedUpToAHundredAndCounted() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let old = try voyage.objectPath("es")
        let first = try voyage.folder.read("release/manifest.json")
        try voyage.folder.releaseForeign(2) { text in
            let odd = (0..<3000).map { "\"!\($0)\":{\"blueprint\":{}}" }.joined(separator: ",")
            return text.replacing("sha256:\(old)", with: "blake3:\(old)")
                .replacing("\"languages\":{", with: "\"languages\":{\(odd),")
        }
        for _ in 0..<2 {
            let report = await voyage.run()
            #expect(report.refused.count == 100)
            #expect(report.refused.count + report.unlistedRefusedCount == 6001)
            if case .refused(let error) = report.outcome {
                #expect(error.code == .unreadable && error.message.hasSuffix("(and 6000 more)"))
            }
        }
        #expect(try voyage.store.refusedDocumentCount() == 6001)
        // The document that this device had stays, and says that there is a newer one.
        let shown = try voyage.store.blueprint(.placement(language: "es"))
        #expect(shown.freshness.release == 1 && shown.freshness.refused?.release == 2)
        #expect(try voyage.key("de") == "a")
        let missing = #expect(throws: StoreError.self) {
            try voyage.store.blueprint(.placement(language: "!2999"))
        }
        #expect(missing?.message.contains("further entries") == true)
        let manifest = try Manifest(first)
        try voyage.folder.write(manifest.canonicalBytes, to: "release/manifest.json")
        #expect(await voyage.run().unlistedRefusedCount == 0)
        #expect(try voyage.store.refusedDocumentCount() == 0)
    }

    @Test func longNamesThatBeginAlikeAreNamedApart() async throws {
        let voyage = try Voyage(["es"])
        try voyage.folder.releaseForeign(2) { text in
            let start = "../" + String(repeating: "x", count: 300)
            let odd = (0..<90).map { "\"\(start)\($0)\":{}" }.joined(separator: ",")
            return text.replacing("\"assets\":{", with: "\"assets\":{\(odd),")
        }
        let report = await voyage.run()
        #expect(report.refused.count == 90 && report.unlistedRefusedCount == 0)
        #expect(Set(report.refused.map(\.key)).count == 90)
        #expect(report.refused.allSatisfy { $0.key.utf8.count <= 512 })
    }

    /// What was installed was judged then: it is not read before something needs it.
    @Test func anInstalledManifestIsReadWhenItIsNeeded() throws {
        var pending = PendingManifest(bytes: Array("{".utf8))
        #expect(throws: ManifestError.self) { try pending.manifest() }
        let manifest = Manifest(
            schemaVersion: 2, release: 7,
            announcements: ContentReference(checksum: Checksum(of: [1]), size: 1))
        pending = PendingManifest(try VerifiedManifest(verifying: manifest.canonicalBytes))
        #expect(try pending.manifest() == manifest)
    }

    // MARK: Entity tags

    /// Every byte that a header can have, in a tag.
    @Test func theScheduleSurvivesEveryTag() {
        let moment = Date(timeIntervalSince1970: 1000)
        for byte in UInt8.min...UInt8.max {
            let tag = "\"a" + String(decoding: [byte], as: UTF8.self) + "b\""
            var schedule = SyncSchedule(
                nextCheck: moment, nextFullSync: moment, validator: tag,
                manifest: Checksum(of: [1]), origin: "http://host", seenAt: moment)
            schedule.asked = "http://host"
            schedule.problem = SyncError(.offline, "It\tsaid \(tag)")
            let read = SyncSchedule(text: schedule.text)
            #expect(read.nextCheck == moment && read.seenAt == moment, "byte \(byte)")
            #expect(read.origin == "http://host" && read.asked == "http://host", "byte \(byte)")
            #expect(read.validator == nil || read.validator == tag, "byte \(byte)")
            #expect((0x20...0x7E).contains(byte) == (read.validator == tag), "byte \(byte)")
        }
    }

    @Test(arguments: [
        "*", "\"ä\"", "\"a\tb\"", "\"a\u{1}b\"", "\"" + String(repeating: "x", count: 5000) + "\"",
    ])
    func aTagThatNoRequestCanCarryIsNone(tag: String) async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag(tag)
        #expect(await voyage.run(force: false).outcome == .installed(release: 1))
        guard case .notDue = await voyage.run(force: false).outcome else {
            Issue.record("the cooldown was forgotten")
            return
        }
        // A transfer that breaks is not gone on with by such a tag either.
        try voyage.edit()
        voyage.clock.advance(3600)
        voyage.host.fail("manifest.json", .cut(after: 200), times: 1)
        voyage.host.forgetRequests()
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
        for request in voyage.host.requests {
            #expect(request.headers["If-None-Match"] == nil && request.headers["If-Range"] == nil)
        }
    }
}
