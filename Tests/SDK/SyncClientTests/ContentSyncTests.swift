import ContentModel
import Foundation
import OfflineStorage
import Publishing
import TestSupport
import Testing

@testable import SyncClient

/// A published library behind a static host, and a device.
final class Voyage: Sendable {
    let folder: TemporaryFolder
    let host: StaticHost
    let store: OfflineStore
    let clock = ManualClock()
    let sync: ContentSync

    init(
        _ languages: [String] = ["de", "en", "es"], deadline: Duration = .seconds(600),
        decoder: @escaping ContentDecoder = { _, _ in }
    ) throws {
        folder = try TemporaryFolder()
        try folder.writeContent(languages)
        host = StaticHost(root: folder.path + "/release")
        store = try OfflineStore(folder: folder.url.appending(path: "store"))
        var settings = SyncSettings()
        settings.backoff = .zero
        settings.downloadDeadline = deadline
        sync = ContentSync(
            store: store, transport: host, releaseURL: "http://host", settings: settings,
            decoder: decoder, clock: { [clock] in clock.now })
        try publish()
    }

    @discardableResult
    func publish() throws -> PublishSummary {
        clock.advance(10)
        return try Publisher(
            folder: folder.path + "/content", releaseDirectory: folder.path + "/release"
        )
        .publish(nowSeconds: Int(clock.now.timeIntervalSince1970), generatedAt: "t")
    }

    /// Another key for one language, published.
    func edit(_ language: String = "es", key: Int = 1, stem: String = "One?") throws {
        try folder.writeBlueprint(language, key: key, stem: stem)
        try publish()
    }

    func run(force: Bool = true) async -> SyncReport { await sync.sync(force: force) }

    func key(_ language: String = "es") throws -> String? {
        try store.blueprint(.placement(language: language)).value.questions[0].correctOptionIDs
            .first
    }

    /// The manifest's path of a language's blueprint object.
    func objectPath(_ language: String = "es") throws -> String {
        let manifest = try Manifest(folder.read("release/manifest.json"))
        return try #require(manifest.languages[language]?.blueprint?.checksum.hex)
    }
}

@Suite struct ContentSyncTests {
    @Test func aDeviceCatchesUpAndThenFetchesOnlyWhatChanged() async throws {
        let voyage = try Voyage()
        let first = await voyage.run()
        #expect(first.outcome == .installed(release: 1))
        #expect(first.tally.blueprints == 4)
        #expect(try voyage.key() == "a")
        try voyage.edit()
        voyage.host.forgetRequests()
        let second = await voyage.run()
        #expect(second.outcome == .installed(release: 2))
        #expect(second.tally.documents == [.blueprint: 1])
        #expect(voyage.host.requests.count == 2)
        #expect(try voyage.key() == "b")
        #expect(try voyage.store.localization(language: "de").value.strings == ["start": "de"])
        #expect(try voyage.store.asset("links.json").value.first == UInt8(ascii: "{"))
    }

    @Test func aPollThatFindsNothingNewIsOneRequest() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        voyage.host.forgetRequests()
        voyage.clock.advance(3600)
        let report = await voyage.run(force: false)
        #expect(report.outcome == .upToDate)
        #expect(report.tally.requests == 1)
        #expect(report.tally.bodyBytes == 0)
        #expect(voyage.host.requests.first?.headers["If-None-Match"] != nil)
        #expect(voyage.host.requests.first?.headers["Cache-Control"] == "no-cache")
    }

    @Test func theCooldownIsKeptAcrossRestarts() async throws {
        let voyage = try Voyage()
        _ = await voyage.run(force: false)
        voyage.host.forgetRequests()
        let again = ContentSync(
            store: voyage.store, transport: voyage.host, releaseURL: "http://host",
            clock: { voyage.clock.now })
        guard case .notDue = await again.sync().outcome else {
            Issue.record("the cooldown was forgotten")
            return
        }
        #expect(voyage.host.requests.isEmpty)
        voyage.clock.advance(40 * 60)
        #expect(await again.sync().outcome == .upToDate)
    }

    @Test func runsDoNotOverlap() async throws {
        let voyage = try Voyage()
        async let first = voyage.run()
        async let second = voyage.run()
        async let third = voyage.run()
        let outcomes = await [first, second, third].map(\.outcome)
        #expect(outcomes.filter { $0 == .installed(release: 1) }.count >= 1)
        #expect(try voyage.store.generations().count == 1)
    }

    @Test func progressIsTold() async throws {
        let voyage = try Voyage()
        let events = voyage.sync.events()
        let report = await voyage.run()
        var seen: [SyncEvent] = []
        for await event in events {
            seen.append(event)
            if case .ended = event { break }
        }
        #expect(seen.first == .started)
        #expect(seen.last == .ended(report))
        #expect(seen.contains { if case .planned(8, let bytes) = $0 { bytes > 0 } else { false } })
        #expect(seen.filter { if case .fetched = $0 { true } else { false } }.count == 8)
    }

    /// The design's order: blueprints, then texts, then announcements and assets.
    @Test func documentsAreFetchedByPriority() async throws {
        let voyage = try Voyage()
        let manifest = try Manifest(voyage.folder.read("release/manifest.json"))
        #expect(
            manifest.eagerDocuments.map(\.kind) == [
                .blueprint, .blueprint, .blueprint, .exam, .localization, .localization,
                .localization, .asset,
            ])
    }

    @Test func audioIsFetchedWhenAskedFor() async throws {
        let voyage = try Voyage()
        let report = await voyage.run()
        #expect(report.tally.files == 0)
        let files = try await voyage.sync.files(.audio(language: "de"))
        let url = try #require(files["hello.m4a"])
        #expect(try Data(contentsOf: url) == Data("clip of es".utf8))
        voyage.host.forgetRequests()
        _ = try await voyage.sync.files(.audio(language: "de"))
        #expect(voyage.host.requests.isEmpty)
        _ = try await voyage.sync.files(.media(exam: "int/demo"))
        _ = try await voyage.sync.files(.asset(path: "later.bin"))
        #expect(voyage.host.requests.count == 2)
        #expect(try await voyage.sync.files(.prefetch).isEmpty)
        await #expect(throws: SyncError.self) {
            try await voyage.sync.files(.audio(language: "xx"))
        }
    }

    @Test func filesThatNoReleaseNamesAnyMoreAreFreed() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let clip = try #require(try await voyage.sync.files(.audio(language: "de"))["hello.m4a"])
        try voyage.folder.write("a new clip", to: "content/languages/de/audio/hello.m4a")
        for key in [1, 2] {
            #expect(FileManager.default.fileExists(atPath: clip.path))
            try voyage.edit(key: key)
            _ = await voyage.run()
        }
        // The last good generation named it until now.
        #expect(!FileManager.default.fileExists(atPath: clip.path))
    }

    /// Files of the original format have readable names only and no sizes.
    @Test func aHostInTheOriginalFormatIsEnough() async throws {
        let voyage = try Voyage(["es"])
        let bytes = try voyage.folder.read("release/blueprints/es.json")
        try voyage.folder.remove("release/objects")
        try voyage.folder.write(
            """
            {"schemaVersion": 1, "languages": {"es": {"blueprint":
              {"version": "1.0.0", "checksum": "\(Checksum(of: bytes))"}}}}
            """, to: "release/manifest.json")
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 0))
        #expect(try voyage.key() == "a")
    }

    @Test func aFullSyncRepairsWhatWasDamagedOnTheDisk() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        _ = try await voyage.sync.files(.audio(language: "de"))
        let clip = Checksum(of: Array("clip of es".utf8))
        let file = try #require(try voyage.store.lazyFile(clip, now: voyage.clock.now))
        try Data("damaged!!!".utf8).write(to: file)
        let checksum = try #require(Checksum(hex: voyage.objectPath()))
        try voyage.store.stage([1, 2, 3], as: checksum)
        voyage.clock.advance(8 * 86_400)
        let report = await voyage.run(force: false)
        #expect(report.outcome == .repaired(documents: 1))
        #expect(try voyage.key() == "a")
        #expect(try voyage.store.lazyFile(clip, now: voyage.clock.now) == nil)
        #expect(try await voyage.sync.files(.audio(language: "de")).count == 1)
    }

    @Test func aBannedNewestReleaseIsNeverCalledUpToDate() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        try voyage.edit(key: 1)
        #expect(await voyage.run().outcome == .installed(release: 2))
        for _ in 0..<2 {
            #expect(try voyage.store.beginStart(now: voyage.clock.now) == nil)
            try voyage.store.willShowFirstScreen()
        }
        let ban = try #require(try voyage.store.beginStart(now: voyage.clock.now))
        #expect(try voyage.key() == "a")
        var events = voyage.sync.events().makeAsyncIterator()
        for _ in 0..<2 {
            let report = await voyage.run()
            #expect(report.outcome == .banned(because: ban.message))
            #expect(report.tally.requests == 1)
            #expect(await events.next() == .started)
            #expect(await events.next() == .ended(report))
        }
        try voyage.store.liftBans()
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(await voyage.run().outcome == .upToDate)
    }

    /// Nothing but the decoder notices it; the server's tag is that of the whole manifest.
    @Test func aManifestThatWasDamagedOnItsWayHidesNothingForLong() async throws {
        let voyage = try Voyage()
        #expect(await voyage.run().outcome == .installed(release: 1))
        try voyage.edit(key: 1)
        let manifest = try Data(voyage.folder.read("release/manifest.json"))
        let name = try #require(manifest.range(of: Data("\"es\"".utf8))?.lowerBound)
        voyage.host.fail("manifest.json", .flipBit(at: name + 1), times: 1)
        let damaged = await voyage.run()
        #expect(damaged.refused.map(\.reason).allSatisfy { $0.contains("blueprint of \"es\"") })
        #expect(damaged.refused.count == 1)
        #expect(try voyage.key() == "a")
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(try voyage.key() == "b")
    }

    @Test func aReleaseThatGoesLiveMidSyncHurtsNothing() async throws {
        let voyage = try Voyage()
        let isFirst = ManualFlag()
        voyage.host.onRequest { path in
            if path.contains("objects/"), isFirst.take() { try? voyage.edit(key: 1) }
        }
        #expect(await voyage.run().outcome == .installed(release: 1))
        #expect(try voyage.key() == "a")
        #expect(await voyage.run().outcome == .installed(release: 2))
        #expect(try voyage.key() == "b")
    }

    @Test func twoDevicesOnOneStoreAgree() async throws {
        let voyage = try Voyage()
        let second = try OfflineStore(folder: voyage.folder.url.appending(path: "store"))
        let other = ContentSync(
            store: second, transport: voyage.host, releaseURL: "http://host",
            clock: { voyage.clock.now })
        for key in [1, 2, 0, 1] {
            try voyage.edit(key: key)
            async let first = voyage.run()
            async let third = other.sync(force: true)
            for report in await [first, third] {
                if case .failed(let failure) = report.outcome { Issue.record("\(failure)") }
            }
            #expect(try voyage.key() == ["a", "b", "c"][key])
            #expect(try second.generations().count <= 2)
        }
    }
}
