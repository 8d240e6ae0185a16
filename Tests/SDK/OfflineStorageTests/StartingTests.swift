import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@Suite struct StartingTests {
    private let fixture: StoreFixture

    init() throws { fixture = try StoreFixture() }

    private func writeBundle(release: Int, key: Int = 0, damaged: Bool = false) throws
        -> ContentBundle
    {
        let folder = fixture.folder.url.appending(path: "bundle\(release)")
        let bytes = StoreFixture.blueprint(key: key).json.canonicalBytes
        let checksum = Checksum(of: bytes)
        let manifest = Manifest(
            release: release,
            languages: [
                "es": LanguageEntry(
                    blueprint: ContentReference(checksum: checksum, size: bytes.count))
            ])
        try fixture.folder.write(manifest.canonicalBytes, to: "bundle\(release)/manifest.json")
        try fixture.folder.write(
            damaged ? [1, 2, 3] : bytes,
            to: "bundle\(release)/objects/\(checksum.hex.prefix(2))/\(checksum.hex)")
        return ContentBundle(folder: folder)
    }

    @Test func aFreshInstallOfflineAnswersFromTheBundle() throws {
        #expect(try fixture.store.installBundle(writeBundle(release: 1), now: fixture.now))
        let answer = try fixture.store.blueprint(.placement(language: "es"))
        #expect(answer.value.questions.count == 6)
        #expect(answer.freshness.source == .bundled)
        #expect(try fixture.store.installBundle(writeBundle(release: 1), now: fixture.now) == false)
    }

    @Test func aNewerDownloadStaysAndANewerBundleBeatsAnOlderDownload() throws {
        let manifest = try fixture.stage(release: 5, [StoreFixture.blueprint(key: 1)])
        try fixture.store.install(verifying: manifest, now: fixture.now)
        #expect(try fixture.store.installBundle(writeBundle(release: 4), now: fixture.now) == false)
        #expect(try fixture.store.currentGeneration()?.freshness.source == .downloaded)
        #expect(try fixture.store.installBundle(writeBundle(release: 6), now: fixture.now))
        #expect(try fixture.store.currentGeneration()?.freshness.release == 6)
    }

    @Test func aDamagedBundleIsNamedAndHarmsNothing() throws {
        let manifest = try fixture.stage(release: 1, [StoreFixture.blueprint(key: 1)])
        try fixture.store.install(verifying: manifest, now: fixture.now)
        let bundle = try writeBundle(release: 9, damaged: true)
        let error = #expect(throws: StoreError.self) {
            try fixture.store.installBundle(bundle, now: fixture.now)
        }
        #expect(error?.code == .badBundle)
        #expect(try fixture.key() == "b")
    }

    @Test func whatCannotBeOpenedIsRebuiltOnceAndKept() throws {
        let damaged = [UInt8](repeating: 7, count: 50_000)
        try fixture.folder.write(damaged, to: "other/content.sqlite")
        func open() throws -> OfflineStore {
            try OfflineStore(folder: fixture.folder.url.appending(path: "other"), appVersion: "1")
        }
        let first = try open()
        #expect(first.needsRepair)
        let store = try open()
        #expect(store.needsRepair)
        try store.prepareForSync(now: fixture.now)
        #expect(!store.needsRepair)
        #expect(!fixture.folder.exists("other/content.3.sqlite"))
        #expect(try fixture.folder.read("other/content.sqlite") == damaged)
        try store.set("name", "value")
        #expect(try first.setting("name") == "value")
    }

    @Test func whatAKilledRepairLeftIsRemovedAfterAnHour() throws {
        for name in ["old", "young"] {
            try fixture.folder.write("x", to: "store/content.new-\(name)")
        }
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)],
            ofItemAtPath: fixture.folder.path + "/store/content.new-old")
        try fixture.store.prepareForSync(now: fixture.now)
        #expect(!fixture.folder.exists("store/content.new-old"))
        #expect(fixture.folder.exists("store/content.new-young"))
    }

    @Test func aBundleWithoutAWholeManifestIsNamedAndKeepsNoSyncFromItsWork() throws {
        let bundle = try writeBundle(release: 9)
        try fixture.folder.write("{", to: "bundle9/manifest.json")
        let error = #expect(throws: StoreError.self) {
            try fixture.store.installBundle(bundle, now: fixture.now)
        }
        #expect(error?.code == .badBundle)
        #expect(error?.message.contains("manifest.json") == true)
        try fixture.store.prepareForSync(now: fixture.now)
    }
}
