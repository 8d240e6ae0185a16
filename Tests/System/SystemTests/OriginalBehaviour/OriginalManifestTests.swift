import ContentModel
import Foundation
import SyncClient
import TestSupport
import Testing

/// The manifest, as the original format has it.
@Suite struct OriginalManifestTests {
    private let world: OriginalWorld

    init() throws { world = try OriginalWorld() }

    @Test("A manifest of schema 2 with blueprint and audio alone, and without sizes, is enough.")
    func theOriginalManifestIsEnough() async throws {
        try world.serveOriginalFormat()
        let host = world.originalHost
        let device = try OriginalDevice(world, transport: host)
        let report = await device.run()
        #expect(report.outcome == .installed(release: 0))
        #expect(report.tally.documents == [.blueprint: 3])
        for language in ["de", "en", "es"] {
            let test = try device.test(language)
            #expect(test.value.questions.count == 3)
            #expect(test.freshness.source == .downloaded)
        }
        let clips = try await device.sync.files(.audio(language: "de"))
        let clip = try #require(clips["hello.m4a"])
        #expect(try Data(contentsOf: clip) == Data("clip of es".utf8))
    }

    @Test("Unknown fields are ignored at any level.")
    func unknownFieldsAreIgnored() async throws {
        try world.serveOriginalFormat(extra: "\"later\": {\"a\": [1, null, \"x\"]}, ")
        let device = try OriginalDevice(world, transport: world.originalHost)
        let report = await device.run()
        #expect(report.outcome == .installed(release: 0))
        #expect(report.refused.isEmpty && report.partial.isEmpty)
        #expect(try device.key("de") == [0])
        #expect(try await device.sync.files(.audio(language: "de")).count == 1)
    }

    @Test("A manifest of an unknown major version is refused with an error that names the remedy.")
    func anUnknownMajorVersionIsRefused() async throws {
        try world.serveOriginalFormat()
        let host = world.originalHost
        let device = try OriginalDevice(world, transport: host)
        await device.run()
        try world.edit()
        try world.serveOriginalFormat(schema: 3)
        guard case .failed(let failure) = await device.run(force: true).outcome else {
            Issue.record("it was installed")
            return
        }
        #expect(failure.code == .unsupportedSchema)
        #expect(
            failure.message == "The content has schema 3, this app reads up to 2: update the app.")
        #expect(try device.key() == [0])
    }
}
