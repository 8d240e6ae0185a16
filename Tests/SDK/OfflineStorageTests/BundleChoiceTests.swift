import ContentModel
import Foundation
import TestSupport
import Testing

@testable import OfflineStorage

/// Which of two releases an app shows: what it brings or what is installed.
@Suite struct BundleChoiceTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)

    private func manifest(
        _ release: Int, _ time: String? = nil, host: String? = nil
    ) -> Manifest {
        Manifest(release: release, generatedAt: time, contentBaseURL: host)
    }

    @Test func withoutTimesTheNumberDecides() {
        #expect(BundleChoice.isNewer(manifest(6), than: manifest(5), now: now))
        #expect(!BundleChoice.isNewer(manifest(5), than: manifest(5), now: now))
        #expect(!BundleChoice.isNewer(manifest(4), than: manifest(5, "yesterday"), now: now))
    }

    /// A release folder that was made anew begins at 1 again.
    @Test func theTimeOfBuildingDecidesWhereItIsKnown() {
        let (may, june) = ("2026-05-01T10:00:00Z", "2026-06-01T10:00:00Z")
        #expect(BundleChoice.isNewer(manifest(1, june), than: manifest(40, may), now: now))
        #expect(BundleChoice.isNewer(manifest(40, june), than: manifest(40, may), now: now))
        #expect(!BundleChoice.isNewer(manifest(41, may), than: manifest(3, june), now: now))
        #expect(BundleChoice.isNewer(manifest(41, may), than: manifest(40, may), now: now))
        #expect(
            BundleChoice.isNewer(
                manifest(1, "2026-06-01T10:00:00.5+02:00"), than: manifest(2, may), now: now))
    }

    /// A release that says it is from next year would otherwise never make room.
    @Test func aTimeThatIsToComeDecidesNothing() {
        let (today, later) = ("2026-06-01T10:00:00Z", "2036-06-01T10:00:00Z")
        #expect(BundleChoice.isNewer(manifest(6, today), than: manifest(5, later), now: now))
        #expect(!BundleChoice.isNewer(manifest(4, later), than: manifest(5, today), now: now))
    }

    @Test func anAppThatMovedToAnotherHostBringsItsOwn() {
        let (old, new) = ("https://old.example", "https://new.example")
        #expect(
            BundleChoice.isNewer(manifest(1, host: new), than: manifest(9, host: old), now: now))
        #expect(
            !BundleChoice.isNewer(manifest(1, host: old), than: manifest(9, host: old), now: now))
        #expect(!BundleChoice.isNewer(manifest(1), than: manifest(9, host: old), now: now))
    }

    private func bundle(
        _ fixture: StoreFixture, release: Int, _ time: String, key: Int
    ) throws -> (bundle: ContentBundle, manifest: [UInt8]) {
        let bytes = StoreFixture.blueprint(key: key).json.canonicalBytes
        let checksum = Checksum(of: bytes)
        let manifest = Manifest(
            release: release, generatedAt: time,
            languages: [
                "es": LanguageEntry(
                    blueprint: ContentReference(checksum: checksum, size: bytes.count))
            ]
        ).canonicalBytes
        let name = "bundle-\(release)-\(key)"
        try fixture.folder.write(manifest, to: "\(name)/manifest.json")
        try fixture.folder.write(
            bytes, to: "\(name)/objects/\(checksum.hex.prefix(2))/\(checksum.hex)")
        return (ContentBundle(folder: fixture.folder.url.appending(path: name)), manifest)
    }

    @Test func aRebuiltBundleOfALowerNumberIsInstalled() throws {
        let fixture = try StoreFixture()
        let old = try bundle(fixture, release: 40, "2026-05-01T10:00:00Z", key: 0)
        let new = try bundle(fixture, release: 1, "2026-06-01T10:00:00Z", key: 1)
        #expect(try fixture.store.installBundle(old.bundle, now: fixture.now))
        #expect(try fixture.store.installBundle(new.bundle, now: fixture.now))
        #expect(try fixture.key() == "b")
        // The former app, started again, does not bring its own back.
        #expect(try !fixture.store.installBundle(old.bundle, now: fixture.now))
        #expect(try fixture.key() == "b")
    }

    /// An app that ships the release which crashed it starts with what is installed.
    @Test func aBannedBundleDoesNotStopAStart() throws {
        let fixture = try StoreFixture()
        let old = try bundle(fixture, release: 1, "2026-05-01T10:00:00Z", key: 0)
        let new = try bundle(fixture, release: 2, "2026-06-01T10:00:00Z", key: 1)
        #expect(try fixture.store.installBundle(old.bundle, now: fixture.now))
        try fixture.store.ban(Checksum(of: new.manifest), reason: "crashed", now: fixture.now)
        #expect(try !fixture.store.installBundle(new.bundle, now: fixture.now))
        #expect(try fixture.key() == "a")
    }

    // MARK: The version of the app

    @Test func aProgramWithoutAVersionHasThatOfItsExecutable() throws {
        let version = AppVersion.ofMainBundle
        #expect(!version.isEmpty && version == AppVersion.of(.main))
        let folder = try TemporaryFolder()
        let name = folder.path + "/Some.app"
        try folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>CFBundleVersion</key><string>312</string>
            <key>CFBundleShortVersionString</key><string>1.4</string></dict></plist>
            """, to: "Some.app/Contents/Info.plist")
        let bundle = try #require(Bundle(path: name))
        #expect(AppVersion.of(bundle) == "1.4 (312)")
    }

    @Test func aStoreKnowsItsProgramWithoutBeingTold() throws {
        let folder = try TemporaryFolder()
        let store = try OfflineStore(folder: folder.url)
        #expect(try store.setting("appVersion") == AppVersion.ofMainBundle)
        try store.ban(Checksum(of: [1]), reason: "old decoder", now: now)
        #expect(try OfflineStore(folder: folder.url).banReason(Checksum(of: [1])) != nil)
        #expect(
            try OfflineStore(folder: folder.url, appVersion: "2").banReason(Checksum(of: [1]))
                == nil)
    }
}
