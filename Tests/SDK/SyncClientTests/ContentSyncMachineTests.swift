import ContentModel
import Foundation
import ServiceAPI
import Testing

@testable import SyncClient

/// Events in, actions out: no clock, no network, no waiting.
@Suite struct ContentSyncMachineTests {
    private let now = Date(timeIntervalSince1970: 1_800_000_000)
    private let settled: SyncSchedule
    private var machine = Self.machine()

    init() {
        settled = SyncSchedule(
            nextCheck: now - 1, nextFullSync: now + 86_400, validator: "\"e\"", origin: "host",
            seenAt: now - 1800)
    }

    private static func machine(
        chance: Double = 0, requestsInFlight: Int = 16
    ) -> ContentSyncMachine {
        var settings = SyncSettings()
        settings.requestsInFlight = requestsInFlight
        return ContentSyncMachine(settings: settings, chance: chance, origin: "host")
    }

    private func document(_ number: Int) -> EagerDocument {
        EagerDocument(
            kind: .blueprint, key: "l\(number)", checksum: Checksum(of: [UInt8(number)]), size: 10)
    }

    private func finish(_ actions: [ContentSyncMachine.Action]) -> (SyncOutcome, SyncSchedule)? {
        guard actions.count == 1, case .finish(let outcome, let schedule) = actions[0] else {
            return nil
        }
        return (outcome, schedule)
    }

    @Test mutating func aRunThatFindsNothingNewAsksOnce() {
        #expect(
            machine.handle(.started(now: now, force: false, schedule: settled))
                == [.fetchManifest(validator: "\"e\"", attempt: 1, delay: .zero)])
        let end = finish(machine.handle(.manifestUnchanged))
        #expect(end?.0 == .upToDate)
        #expect(end?.1.nextCheck == now + 1800)
        #expect(end?.1.validator == "\"e\"")
        #expect(end?.1.nextFullSync == settled.nextFullSync)
    }

    @Test mutating func beforeTheCooldownEndsNothingIsAsked() {
        var schedule = settled
        schedule.nextCheck = now + 5
        let end = finish(machine.handle(.started(now: now, force: false, schedule: schedule)))
        #expect(end?.0 == .notDue(until: now + 5))
        #expect(end?.1 == schedule)
    }

    /// A long wait of the app's own is no moved clock.
    @Test(arguments: [true, false])
    func aWaitOfAWeekIsWaitedFor(fails: Bool) {
        var settings = SyncSettings()
        settings.manifestCooldown = .seconds(fails ? 60 : 7 * 86_400)
        settings.failureCooldown = .seconds(fails ? 7 * 86_400 : 60)
        var machine = ContentSyncMachine(settings: settings, chance: 1, origin: "host")
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let end = finish(
            machine.handle(
                fails
                    ? .manifestFailed(SyncError(.offline, ""), attempt: ServiceLimits.attemptsMax)
                    : .manifestUnchanged))
        machine = ContentSyncMachine(settings: settings, chance: 1, origin: "host")
        let later = machine.handle(
            .started(now: now + 86_400, force: false, schedule: end?.1 ?? settled))
        #expect(finish(later)?.0 == .notDue(until: now + 7.7 * 86_400))
    }

    @Test mutating func forcePassesTheCooldown() {
        var schedule = settled
        schedule.nextCheck = now + 5
        #expect(machine.handle(.started(now: now, force: true, schedule: schedule)).count == 1)
    }

    /// A year back or ahead: a plan further off than any that is made means a moved clock.
    @Test(arguments: [-365.0, 365.0])
    func aMovedClockStopsNothing(days: Double) {
        var machine = Self.machine(chance: 1)
        let moved = now + days * 86_400
        let actions = machine.handle(.started(now: moved, force: false, schedule: settled))
        // A full sync too, which asks without a condition.
        #expect(actions == [.fetchManifest(validator: nil, attempt: 1, delay: .zero)])
    }

    @Test mutating func documentsAreFetchedInOrderAFewAtOnceThenInstalled() {
        machine = Self.machine(requestsInFlight: 4)
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        #expect(
            machine.handle(.manifestArrived(isInstalled: false, banReason: nil, validator: "\"f\""))
                == [.plan])
        let documents = (0..<6).map { document($0) }
        let first = machine.handle(.planned(documents))
        #expect(first == documents.prefix(4).map { .fetch($0, attempt: 1, delay: .zero) })
        #expect(
            machine.handle(.documentArrived(documents[0])) == [
                .fetch(documents[4], attempt: 1, delay: .zero)
            ])
        #expect(
            machine.handle(.documentArrived(documents[1])) == [
                .fetch(documents[5], attempt: 1, delay: .zero)
            ])
        for number in 2..<5 { #expect(machine.handle(.documentArrived(documents[number])) == []) }
        #expect(machine.handle(.documentArrived(documents[5])) == [.install()])
        let end = finish(machine.handle(.installed(release: 7)))
        #expect(end?.0 == .installed(release: 7))
        #expect(end?.1.validator == "\"f\"")
    }

    @Test mutating func aTransientFailureIsTriedThreeTimesWithGrowingWaits() {
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let failure = SyncError(.offline, "gone")
        #expect(
            machine.handle(.manifestFailed(failure, attempt: 1))
                == [.fetchManifest(validator: "\"e\"", attempt: 2, delay: .seconds(0.5))])
        #expect(
            machine.handle(.manifestFailed(failure, attempt: 2))
                == [.fetchManifest(validator: "\"e\"", attempt: 3, delay: .seconds(1))])
        let end = finish(machine.handle(.manifestFailed(failure, attempt: 3)))
        #expect(end?.0 == .failed(failure))
        #expect(end?.1.nextCheck == now + 60)
        #expect(end?.1.validator == "\"e\"")
    }

    @Test(arguments: [(0, 60.0), (5, 60), (3600, 3600.0), (10_000_000, 86_400.0)])
    func retryAfterIsObeyedUpToADay(seconds: Int, expected: Double) {
        var machine = Self.machine()
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let failure = SyncError(.serverError, "busy", retryAfter: .seconds(seconds))
        let end = finish(machine.handle(.manifestFailed(failure, attempt: 1)))
        #expect(end?.0 == .failed(failure))
        #expect(end?.1.nextCheck == now + expected)
    }

    /// Spread to later moments, never to earlier ones.
    @Test(arguments: [(-1.0, 3960.0), (0, 3600), (1, 3960)])
    func retryAfterIsNeverCutShort(chance: Double, expected: Double) {
        var machine = Self.machine(chance: chance)
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let failure = SyncError(.serverError, "busy", retryAfter: .seconds(3600))
        let end = finish(machine.handle(.manifestFailed(failure, attempt: 1)))
        #expect(end?.1.nextCheck == now + expected)
    }

    @Test mutating func forceReadsEverythingAgain() {
        _ = machine.handle(.started(now: now, force: true, schedule: settled, rereads: true))
        let arrived = machine.handle(
            .manifestArrived(isInstalled: true, banReason: nil, validator: nil))
        #expect(arrived == [.rehash])
    }

    @Test(arguments: [
        SyncError.Code.badManifest, .unsupportedSchema, .redirected, .storage, .notFound,
    ])
    func whatTryingAgainCannotHelpIsNotTriedAgain(code: SyncError.Code) {
        var machine = Self.machine()
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let failure = SyncError(code, "no")
        #expect(finish(machine.handle(.manifestFailed(failure, attempt: 1)))?.0 == .failed(failure))
    }

    @Test mutating func aBannedReleaseIsNotFetched() {
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        let end = finish(
            machine.handle(
                .manifestArrived(isInstalled: false, banReason: "bad", validator: "\"f\"")))
        let message = "bad Wait for a newer release, or update the app."
        #expect(end?.0 == .banned(SyncError(.banned, message)))
        #expect(end?.1.validator == "\"e\"")
    }

    @Test mutating func forceAndFullSyncsAskWithoutACondition() {
        #expect(
            machine.handle(.started(now: now, force: true, schedule: settled, rereads: true))
                == [.fetchManifest(validator: nil, attempt: 1, delay: .zero)])
        machine = Self.machine()
        var schedule = settled
        schedule.nextFullSync = now - 1
        #expect(
            machine.handle(.started(now: now, force: false, schedule: schedule))
                == [.fetchManifest(validator: nil, attempt: 1, delay: .zero)])
        // A tag of another host, or of an earlier version that did not say whose it is.
        for origin in ["other", nil] {
            machine = Self.machine()
            schedule = settled
            schedule.origin = origin
            #expect(
                machine.handle(.started(now: now, force: false, schedule: schedule))
                    == [.fetchManifest(validator: nil, attempt: 1, delay: .zero)])
        }
    }

    /// Many small documents, few large ones: what is in memory at once is bounded.
    @Test(arguments: [(1_000, 16), (1_000_000, 8), (8_000_000, 4), (nil, 4)])
    func fewLargeDocumentsAreFetchedAtOnce(size: Int?, expected: Int) {
        var machine = Self.machine()
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        _ = machine.handle(.manifestArrived(isInstalled: false, banReason: nil, validator: nil))
        let documents = (0..<40).map { number in
            var document = document(number)
            document.size = size
            return document
        }
        #expect(machine.handle(.planned(documents)).count == expected)
        var fetched = expected
        for number in 0..<39 {
            fetched += machine.handle(.documentArrived(documents[number])).count
            #expect(fetched - number - 1 <= expected)
        }
        #expect(machine.handle(.documentArrived(documents[39])) == [.install()])
    }

    @Test mutating func aMissingObjectAsksForTheManifestOnceMore() {
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        _ = machine.handle(.manifestArrived(isInstalled: false, banReason: nil, validator: nil))
        _ = machine.handle(.planned([document(1)]))
        let failure = SyncError(.notFound, "pruned")
        #expect(
            machine.handle(.documentFailed(document(1), failure, attempt: 1))
                == [.fetchManifest(validator: nil, attempt: 1, delay: .zero)])
        _ = machine.handle(.manifestArrived(isInstalled: false, banReason: nil, validator: nil))
        _ = machine.handle(.planned([document(2)]))
        let end = finish(machine.handle(.documentFailed(document(2), failure, attempt: 1)))
        #expect(end?.0 == .failed(failure))
    }

    @Test mutating func afterAFailureWhatIsUnderWayIsAwaited() {
        machine = Self.machine(requestsInFlight: 4)
        _ = machine.handle(.started(now: now, force: false, schedule: settled))
        _ = machine.handle(.manifestArrived(isInstalled: false, banReason: nil, validator: nil))
        _ = machine.handle(.planned((0..<9).map { document($0) }))
        let failure = SyncError(.redirected, "elsewhere")
        #expect(machine.handle(.documentFailed(document(0), failure, attempt: 1)) == [])
        #expect(machine.handle(.documentArrived(document(1))) == [])
        #expect(machine.handle(.documentArrived(document(2))) == [])
        #expect(finish(machine.handle(.documentArrived(document(3))))?.0 == .failed(failure))
    }

    @Test mutating func aFullSyncReadsEverythingAgainEvenWhenNothingIsNew() {
        var schedule = settled
        schedule.nextFullSync = now - 1
        _ = machine.handle(.started(now: now, force: false, schedule: schedule))
        #expect(machine.handle(.manifestUnchanged) == [.rehash])
        #expect(machine.handle(.rehashed) == [.plan])
        #expect(
            machine.handle(.planned([document(1)])) == [
                .fetch(document(1), attempt: 1, delay: .zero)
            ])
        #expect(machine.handle(.documentArrived(document(1))) == [.install()])
        let end = finish(machine.handle(.installed(release: 1)))
        #expect(end?.0 == .repaired(documents: 1))
        #expect(end?.1.nextFullSync == now + 7 * 86_400)
    }

    @Test func waitsSpreadByTheJitter() {
        for (chance, expected) in [(-1.0, 1620.0), (0, 1800), (1, 1980)] {
            var machine = Self.machine(chance: chance)
            _ = machine.handle(.started(now: now, force: false, schedule: settled))
            #expect(finish(machine.handle(.manifestUnchanged))?.1.nextCheck == now + expected)
        }
    }

    @Test func theScheduleIsReadBackAsItWasKept() {
        #expect(SyncSchedule(text: settled.text) == settled)
        var named = settled
        named.manifest = Checksum(of: [1])
        #expect(SyncSchedule(text: named.text) == named)
        #expect(SyncSchedule(text: SyncSchedule().text) == SyncSchedule())
        #expect(SyncSchedule(text: "damaged") == SyncSchedule())
    }
}
