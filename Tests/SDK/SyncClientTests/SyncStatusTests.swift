import Foundation
import Observation
import TestSupport
import Testing
import UserData

@testable import SyncClient

/// Progress, phase and outcome as a screen sees them.
@Suite struct SyncStatusTests {
    @Test func aRunOfContentIsFollowedFromItsStartToItsEnd() async throws {
        let voyage = try Voyage()
        #expect(!voyage.sync.status.isRunning && voyage.sync.status.lastReport == nil)
        let statuses = voyage.sync.statuses()
        let report = await voyage.run(force: false)
        let end = voyage.sync.status
        #expect(end.phase == .idle && end.lastReport == report)
        #expect(end.lastEnd == voyage.clock.now)
        let nextPoll = try #require(end.nextPoll)
        #expect(nextPoll > voyage.clock.now)
        #expect(end.progress.requests == report.tally.requests)
        // Every byte that was planned came, once.
        #expect(end.progress.bytesDone == end.progress.bytesExpected)
        #expect(end.progress.fractionDone == 1)
        // A reader that comes late gets the newest.
        var iterator = statuses.makeAsyncIterator()
        #expect(await iterator.next() == end)
    }

    @Test func phasesFollowOneAnother() async throws {
        let voyage = try Voyage()
        let seen = ManualList<SyncPhase>()
        voyage.host.onRequest { [sync = voyage.sync] _ in seen.append(sync.status.phase) }
        _ = await voyage.run()
        #expect(seen.values.first == .checking && seen.values.last == .fetching)
        voyage.host.onRequest(nil)
    }

    /// Bytes of a download that was discarded do not count.
    @Test func aRetryCountsNoByteTwice() async throws {
        let voyage = try Voyage()
        voyage.host.fail("objects/", .flipBit(at: 0), times: 2)
        voyage.host.fail("objects/", .cut(after: 20), times: 2)
        let report = await voyage.run()
        #expect(report.outcome == .installed(release: 1))
        let progress = voyage.sync.status.progress
        #expect(progress.bytesDone == progress.bytesExpected)
    }

    @Test func aFailureIsTheLastOutcome() async throws {
        let voyage = try Voyage()
        voyage.host.fail("manifest.json", .offline)
        let report = await voyage.run()
        #expect(voyage.sync.status.lastReport?.outcome == report.outcome)
        #expect(voyage.sync.status.nextPoll != nil)
        #expect(voyage.sync.status.progress.requests == 3)
    }

    @Test func filesOnDemandShowTheirProgress() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        let seen = ManualList<SyncPhase>()
        voyage.host.onRequest { [sync = voyage.sync] _ in seen.append(sync.status.phase) }
        _ = try await voyage.sync.files(.audio(language: "de"))
        voyage.host.onRequest(nil)
        #expect(seen.values == [.fetching])
        let status = voyage.sync.status
        #expect(status.phase == .idle)
        #expect(status.progress.bytesDone == "clip of es".utf8.count)
        #expect(status.progress.fractionDone == 1)
    }

    /// The purpose by which a transport chooses networks.
    @Test func eachKindOfDownloadNamesItsPurpose() async throws {
        let voyage = try Voyage()
        _ = await voyage.run()
        #expect(Set(voyage.host.requests.map(\.purpose)) == [.content])
        voyage.host.forgetRequests()
        _ = try await voyage.sync.files(.audio(language: "de"))
        _ = try await voyage.sync.files(.media(exam: "int/demo"))
        _ = try await voyage.sync.files(.asset(path: "later.bin"))
        #expect(voyage.host.requests.map(\.purpose) == [.audio, .media, .asset])
        voyage.host.forgetRequests()
        try voyage.folder.write("another clip", to: "content/languages/es/audio/hello.m4a")
        try voyage.publish()
        _ = await voyage.run()
        voyage.host.forgetRequests()
        _ = try await voyage.sync.files(.audio(language: "es"), purpose: .content)
        #expect(voyage.host.requests.allSatisfy { $0.purpose == .content })
    }

    @MainActor @Test func aScreenSeesTheEndOfARun() async throws {
        let voyage = try Voyage()
        let shown = ObservedSync(voyage.sync)
        #expect(shown.status.lastReport == nil)
        let following = Task { await shown.follow() }
        let report = await voyage.run()
        await changed { shown.status.lastReport != nil }
        #expect(shown.status.lastReport == report && !shown.status.isRunning)
        following.cancel()
    }

    @MainActor @Test func aScreenSeesTheEndOfAnExchange() async throws {
        let world = try ScriptedService()
        let shown = ObservedSync(world.sync)
        let following = Task { await shown.follow() }
        let report = await world.sync.sync()
        await changed { shown.status.lastReport != nil }
        #expect(shown.status.lastReport == report && shown.status.phase == .idle)
        #expect(report.problem != nil && shown.status.nextPoll == report.retryAt)
        #expect(shown.status.progress.requests == report.requests)
        following.cancel()
    }

    /// Waits for an observed fact.
    @MainActor private func changed(_ fact: @escaping @MainActor () -> Bool) async {
        while !fact() {
            await withCheckedContinuation { continuation in
                let isTrue = withObservationTracking {
                    fact()
                } onChange: {
                    continuation.resume()
                }
                if isTrue { continuation.resume() }
            }
        }
    }
}
