import ContentModel
import Foundation
import OfflineStorage
import TestSupport
import Testing

@testable import SyncClient

/// Hosts whose validators say nothing about their content.
@Suite struct UnchangingHostTests {
    /// A device that is frozen: its host says "unchanged" for ever.
    private func frozen() async throws -> Voyage {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag("\"2021-01-01\"")
        #expect(await voyage.run().outcome == .installed(release: 1))
        try voyage.edit(key: 1)
        voyage.clock.advance(3600)
        #expect(await voyage.run(force: false).outcome == .upToDate)
        #expect(try voyage.key() == "a")
        voyage.host.forgetRequests()
        return voyage
    }

    private func expectNoCondition(_ voyage: Voyage) throws {
        let request = try #require(voyage.host.requests.first)
        #expect(request.headers["If-None-Match"] == nil)
        #expect(request.headers["If-Modified-Since"] == nil)
        #expect(request.headers["Cache-Control"] == "no-cache")
    }

    @Test func forceFreesADevice() async throws {
        let voyage = try await frozen()
        #expect(await voyage.run(force: true).outcome == .installed(release: 2))
        try expectNoCondition(voyage)
        #expect(try voyage.key() == "b")
    }

    @Test func aWeekFreesADevice() async throws {
        let voyage = try await frozen()
        voyage.clock.advance(8 * 86_400)
        #expect(await voyage.run(force: false).outcome == .installed(release: 2))
        try expectNoCondition(voyage)
        #expect(try voyage.key() == "b")
    }

    @Test func anAnswerOf304WithoutAConditionIsNoSuccess() async throws {
        let voyage = try await frozen()
        voyage.host.fail("manifest.json", .status(304))
        guard case .failed(let failure) = await voyage.run(force: true).outcome else {
            Issue.record("a host that says nothing was believed")
            return
        }
        #expect(failure.code == .serverError)
        #expect(failure.message.contains("without a condition"))
    }

    /// The tag that is kept is that of what is installed.
    @Test func theTagOfABannedManifestIsNotKept() async throws {
        let voyage = try Voyage(["es"])
        _ = await voyage.run()
        let first = try voyage.folder.read("release/manifest.json")
        try voyage.edit(key: 1)
        _ = await voyage.run()
        for _ in 0..<2 {
            _ = try voyage.store.beginStart(now: voyage.clock.now)
            try voyage.store.willShowFirstScreen()
        }
        let ban = try #require(try voyage.store.beginStart(now: voyage.clock.now))
        #expect(await voyage.run().outcome == .banned(because: ban.message))
        let schedule = SyncSchedule(text: try voyage.store.setting("schedule") ?? "")
        #expect(schedule.validator == nil && schedule.manifest == nil)
        try voyage.folder.write(first, to: "release/manifest.json")
        #expect(await voyage.run().outcome == .upToDate)
    }

    /// A tag means something at the host that gave it, and for the manifest that it came with.
    @Test func aTagIsSentToTheHostThatGaveItOnly() async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag("\"1\"")
        _ = await voyage.run()
        let other = try Voyage(["es"])
        try other.edit(key: 2)
        other.host.fixTag("\"1\"")
        let moved = ContentSync(
            store: voyage.store, transport: other.host, releaseURL: "http://elsewhere",
            clock: { voyage.clock.now + 3600 })
        #expect(await moved.sync().outcome == .installed(release: 2))
        #expect(try voyage.key() == "c")
    }

    @Test func aBundleOverAnOldTagDoesNotStick() async throws {
        let voyage = try Voyage(["es"])
        voyage.host.fixTag("\"1\"")
        _ = await voyage.run()
        // An app's update brings a bundle that was built elsewhere, with a higher number.
        let other = try Voyage(["es"])
        try other.edit(key: 1)
        try other.edit(key: 2)
        try FileManager.default.copyItem(
            at: other.folder.url.appending(path: "release"),
            to: voyage.folder.url.appending(path: "bundle"))
        let bundle = ContentBundle(folder: voyage.folder.url.appending(path: "bundle"))
        #expect(try voyage.store.installBundle(bundle, now: voyage.clock.now))
        #expect(try voyage.key() == "c")
        // The host still has what it had, which the device would not be told by its tag.
        voyage.clock.advance(3600)
        guard case .keptNewer(3, 1, let until) = await voyage.run(force: false).outcome else {
            Issue.record("the host's older release was not named")
            return
        }
        voyage.clock.advance(until.timeIntervalSince(voyage.clock.now) + 1)
        #expect(await voyage.run(force: false).outcome == .installed(release: 1))
        #expect(try voyage.key() == "a")
    }
}
