import Foundation
import OfflineStorage
import RemoteAssets
import SyncClient
import TestSupport
import Testing

// setting: start
struct Features: FeatureConfiguration {
    var dailyGoal = 20
    var showsStreak = true
}
// setting: end

/// What docs/app-developers.md shows of assets and settings.
@Suite struct AssetExampleTests {
    @Test func anAssetAndASettingChangeWithoutABuild() async throws {
        let fleet = try Fleet()
        let support = fleet.folder.url.appending(path: "support")
        try fleet.folder.write(
            #"{"en": {"privacy": "https://example.org/1"}}"#,
            to: "content/assets/policy-links.json")
        try fleet.folder.write(#"{"dailyGoal": 30}"#, to: "content/assets/features.json")
        try fleet.publish()
        let bundleFolder = fleet.folder.url.appending(path: "bundle")
        _ = try await Tool.run(["bundle", bundleFolder.path, "--release", fleet.release])
        let bundle = ContentBundle(folder: bundleFolder)
        let store = try fleet.store()
        try store.installBundle(bundle, now: Date())
        try await withServer(fleet.release) { address in
            let sync = ContentSync(
                store: store, transport: HTTPTransport(), releaseURL: try URL(address: address))
            // asset: start
            let assets = AssetRepository(
                sync: sync, bundle: bundle, folder: support, appVersion: "1.4")
            let links = try assets.asset("policy-links.json", .strings)
            print(links.current.text("privacy", languages: ["de-AT"]) ?? "none")
            // asset: end
            // settinguse: start
            let features = try assets.asset("features.json", .features(Features.self))
            print(features.current.dailyGoal, features.current.showsStreak)
            // settinguse: end
            #expect(links.current.text("privacy", languages: ["de-AT"]) == "https://example.org/1")
            #expect(features.current.dailyGoal == 30)
            let running = Task { await assets.run() }
            try fleet.folder.write(
                #"{"en": {"privacy": "https://example.org/2"}}"#,
                to: "content/assets/policy-links.json")
            try fleet.folder.write(
                #"{"dailyGoal": 40, "showsStreak": "no"}"#, to: "content/assets/features.json")
            try fleet.publish()
            #expect(await sync.sync(force: true).outcome == .installed(release: 3))
            let changed = await links.values().first {
                $0.texts["en"]?["privacy"]?.hasSuffix("2") == true
            }
            #expect(changed != nil)
            #expect(await features.values().first { $0.dailyGoal != 30 }?.dailyGoal == 40)
            #expect(features.current.showsStreak && features.notes.count == 1)
            running.cancel()
            await running.value
        }
        try DocumentedExample.expect("asset", linesMax: 10)
        try DocumentedExample.expect("setting", linesMax: 6)
        try DocumentedExample.expect("settinguse", linesMax: 4)
    }

    @Test func theImageOfAnAnnouncementComesWhenItIsAskedFor() async throws {
        let fleet = try Fleet()
        try fleet.folder.write(Self.png, to: "content/assets/icon.png")
        try fleet.folder.write("icon.png: onDemand\n", to: "content/assets.yaml")
        try fleet.publish()
        try await withServer(fleet.release) { address in
            let transport = HTTPTransport()
            let sync = ContentSync(
                store: try fleet.store(), transport: transport,
                releaseURL: try URL(address: address))
            await sync.sync(force: true)
            // image: start
            let image = try AssetImage(await sync.asset("icon.png"))
            // image: end
            #expect(image.width == 3 && image.height == 2 && image.data == Data(Self.png))
            #expect(
                try await sync.asset("links.json")
                    == Data(fleet.folder.read("content/assets/links.json")))
            await #expect(throws: AssetError.self) { try await sync.asset("none.png") }
            transport.close()
        }
        try DocumentedExample.expect("image", linesMax: 1)
    }

    /// Three by two white pixels, as Pillow 13 writes them.
    private static let png: [UInt8] = [
        0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0,
        0, 3, 0, 0, 0, 2, 8, 2, 0, 0, 0, 0x12, 0x16, 0xF1, 0x4D, 0, 0, 0, 0x16, 0x49, 0x44, 0x41,
        0x54, 0x78, 0x9C, 0x63, 0xFC, 0xFF, 0xFF, 0x3F, 3, 3, 3, 3, 3, 3, 0x13, 3, 3, 0x0C, 0, 0,
        0x36, 6, 3, 1, 0xD6, 0x21, 0xEC, 0x45, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60,
        0x82,
    ]
}
