import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI

/// The state machine of a sync.
///
/// It has no clock, network or disk: events in, actions out.
///
/// ```
/// idle → manifest → (rehash) → plan → fetch… → install → ended
/// ```
struct ContentSyncMachine: Sendable {
    /// An event.
    enum Event: Sendable {
        /// `isIncomplete`: documents of the installed release were not delivered yet, or are retried.
        /// `rereads`: a full sync, which verifies stored content.
        case started(
            now: Date, force: Bool, schedule: SyncSchedule, isIncomplete: Bool = false,
            rereads: Bool = false)
        /// A valid manifest. `isInstalled`: it is the current generation's. `older`: it is older than
        /// that.
        case manifestArrived(
            isInstalled: Bool, banReason: String?, validator: String?, manifest: Checksum? = nil,
            older: OlderRelease? = nil)
        /// The server still has the installed manifest.
        case manifestUnchanged
        case manifestFailed(SyncError, attempt: Int)
        /// Stored content was verified.
        case rehashed
        /// The missing or damaged documents, in the order in which to fetch them. `hasStaged`: an earlier run staged
        /// others that no generation has.
        case planned([EagerDocument], hasStaged: Bool = false)
        case documentArrived(EagerDocument)
        case documentFailed(EagerDocument, SyncError, attempt: Int)
        case installed(release: Int)
        /// The decoder vetoed the release, or it was banned during the download.
        case refused(StoreError)
        case storageFailed(SyncError)
    }

    /// An action; each but `finish` results in one event.
    enum Action: Sendable, Equatable {
        /// `manifest` is the manifest of the tag; without a tag the request has no condition.
        case fetchManifest(
            validator: String?, manifest: Checksum? = nil, attempt: Int, delay: Duration)
        case rehash
        case plan
        case fetch(EagerDocument, attempt: Int, delay: Duration)
        /// `undelivered`: the documents that the host did not deliver, with the reasons.
        case install(undelivered: [Checksum: String] = [:])
        case finish(SyncOutcome, SyncSchedule)
    }

    private enum Phase {
        case idle
        case manifest
        case rehashing
        case planning
        case fetching
        case installing
        case ended
    }

    private let settings: SyncSettings
    /// A random number from -1 to 1, drawn once a run.
    private let chance: Double
    /// The address of the release.
    private let origin: String
    private var phase = Phase.idle
    private var now = Date.distantPast
    private var schedule = SyncSchedule()
    private var isForced = false
    private var isFull = false
    private var isInstalled = false
    private var validator: String?
    private var manifest: Checksum?
    private var waiting: [EagerDocument] = []
    private var underWay = 0
    private var bytesUnderWay = 0
    private var failure: SyncError?
    /// The documents that the host does not deliver, with the last failure.
    private var undelivered: [Checksum: SyncError] = [:]
    private var arrivedCount = 0
    private var isIncomplete = false
    private var hasStaged = false
    private var hasRestarted = false
    private var repaired = 0

    init(settings: SyncSettings, chance: Double, origin: String) {
        self.settings = settings
        self.chance = chance
        self.origin = origin
    }

    mutating func handle(_ event: Event) -> [Action] {
        switch (phase, event) {
        case (.idle, .started(let now, let force, let schedule, let isIncomplete, let rereads)):
            self.isIncomplete = isIncomplete
            return start(now: now, force: force, rereads: rereads, schedule: schedule)
        case (.manifest, .manifestFailed(let failure, let attempt)):
            return retryManifest(failure, attempt: attempt)
        case (.manifest, .manifestUnchanged):
            isInstalled = true
            validator = schedule.validator
            manifest = schedule.manifest
            return isFull ? rehash() : endOrComplete()
        case (
            .manifest,
            .manifestArrived(let isInstalled, let banReason, let tag, let manifest, let older)
        ):
            self.validator = tag
            self.manifest = manifest
            self.isInstalled = isInstalled
            return evaluate(banReason: banReason, older)
        case (.rehashing, .rehashed):
            return plan()
        case (.planning, .planned(let documents, let hasStaged)):
            self.hasStaged = hasStaged
            return fetch(documents)
        case (.fetching, .documentArrived(let document)):
            arrivedCount += 1
            ended(document)
            return continueFetching()
        case (.fetching, .documentFailed(let document, let failure, let attempt)):
            return documentFailed(document, failure, attempt: attempt)
        case (.installing, .installed(let release)):
            if isInstalled {
                return finish(repaired > 0 ? .repaired(documents: repaired) : .upToDate)
            }
            return finish(.installed(release: release))
        case (.installing, .refused(let error)):
            let failure = SyncError(refusal: error)
            return finish(failure.code == .vetoed ? .refused(failure) : .banned(failure))
        case (_, .storageFailed(let failure)):
            return finish(.failed(failure))
        default:
            preconditionFailure("\(event) cannot happen in \(phase)")
        }
    }

    // MARK: The manifest

    private mutating func start(
        now: Date, force: Bool, rereads: Bool, schedule: SyncSchedule
    ) -> [Action] {
        self.now = now
        self.schedule = schedule
        let longest = max(
            TimeInterval(ServiceLimits.retryAfterSecondsMax), settings.manifestCooldown.seconds,
            settings.failureCooldown.seconds)
        let isDue = SyncSchedule.isDue(
            schedule.nextCheck, now: now, longestWait: longest * (1 + settings.jitter))
        isForced = force
        // A cooldown is one of its host.
        let isOtherHost = schedule.asked.map { $0 != origin } ?? false
        guard force || isDue || isOtherHost else {
            phase = .ended
            return [.finish(.notDue(until: schedule.nextCheck ?? now), schedule)]
        }
        isFull =
            rereads
            || SyncSchedule.isDue(
                schedule.nextFullSync, now: now,
                longestWait: settings.fullSyncInterval.seconds * (1 + settings.jitter))
        phase = .manifest
        return [fetchManifest(attempt: 1, delay: .zero)]
    }

    private mutating func retryManifest(_ failure: SyncError, attempt: Int) -> [Action] {
        guard failure.isTransient, attempt < ServiceLimits.attemptsMax else {
            return finish(.failed(failure))
        }
        return [fetchManifest(attempt: attempt + 1, delay: delay(after: attempt))]
    }

    /// Makes an unconditional request by force and in a full sync: a host whose validators do not change with its
    /// content would always reply "unchanged".
    private func fetchManifest(attempt: Int, delay: Duration) -> Action {
        let asksAnew = isForced || isFull || schedule.origin != origin
        return .fetchManifest(
            validator: asksAnew ? nil : schedule.validator,
            manifest: asksAnew ? nil : schedule.manifest, attempt: attempt, delay: delay)
    }

    private mutating func evaluate(banReason: String?, _ older: OlderRelease?) -> [Action] {
        if let banReason { return finish(.banned(because: banReason)) }
        if !isForced, let older,
            let until = older.deferredUntil(
                now: now, origin: origin, schedule: schedule, settings: settings)
        {
            return finish(
                .keptNewer(installed: older.installed, offered: older.offered, until: until))
        }
        if isFull { return rehash() }
        return isInstalled ? endOrComplete() : plan()
    }

    /// Ends, or requests undelivered documents again, as each check does.
    private mutating func endOrComplete() -> [Action] {
        isIncomplete ? plan() : finish(.upToDate)
    }

    private mutating func rehash() -> [Action] {
        phase = .rehashing
        return [.rehash]
    }

    private mutating func plan() -> [Action] {
        phase = .planning
        return [.plan]
    }

    // MARK: The documents

    private mutating func fetch(_ documents: [EagerDocument]) -> [Action] {
        phase = .fetching
        waiting = documents.reversed()
        repaired = documents.count
        return continueFetching()
    }

    private mutating func continueFetching() -> [Action] {
        var actions: [Action] = []
        while failure == nil, let next = waiting.last, hasRoom(for: next) {
            waiting.removeLast()
            underWay += 1
            bytesUnderWay += next.boundedSize
            actions.append(.fetch(next, attempt: 1, delay: .zero))
        }
        guard underWay == 0 else { return actions }
        if let failure { return fail(failure) }
        // An installation would change nothing.
        if arrivedCount == 0, !hasStaged, let failure = undelivered.values.first {
            return finish(.failed(failure))
        }
        phase = .installing
        return [
            .install(
                undelivered: undelivered.mapValues {
                    "The host does not deliver it: \($0.message)"
                })
        ]
    }

    /// Returns true when another download may start: a few large ones, or more small ones, each in memory for a moment.
    private func hasRoom(for document: EagerDocument) -> Bool {
        guard underWay < settings.requestsInFlight else { return underWay == 0 }
        return underWay < ServiceLimits.parallelDownloadsMax
            || bytesUnderWay + document.boundedSize <= ServiceLimits.smallDownloadsBytesMax
    }

    private mutating func ended(_ document: EagerDocument) {
        underWay -= 1
        bytesUnderWay -= document.boundedSize
    }

    private mutating func documentFailed(
        _ document: EagerDocument, _ failure: SyncError, attempt: Int
    ) -> [Action] {
        if failure.isTransient, attempt < ServiceLimits.attemptsMax, self.failure == nil {
            return [.fetch(document, attempt: attempt + 1, delay: delay(after: attempt))]
        }
        ended(document)
        // One file that is withheld must not stop the others.
        if failure.isOfDocument, failure.code != .notFound || hasRestarted,
            undelivered.count < ServiceLimits.undeliveredMax
        {
            undelivered[document.checksum] = failure
            return continueFetching()
        }
        // Once cancelled, it does not matter what failed before.
        self.failure = failure.code == .cancelled ? failure : self.failure ?? failure
        return continueFetching()
    }

    /// Ends with a failure, or requests the manifest once more when an object is missing: the release may
    /// have been replaced and pruned during the run.
    ///
    /// Staged documents remain for the next run.
    private mutating func fail(_ failure: SyncError) -> [Action] {
        guard failure.code == .notFound, !hasRestarted else { return finish(.failed(failure)) }
        hasRestarted = true
        self.failure = nil
        waiting = []
        phase = .manifest
        return [.fetchManifest(validator: nil, attempt: 1, delay: .zero)]
    }

    // MARK: The end

    private mutating func finish(_ outcome: SyncOutcome) -> [Action] {
        phase = .ended
        var next = schedule
        next.asked = origin
        next.problem = nil
        switch outcome {
        // A cancellation is no result of the network: the next run may begin at once.
        case .failed(let failure) where failure.code == .cancelled: next = schedule
        case .failed(let failure):
            next.problem = failure
            next.nextCheck = now + wait(after: failure)
        default:
            next.nextCheck = now + spread(settings.manifestCooldown)
            // A refused release leaves the stored one as it was, with its own tag.
            guard !outcome.isRefusal else {
                if let manifest, schedule.manifest == manifest {
                    (next.validator, next.manifest) = (nil, nil)
                }
                break
            }
            next.validator = validator
            next.manifest = manifest
            next.origin = origin
            next.seenAt = now
            if !undelivered.isEmpty { next.nextCheck = now + spread(settings.failureCooldown) }
            if isFull { next.nextFullSync = now + spread(settings.fullSyncInterval) }
        }
        return [.finish(outcome, next)]
    }

    /// Returns the longer of the device's own wait and the host's; the latter is only spread to later times.
    private func wait(after failure: SyncError) -> TimeInterval {
        let own = spread(settings.failureCooldown)
        guard let asked = failure.retryAfter else { return own }
        let bounded = min(asked, .seconds(ServiceLimits.retryAfterSecondsMax))
        return max(own, spread(bounded, by: abs(chance)))
    }

    private func spread(_ duration: Duration, by chance: Double? = nil) -> TimeInterval {
        duration.seconds * (1 + settings.jitter * (chance ?? self.chance))
    }

    /// Returns 0.5 s, 1 s, 2 s …, each spread.
    private func delay(after attempt: Int) -> Duration {
        .seconds(spread(settings.backoff) * Double(1 << (attempt - 1)))
    }
}

extension EagerDocument {
    /// The maximum length in bytes.
    fileprivate var boundedSize: Int { size ?? ServiceLimits.unsizedBlobBytesMax }
}
