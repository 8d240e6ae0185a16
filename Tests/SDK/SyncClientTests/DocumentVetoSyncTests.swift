import ContentModel
import Foundation
import OfflineStorage
import Synchronization
import TestSupport
import Testing

@testable import SyncClient

/// A device of today and releases of tomorrow.
@Suite struct DocumentVetoSyncTests {
    private static func survey(_ voyage: Voyage) throws -> String {
        try voyage.folder.releasedBlueprint().replacing("\"placement\"", with: "\"survey\"")
    }

    private static func edited(_ voyage: Voyage, _ language: String) throws -> String {
        try voyage.folder.releasedBlueprint(language).replacing(
            "\"correct\":[0]", with: "\"correct\":[1]")
    }

    @Test func aDocumentOfALaterVersionHidesNothingElse() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        try voyage.folder.releaseForeign(
            2, blueprints: ["es": Self.survey(voyage), "de": Self.edited(voyage, "de")])
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2))
        #expect(report.refused.map(\.key) == ["es"])
        #expect(report.refused.first?.kind == .blueprint && report.refused.first?.release == 2)
        #expect(report.refused.first?.shownRelease == 1)
        #expect(try voyage.key("es") == "a" && voyage.key("de") == "b")
        let freshness = try voyage.store.blueprint(.placement(language: "es")).freshness
        #expect(freshness.release == 1 && freshness.isFallback && freshness.refused != nil)
        #expect(try voyage.store.localization(language: "es").freshness.release == 2)
    }

    @Test func everyLaterRunSaysSoAndFetchesNothingAgain() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        try voyage.folder.releaseForeign(2, blueprints: ["es": Self.survey(voyage)])
        _ = await voyage.run()
        for isConditional in [false, true, true] {
            voyage.host.forgetRequests()
            voyage.clock.advance(40 * 60)
            let report = await voyage.run(force: false)
            guard case .refused(let error) = report.outcome else {
                Issue.record("\(report.outcome)")
                return
            }
            #expect(error.code == .unreadable)
            #expect(error.message.contains("cannot read the blueprint \"es\" of release 2"))
            #expect(report.refused.count == 1)
            #expect(
                voyage.host.requests.map { $0.url.lastPathComponent == "manifest.json" } == [true])
            // The manifest itself may have been damaged on its way: once it is asked for anew.
            let header = voyage.host.requests.first?.headers["If-None-Match"]
            #expect((header != nil) == isConditional)
        }
        let early = await voyage.run(force: false)
        guard case .notDue = early.outcome else {
            Issue.record("\(early.outcome)")
            return
        }
        #expect(early.refused.count == 1)
        // Nor does the weekly full sync, which repairs what is there.
        voyage.clock.advance(8 * 86_400)
        voyage.host.forgetRequests()
        let full = await voyage.run(force: false)
        #expect(full.outcome != .upToDate && full.refused.count == 1)
        #expect(voyage.host.requests.count == 1)
    }

    @Test func theNextReleaseWithTheSameBytesDoesNotFetchThem() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let survey = try Self.survey(voyage)
        try voyage.folder.releaseForeign(2, blueprints: ["es": survey])
        _ = await voyage.run()
        try voyage.folder.releaseForeign(3, blueprints: ["de": Self.edited(voyage, "de")])
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 3))
        #expect(report.tally.documents == [.blueprint: 1])
        #expect(report.refused.map(\.release) == [2] && report.refused[0].shownRelease == 1)
        #expect(try voyage.key("es") == "a" && voyage.key("de") == "b")
        try voyage.folder.releaseForeign(4, blueprints: ["es": Self.edited(voyage, "es")])
        #expect(await voyage.run().refused.isEmpty)
        #expect(try voyage.key("es") == "b")
        #expect(await voyage.run().outcome == .upToDate)
    }

    @Test func aLaterVersionOfTheAppTriesAgain() async throws {
        struct TooNew: Error {}
        let isOld = Mutex(true)
        let decoder: ContentDecoder = { document, bytes in
            let isNew = String(decoding: bytes, as: UTF8.self).contains("\"correct\":[2]")
            if document.key == "es", isNew, isOld.withLock({ $0 }) { throw TooNew() }
        }
        let voyage = try Voyage(decoder: decoder)
        _ = await voyage.run()
        try voyage.edit(key: 2)
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2))
        #expect(report.refused.first?.reason.contains("TooNew") == true)
        // Another version that cannot read it either says so after one more look.
        try voyage.store.liftBans()
        voyage.host.forgetRequests()
        guard case .refused = await voyage.run().outcome else {
            Issue.record("it was not refused again")
            return
        }
        #expect(voyage.host.requests.count == 2)
        isOld.withLock { $0 = false }
        try voyage.store.liftBans()
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(try voyage.key() == "c")
        #expect(await voyage.run().outcome == .upToDate)
    }

    @Test func theAppsDecoderMayKeepTheWholeReleaseOut() async throws {
        let voyage = try Voyage(decoder: { document, bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if document.key == "es", text.contains("\"correct\":[2]") {
                throw ReleaseVetoError("It needs version 4.", code: .needsNewerApp)
            }
        })
        _ = await voyage.run()
        try voyage.edit(key: 2)
        guard case .refused(let error) = await voyage.run().outcome else {
            Issue.record("the release was not refused")
            return
        }
        #expect(error.code == .vetoed && error.message.contains("It needs version 4."))
        // The app finds its own code again.
        let veto = (error.cause as? StoreError)?.cause as? ReleaseVetoError
        #expect(veto?.code == .needsNewerApp)
        #expect(try voyage.key() == "a")
        // The next poll does not fetch it again.
        voyage.host.forgetRequests()
        #expect(await voyage.run().outcome == .banned(SyncError(.banned, error.message)))
        #expect(voyage.host.requests.count == 1)
        try voyage.edit(key: 1)
        #expect(await voyage.run().outcome == .installed(release: 3))
    }

    @Test func questionsOfALaterTypeAreLeftOutAndReported() async throws {
        let voyage = try Voyage()
        let later = try voyage.folder.releasedBlueprint().replacing(
            "single-choice", with: "drag-and-drop", maxReplacements: 1)
        try voyage.folder.releaseForeign(2, blueprints: ["es": later])
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2) && report.refused.isEmpty)
        #expect(report.partial.map(\.key) == ["es"] && report.partial[0].leftOutCount == 1)
        let found = try voyage.store.blueprint(.placement(language: "es"))
        #expect(found.value.questions.count == 2 && found.value.leftOutCount == 1)
        let next = await voyage.run()
        #expect(next.outcome == .upToDate && next.partial == report.partial)
    }

    @Test func oddEntriesOfAForeignManifestAreLeftOut() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let old = try voyage.objectPath("es")
        try voyage.folder.releaseForeign(2, blueprints: ["de": Self.edited(voyage, "de")]) { text in
            text.replacing("sha256:\(old)", with: "blake3:\(old)")
                .replacing("\"en\":{", with: "\"e n\":{\"blueprint\":{}},\"en\":{")
                .replacing("\"class\":\"onDemand\"", with: "\"class\":[]")
        }
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2))
        let names = Set(report.refused.map { "\($0.kind?.rawValue ?? "files") \($0.key)" })
        #expect(
            names == ["blueprint es", "blueprint e n", "localization e n", "asset later.bin"])
        #expect(try voyage.key("es") == "a" && voyage.key("de") == "b" && voyage.key("en") == "a")
        #expect(await voyage.run().outcome != .upToDate)
    }

    @Test func onAFreshDeviceTheBundledDocumentStays() async throws {
        let voyage = try Voyage()
        let manifest = try voyage.folder.read("release/manifest.json")
        for name in ["manifest.json", "objects"] {
            try FileManager.default.createDirectory(
                atPath: voyage.folder.path + "/bundle", withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: voyage.folder.path + "/release/" + name,
                toPath: voyage.folder.path + "/bundle/" + name)
        }
        #expect(!manifest.isEmpty)
        let bundle = ContentBundle(folder: voyage.folder.url.appending(path: "bundle"))
        try voyage.store.installBundle(bundle, now: voyage.clock.now)
        try voyage.folder.releaseForeign(
            2, blueprints: ["es": Self.survey(voyage), "de": Self.edited(voyage, "de")])
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2))
        let found = try voyage.store.blueprint(.placement(language: "es"))
        #expect(found.freshness.source == .bundled && found.freshness.release == 1)
        #expect(found.freshness.refused?.release == 2)
        #expect(
            try voyage.store.blueprint(.placement(language: "de")).freshness.source == .downloaded)
    }

    @Test func aRefusedAssetIsServedByItsPredecessor() async throws {
        let voyage = try Voyage(decoder: { document, bytes in
            if document.kind == .asset, bytes.count > 40 { throw CancellationError() }
        })
        _ = await voyage.run()
        let old = try await voyage.sync.asset("links.json")
        try voyage.folder.write(
            "{\"link\": \"https://example.org/\(String(repeating: "x", count: 40))\"}",
            to: "content/assets/links.json")
        try voyage.publish()
        #expect(await voyage.run().refused.map(\.key) == ["links.json"])
        #expect(try await voyage.sync.asset("links.json") == old)
    }

    /// Random bytes and random cuts in one document never touch the others.
    @Test(arguments: 0..<20) func whateverADocumentIsTheRestArrives(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let voyage = try Voyage()
        _ = await voyage.run()
        var bytes = Array(try voyage.folder.releasedBlueprint().utf8)
        for _ in 0..<Int.random(in: 1...8, using: &random) {
            let index = bytes.indices.randomElement(using: &random) ?? 0
            bytes[index] = UInt8.random(in: 0x20...0x7E, using: &random)
        }
        if Bool.random(using: &random) {
            bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
        }
        let strange = String(decoding: bytes, as: UTF8.self)
        try voyage.folder.releaseForeign(
            2, blueprints: ["es": strange, "de": Self.edited(voyage, "de")])
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 2), "seed \(seed)")
        #expect(try voyage.key("de") == "b", "seed \(seed)")
        let shown = try voyage.store.blueprint(.placement(language: "es"))
        #expect(!shown.value.questions.isEmpty, "seed \(seed)")
        #expect((shown.freshness.release == 1) == !report.refused.isEmpty, "seed \(seed)")
    }
}
