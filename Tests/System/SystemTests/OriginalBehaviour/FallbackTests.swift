import ContentModel
import Foundation
import OfflineStorage
import QuestionEngine
import SyncClient
import TestSupport
import Testing

/// Each language by itself: the best that is within reach.
@Suite struct FallbackTests {
    private let languages = ["de", "en", "es"]
    private let world: OriginalWorld

    init() throws { world = try OriginalWorld(languages) }

    @Test("A fresh install without a network has a complete test in every language, and scores it.")
    func aFreshInstallOfflineIsComplete() async throws {
        let bundle = try world.bundle()
        world.host.fail("manifest.json", .offline)
        let device = try OriginalDevice(world)
        try device.install(bundle)
        guard case .failed(let failure) = await device.run().outcome else {
            Issue.record("there was a network")
            return
        }
        #expect(failure.code == .offline)
        for language in languages {
            let test = try device.test(language)
            #expect(test.value.questions.count == 3)
            #expect(test.freshness.source == .bundled && !test.freshness.isFallback)
            let answers = test.value.questions.map {
                ($0.id, QuestionResponse.options($0.correctOptionIDs))
            }
            let result = PlacementResult(
                answers: Dictionary(uniqueKeysWithValues: answers), blueprint: test.value)
            #expect(result.points == 3 && result.questionCount == 3 && result.level == "A2")
            #expect(try device.store.localization(language: language).value.strings["start"] != nil)
        }
    }

    @Test(
        "If a language is damaged or missing at the host, only that one comes from the bundle.",
        arguments: [StaticHost.Fault.flipBit(at: 30), .status(404), .status(500), .bytes([])])
    func oneBrokenLanguageCostsNoOther(fault: StaticHost.Fault) async throws {
        let device = try OriginalDevice(world)
        try device.install(world.bundle())
        try world.edit(languages)
        let broken = try #require(try world.manifest().languages["en"]?.blueprint?.checksum)
        world.host.fail(broken.hex, fault)
        world.host.fail("blueprints/en.json", fault)
        let report = await device.run()
        #expect(report.outcome == .installed(release: 2))
        #expect(report.refused.map(\.key) == ["en"])
        for language in ["de", "es"] {
            let test = try device.test(language)
            #expect(test.value.questions[0].correct == [1])
            #expect(test.freshness.source == .downloaded && test.freshness.release == 2)
        }
        let test = try device.test("en")
        #expect(test.value.questions[0].correct == [0])
        #expect(test.freshness.source == .bundled && test.freshness.isFallback)
    }

    @Test("A language that the host no longer names comes from the bundle.")
    func aLanguageThatIsNotNamedComesFromTheBundle() async throws {
        let bundle = try world.bundle()
        try world.folder.remove("content/languages/en")
        for key in [1, 2] {
            try world.edit(["es"], key: key)
            let device = try OriginalDevice(world)
            try device.install(bundle)
            #expect(await device.run(force: true).outcome == .installed(release: key + 1))
            #expect(try device.key("es") == [key])
            let test = try device.test("en")
            #expect(test.freshness.source == .bundled && test.value.questions.count == 3)
        }
    }

    @Test("Each document has its source, downloaded or bundled, and its age.")
    func sourceAndAgeAreSaid() async throws {
        let device = try OriginalDevice(world)
        try device.install(world.bundle())
        world.clock.advance(100)
        let bundled = try device.test().freshness
        #expect(bundled.source == .bundled && bundled.age(now: world.clock.now) == 100)
        try world.edit()
        await device.run()
        world.clock.advance(50)
        let downloaded = try device.test().freshness
        #expect(downloaded.source == .downloaded && downloaded.release == 2)
        #expect(downloaded.age(now: world.clock.now) == 50)
    }

    @Test("The bundle of a newer app replaces an older download, but not a newer one.")
    func aNewerBundleBeatsAnOlderDownload() async throws {
        let old = try world.bundle("old")
        try world.edit(key: 1)
        let device = try OriginalDevice(world)
        await device.run()
        #expect(try device.install(old) == false)
        #expect(try device.key() == [1])
        try world.edit(key: 2)
        let updated = try OriginalDevice(world)
        #expect(try updated.install(world.bundle("new")))
        #expect(try updated.key() == [2])
        #expect(try updated.test().freshness.source == .bundled)
    }
}
