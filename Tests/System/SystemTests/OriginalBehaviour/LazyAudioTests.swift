import ContentModel
import Foundation
import OfflineStorage
import SyncClient
import TestSupport
import Testing

/// Audio comes when a language is chosen, clip by clip.
@Suite struct LazyAudioTests {
    private let world: OriginalWorld
    private let device: OriginalDevice

    init() throws {
        world = try OriginalWorld(["de", "es"])
        for name in ["a", "b", "c"] {
            try world.folder.write(
                "clip \(name)", to: "content/languages/es/audio/\(name).m4a")
        }
        try world.publish()
        device = try OriginalDevice(world)
    }

    private func clips() throws -> [FileReference] {
        try #require(try world.manifest().languages["es"]?.audio).files
    }

    private func askedCount(of files: [FileReference]) -> Int {
        world.host.requests.count { request in
            files.contains { request.url.path().hasSuffix($0.checksum.hex) }
        }
    }

    @Test("Audio is fetched file by file when its language is first chosen, and only then.")
    func audioWaitsForItsLanguage() async throws {
        #expect(await device.run().tally.files == 0)
        #expect(try askedCount(of: clips()) == 0)
        world.host.forgetRequests()
        let files = try await device.sync.files(.audio(language: "es"))
        #expect(files.keys.sorted() == ["a.m4a", "b.m4a", "c.m4a"])
        #expect(try askedCount(of: clips()) == 3 && world.host.requests.count == 3)
        #expect(try await device.sync.files(.audio(language: "es")) == files)
        #expect(world.host.requests.count == 3)
    }

    @Test(
        "Audio that fails costs neither the text of its language nor another clip.",
        arguments: [StaticHost.Fault.status(404), .flipBit(at: 1), .status(500)])
    func audioThatFailsCostsNothingElse(fault: StaticHost.Fault) async throws {
        let clips = try clips()
        world.host.fail(clips[0].checksum.hex, fault)
        world.host.fail("audio/es/a.m4a", fault)
        #expect(await device.run().outcome == .installed(release: 2))
        await #expect(throws: SyncError.self) {
            try await device.sync.files(.audio(language: "es"))
        }
        #expect(try device.test().freshness.source == .downloaded)
        #expect(try device.store.localization(language: "es").value.strings["start"] == "es")
        for clip in clips.dropFirst() {
            #expect(try device.store.lazyFile(clip.checksum, now: world.clock.now) != nil)
        }
        world.host.heal()
        world.host.forgetRequests()
        #expect(try await device.sync.files(.audio(language: "es")).count == 3)
        #expect(world.host.requests.count == 1)
    }
}
