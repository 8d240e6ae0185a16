import ContentModel
public import Foundation
import Logging
public import OfflineStorage
import RemoteAssets
import ServiceAPI

/// The sync of a device's content: the only actor that fetches and installs releases.
///
/// `ContentSyncMachine` decides, `Downloader` fetches, `OfflineStore` stores.
///
/// ```swift
/// let store = try OfflineStore(folder: URL.temporaryDirectory.appending(path: "content"))
/// let sync = ContentSync(
///     store: store, transport: HTTPTransport(),
///     releaseURL: try URL(address: "https://host.example/api/content/v2"))
/// let report = await sync.sync()
/// if case .failed(let error) = report.outcome { print(error.code, error.message) }
/// ```
public actor ContentSync {
    let store: OfflineStore
    let downloader: Downloader
    let clock: @Sendable () -> Date
    let trust: TrustPolicy
    private let settings: SyncSettings
    private let decoder: ContentDecoder
    private let logger = SDKLogger.make(.content)
    private let listeners = Listeners<SyncEvent>()
    private let runs = SharedRun<SyncReport>()
    private var pendingManifest: PendingManifest?
    /// The stored documents that a full sync found damaged.
    private var damaged: Set<Checksum> = []
    private var hasRehashed = false
    private var isForced = false
    private var planned = 0
    /// The reason why the last changeset of this run was not used; `nil` without one.
    var changesetProblem: String?
    /// The pause of requests for changesets that this run began; `nil` if the host sent one, or none was requested.
    var changesetPause: ChangesetPause?
    /// The assets of the installed release, cached so that the manifest is read once.
    var knownAssets: (manifest: Checksum, entries: [String: AssetEntry])?

    /// Creates a sync for one store.
    ///
    /// - Parameters:
    ///   - store: The storage of content.
    ///   - transport: The network.
    ///   - releaseURL: The address of the release, such as `https://host/api/content/v2`, or of its `manifest.json`.
    ///   - settings: The intervals of polls and the bounds of downloads.
    ///   - trust: The signatures that the device requires of a release, if any.
    ///   - decoder: The app's own check of each new document; throws to refuse it, or `ReleaseVetoError` to refuse the
    ///     release.
    ///   - clock: The wall clock.
    public init(
        store: OfflineStore, transport: any Transport, releaseURL: URL,
        settings: SyncSettings = SyncSettings(), trust: TrustPolicy = .unsigned,
        decoder: @escaping ContentDecoder = { _, _ in },
        clock: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        let settings = settings.bounded
        self.settings = settings
        self.trust = trust
        self.decoder = decoder
        self.clock = clock
        downloader = Downloader(
            transport: transport,
            releaseURL: releaseURL.absoluteString.asReleaseAddress,
            settings: settings, tally: TrafficCounter(), clock: clock)
    }

    /// Returns a stream of events from now on; it ends with the actor.
    public nonisolated func events() -> AsyncStream<SyncEvent> { listeners.stream() }

    /// The phase, progress and last report of this sync.
    public nonisolated var status: SyncStatus<SyncReport> { downloader.meter.status.value }

    /// Returns a stream of the present status and each newer one; a slow reader gets the newest.
    public nonisolated func statuses() -> AsyncStream<SyncStatus<SyncReport>> {
        downloader.meter.status.stream()
    }

    nonisolated func emit(_ event: SyncEvent) { listeners.send(event) }

    /// Fetches and installs the newest release, once.
    ///
    /// Runs do not overlap: a call during a run gets that run's report. It never throws: without a network, or with bad
    /// content, the installed release remains, and the outcome has the reason.
    ///
    /// A caller whose task is cancelled gets the failure `cancelled` at once. The run continues for other callers, and
    /// stops when there are none. A cancellation starts no cooldown.
    /// - Parameter force: True to poll at once and unconditionally, without regard to cooldowns, and to verify every
    ///   stored document and file again.
    /// - Returns: The outcome and the traffic.
    @discardableResult
    public func sync(force: Bool = false) async -> SyncReport {
        await sync(force: force, rereads: force)
    }

    /// Syncs by force without verifying stored content again, as after each save of an author.
    package func checkNow() async -> SyncReport { await sync(force: true, rereads: false) }

    private func sync(force: Bool, rereads: Bool) async -> SyncReport {
        await runs.value { await self.syncOnce(force: force, rereads: rereads) }
            ?? SyncReport(outcome: .failed(.cancelled), tally: SyncTally())
    }

    private func syncOnce(force: Bool, rereads: Bool) async -> SyncReport {
        downloader.tally.reset()
        downloader.sources.reset()
        damaged = []
        hasRehashed = false
        changesetProblem = nil
        changesetPause = nil
        isForced = force
        emit(.started)
        downloader.meter.began()
        // A store that cannot be read is reported by the outcome.
        let before = (try? store.namedRefusals()) ?? []
        var ending = await drive(force: force, rereads: rereads)
        // Damage that this run found is repaired by a second one.
        if store.needsRepair, store.access == .readWrite, !Task.isCancelled {
            ending = await drive(force: force, rereads: rereads)
        }
        let refused = (try? store.namedRefusals()) ?? []
        let refusedCount = (try? store.refusedDocumentCount()) ?? refused.count
        let outcome = ending.considering(
            before: before, after: refused, unlistedCount: refusedCount - refused.count,
            release: installedRelease() ?? 0)
        let listed = refused.prefix(ContentLimits.unreadEntriesListed)
        var report = SyncReport(
            outcome: outcome, tally: downloader.tally.value, refused: Array(listed),
            unlistedRefusedCount: refusedCount - listed.count,
            partial: (try? store.partialDocuments()) ?? [])
        report.contentBaseError = downloader.sources.problem
        report.changesetProblem = changesetProblem
        report.isSigned = trust.isPinned
        report.heldRelease = try? heldRelease()
        report.confirmedUntil = try? confirmedUntil()
        // A store that cannot be read is reported by the outcome.
        let schedule = (try? store.setting("schedule")).map { SyncSchedule(text: $0) }
        if case .notDue = ending { report.lastError = schedule?.problem }
        logger.debug("sync ended", metadata: ["outcome": "\(outcome)"])
        emit(.ended(report))
        downloader.meter.ended(report, at: clock(), nextPoll: schedule?.nextCheck)
        return report
    }

    /// Passes events to the machine and performs its actions, until it has finished.
    private func drive(force: Bool, rereads: Bool) async -> SyncOutcome {
        var machine = ContentSyncMachine(
            settings: settings, chance: .random(in: -1...1),
            // Signed releases are another source: its cooldown and tags are its own.
            origin: downloader.releaseURL + (trust.isPinned ? "#signed" : ""))
        let schedule: SyncSchedule
        let isIncomplete: Bool
        do {
            try await prepareStore()
            isIncomplete = try store.namedRefusals().contains {
                $0.isTriedAgain && $0.checksum != nil
            }
            schedule = SyncSchedule(text: try store.setting("schedule") ?? "")
        } catch {
            return .failed(SyncError(error))
        }
        return await withTaskGroup(of: ContentSyncMachine.Event.self) { group in
            var actions = machine.handle(
                .started(
                    now: clock(), force: force, schedule: schedule, isIncomplete: isIncomplete,
                    rereads: rereads))
            while true {
                for action in actions {
                    if case .finish(let outcome, let schedule) = action {
                        group.cancelAll()
                        return save(schedule, outcome)
                    }
                    group.addTask { await self.perform(action) }
                }
                guard let event = await group.next() else {
                    return .failed(
                        SyncError(.storage, "The sync stopped without an end. Sync again."))
                }
                actions = machine.handle(event)
            }
        }
    }

    @concurrent private nonisolated func prepareStore() async throws {
        try store.prepareForSync(now: clock())
    }

    private func save(_ schedule: SyncSchedule, _ outcome: SyncOutcome) -> SyncOutcome {
        do {
            var schedule = schedule
            // A manifest with refused documents may have been damaged on its way: it is asked for
            // once more without a condition.
            if case .installed = outcome, try store.refusedDocumentCount() > 0 {
                schedule.validator = nil
            }
            try store.set("schedule", schedule.text)
            return outcome
        } catch {
            return .failed(SyncError(error))
        }
    }

    // MARK: Actions of the machine

    private func perform(_ action: ContentSyncMachine.Action) async -> ContentSyncMachine.Event {
        do {
            if Task.isCancelled { throw SyncError.cancelled }
            switch action {
            case .fetchManifest(let tag, let manifest, let attempt, let delay):
                downloader.meter.entered(.checking)
                return await fetchManifest(tag, of: manifest, attempt: attempt, delay: delay)
            case .rehash:
                downloader.meter.entered(.verifying)
                damaged = try await rehash()
                hasRehashed = true
                return .rehashed
            case .plan:
                let documents = try await plan()
                // Without documents to fetch, none can be withheld.
                return .planned(
                    documents, hasStaged: documents.isEmpty ? false : try await hasStaged())
            case .fetch(let document, let attempt, let delay):
                downloader.meter.entered(.fetching)
                return await fetch(document, attempt: attempt, delay: delay)
            case .install(let undelivered):
                downloader.meter.entered(.installing)
                return try await install(undelivered)
            case .finish:
                preconditionFailure("the end of a run is not performed")
            }
        } catch {
            return .storageFailed(SyncError(error))
        }
    }

    private func fetchManifest(
        _ tag: String?, of tagged: Checksum?, attempt: Int, delay: Duration
    ) async -> ContentSyncMachine.Event {
        do {
            try await Task.sleep(for: delay)
            let installed = try store.currentManifestBytes()
            // "Unchanged" says something of the installed manifest only. One that was refused may have
            // been damaged on its way: it is fetched again.
            // One that is held back stays so until the app or the manifest is another.
            let isHeld = try heldRelease().map { $0.manifest == tagged } ?? false
            let isKnown = installed.map { isHeld || $0.checksum == tagged } ?? false
            let usableTag = isKnown ? tag : nil
            if let trusted = try trustedSoFar() {
                // A full check, and one after a failure, take the plain way; so does one that has no
                // condition because documents were refused.
                if let installed, !isForced, isKnown,
                    try usableTag != nil || store.refusedDocumentCount() == 0,
                    case .taken(let outcome) = try await changesetStep(
                        after: trusted, installed, validator: usableTag)
                {
                    return try await arrive(outcome, installed)
                }
                // A changeset that was refused may have led to newer roots.
                let followed = changesetProblem == nil ? trusted : try trustedSoFar()
                let manifest = try await trustedManifest(
                    after: followed ?? trusted, validator: usableTag)
                try notePause()
                let judged = isHeld && usableTag != nil && !isForced ? tagged : nil
                return try await arrive(manifest, installed, judged: judged)
            }
            guard
                // A forced run begins anew.
                let fetched = try await downloader.manifest(
                    validator: usableTag, installedTag: installedTag(), store: store,
                    resumes: !isForced || attempt > 1)
            else {
                pendingManifest = installed.map { PendingManifest(bytes: $0.bytes) }
                return .manifestUnchanged
            }
            let checksum = Checksum(of: fetched.bytes)
            return installed?.checksum == checksum
                ? try arrived(installed: fetched.bytes, checksum, fetched.validator)
                : try await arrived(fetched.bytes, checksum, fetched.validator)
        } catch {
            return .manifestFailed(SyncError(error), attempt: attempt)
        }
    }

    /// Handles the result of a changeset: another manifest, or an unchanged one.
    private func arrive(
        _ outcome: ChangesetOutcome, _ installed: (checksum: Checksum, bytes: [UInt8])
    ) async throws -> ContentSyncMachine.Event {
        guard let manifest = outcome.manifest else {
            return try arrived(
                installed: installed.bytes, installed.checksum, outcome.validator,
                held: outcome.isHeld ? heldRelease() : nil)
        }
        return try await arrived(manifest, Checksum(of: manifest), outcome.validator)
    }

    /// Fetches the manifest signed by the pinned keys, unless it is installed, or was deferred on this device before.
    private func arrive(
        _ trusted: TrustedManifest, _ installed: (checksum: Checksum, bytes: [UInt8])?,
        judged: Checksum?
    ) async throws -> ContentSyncMachine.Event {
        if let installed, [installed.checksum, judged].contains(trusted.checksum) {
            return try arrived(
                installed: installed.bytes, installed.checksum, trusted.validator,
                held: installed.checksum == trusted.checksum ? nil : heldRelease())
        }
        let bytes = try await downloader.manifest(trusted)
        return try await arrived(bytes, trusted.checksum, trusted.validator)
    }

    /// Handles an installed manifest that is the newest for this device; it was checked when it was installed.
    private func arrived(
        installed bytes: [UInt8], _ checksum: Checksum, _ validator: String?,
        held: DeferredRelease? = nil
    ) throws -> ContentSyncMachine.Event {
        pendingManifest = PendingManifest(bytes: bytes)
        try note(held: held)
        return .manifestArrived(
            isInstalled: true, banReason: try store.banReason(checksum), validator: validator,
            manifest: held?.manifest ?? checksum)
    }

    /// Handles a newest manifest whose rollout has not reached this device: it installs nothing, or the previous
    /// release.
    private func arrived(
        held: DeferredRelease, _ rollout: Rollout, _ validator: String?
    ) async throws -> ContentSyncMachine.Event {
        let manifest = try await manifest(insteadOf: rollout)
        if try store.currentGeneration()?.manifestChecksum == manifest.checksum {
            return try arrived(
                installed: manifest.bytes, manifest.checksum, validator, held: held)
        }
        pendingManifest = PendingManifest(manifest)
        try note(held: held)
        return .manifestArrived(
            isInstalled: false, banReason: try store.banReason(manifest.checksum),
            validator: validator, manifest: held.manifest)
    }

    /// Handles a manifest other than the installed one.
    private func arrived(
        _ bytes: [UInt8], _ checksum: Checksum, _ validator: String?
    ) async throws -> ContentSyncMachine.Event {
        let current = try store.currentManifest()
        let verified = try VerifiedManifest(verifying: bytes)
        let manifest = verified.manifest
        if manifest.isEmpty, let current, !current.manifest.isEmpty {
            throw SyncError(
                .badManifest,
                "The host's manifest is empty, so the installed content stays. Publish it again."
            )
        }
        if let held = try held(verified), let rollout = manifest.rollout {
            return try await arrived(held: held, rollout, validator)
        }
        try note(held: nil)
        pendingManifest = PendingManifest(verified)
        // A damaged store, or one that lacks documents, accepts older releases too.
        let isWhole = try !store.needsRepair && store.refusedDocumentCount() == 0
        let generations = isWhole ? try store.generations() : []
        // Of signed releases their versions have decided before.
        let older =
            trust.isPinned
            ? nil
            : current.flatMap {
                OlderRelease(
                    (manifest, checksum), installed: $0.manifest, generations, now: clock())
            }
        return .manifestArrived(
            isInstalled: false, banReason: try store.banReason(checksum), validator: validator,
            manifest: checksum, older: older)
    }

    /// Returns the tag of the manifest that was last processed.
    private func installedTag() throws -> String? {
        SyncSchedule(text: try store.setting("schedule") ?? "").validator
    }

    /// Verifies all stored content, and removes damaged files that were fetched on demand.
    @concurrent private nonisolated func rehash() async throws -> Set<Checksum> {
        for checksum in try store.damagedLazyFiles() { try store.discardLazyFile(checksum) }
        return Set(try store.damagedBlobs())
    }

    private func plan() async throws -> [EagerDocument] {
        guard let manifest = try pendingManifest?.manifest() else { return [] }
        let documents = try await missing(from: manifest, damaged: damaged)
        let bytes = documents.reduce(0) { $0 + ($1.size ?? 0) }
        planned = documents.count
        emit(.planned(documents: documents.count, bytes: bytes))
        downloader.meter.planned(bytes: bytes)
        return documents
    }

    /// Returns true when documents of the new release are staged that the installed one does not have.
    private func hasStaged() async throws -> Bool {
        guard let manifest = try pendingManifest?.manifest() else { return false }
        return try await hasStaged(of: manifest)
    }

    @concurrent private nonisolated func hasStaged(of manifest: Manifest) async throws -> Bool {
        let known = Set(
            (try store.currentManifest()?.manifest.eagerDocuments ?? []).map(\.checksum))
        let new = manifest.eagerDocuments.map(\.checksum)
            .filter { !known.contains($0) }
        return try !store.present(new).isEmpty
    }

    @concurrent private nonisolated func missing(
        from manifest: Manifest, damaged: Set<Checksum>
    ) async throws -> [EagerDocument] {
        let documents = try store.withoutRefused(manifest.eagerDocuments)
        let present = try store.present(documents.map(\.checksum)).subtracting(damaged)
        // Two documents with the same bytes are fetched once.
        var seen = present
        return documents.filter { seen.insert($0.checksum).inserted }
    }

    private func fetch(
        _ document: EagerDocument, attempt: Int, delay: Duration
    ) async -> ContentSyncMachine.Event {
        do {
            try await Task.sleep(for: delay)
            let store = store
            guard let readable = document.path else {
                throw SyncError(
                    .badManifest,
                    "The name \"\(document.key)\" is not valid. Publish it under another.")
            }
            try await downloader.blob(
                document.checksum, size: document.size, readable: readable,
                contentBaseURL: contentBaseURL(pendingManifest?.manifest()),
                isLastTry: attempt == ServiceLimits.attemptsMax, passesCaches: attempt > 1,
                store: store
            ) { file in
                try store.stage(try file.bytes(), as: document.checksum)
                file.discard()
            }
            downloader.tally.countDocument(document.kind)
            let done = downloader.tally.value.documents.values.reduce(0, +)
            emit(.fetched(document, done: done, of: planned))
            return .documentArrived(document)
        } catch {
            return .documentFailed(document, SyncError(error), attempt: attempt)
        }
    }

    /// Returns the address of blobs: a manifest may name another host, but never a less secure one.
    func contentBaseURL(_ manifest: Manifest?) -> String {
        let own = downloader.releaseURL
        guard let named = manifest?.contentBaseURL else { return own }
        guard ReleaseReader.isUsable(contentBaseURL: named, from: own) else {
            downloader.sources.ignored(named: named, own: own)
            return own
        }
        return named.asBaseAddress
    }

    private func install(
        _ undelivered: [Checksum: String]
    ) async throws -> ContentSyncMachine.Event {
        guard let verified = try pendingManifest?.verified() else {
            return .storageFailed(
                SyncError(.storage, "There is no manifest to install. Sync again."))
        }
        do {
            // Rows are compared at their first use too, so a forced run need not wait for that.
            let refiles = hasRehashed && (!isForced || !damaged.isEmpty)
            try await install(verified, undelivered, refiles: refiles)
            knownAssets = nil
            return .installed(release: verified.manifest.release)
        } catch let error as StoreError where [.vetoed, .banned].contains(error.code) {
            return .refused(error)
        }
    }

    @concurrent private nonisolated func install(
        _ manifest: VerifiedManifest, _ undelivered: [Checksum: String], refiles: Bool
    ) async throws {
        try store.install(
            manifest, source: .downloaded, now: clock(), undelivered: undelivered, decoder: decoder)
        if refiles { try store.refileQuestions() }
        try store.removeOrphans()
        try store.cleanUpLazyFiles(quotaBytes: settings.lazyFileQuotaBytes)
    }
}
