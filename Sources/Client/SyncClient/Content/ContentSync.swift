import ContentModel
public import Foundation
import Logging
public import OfflineStore
import RemoteAssets
import ServiceAPI

/// Keeps a device's content up to date: the one actor that fetches and installs releases.
///
/// What it decides is in `ContentSyncMachine`; what it fetches, in `Downloader`; what it keeps,
/// in `OfflineStore`.
public actor ContentSync {
    let store: OfflineStore
    let downloader: Downloader
    let now: @Sendable () -> Date
    private let settings: SyncSettings
    private let decoder: ContentDecoder
    private let logger = Logger(label: "underway.sync")
    private let listeners = Listeners<SyncEvent>()
    private let runs = SharedRun<SyncReport>()
    private var pendingManifest: (manifest: Manifest, bytes: [UInt8])?
    /// What a full sync found to be no longer right.
    private var damaged: Set<Checksum> = []
    private var hasRehashed = false
    private var planned = 0
    /// The assets of the installed release, so that each need not read the manifest again.
    var knownAssets: (manifest: Checksum, entries: [String: AssetEntry])?

    /// Makes a sync for one store.
    ///
    /// - Parameters:
    ///   - store: Where content is kept.
    ///   - transport: The network.
    ///   - baseURL: The address of the release, such as `https://host/api/content/v2`.
    ///   - settings: How often to ask and how hard to try.
    ///   - decoder: The app's own judgement of each new document; throws to refuse the release.
    ///   - now: The clock.
    public init(
        store: OfflineStore, transport: any Transport, baseURL: String,
        settings: SyncSettings = SyncSettings(),
        decoder: @escaping ContentDecoder = { _, _ in },
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.store = store
        self.settings = settings
        self.decoder = decoder
        self.now = now
        downloader = Downloader(
            transport: transport,
            baseURL: baseURL.asBaseAddress,
            settings: settings, tally: TallyBox())
    }

    /// What happens from now on, for screens; ends with the actor.
    public nonisolated func events() -> AsyncStream<SyncEvent> { listeners.stream() }

    nonisolated func emit(_ event: SyncEvent) { listeners.send(event) }

    /// Catches up with the newest release.
    ///
    /// Runs do not overlap: a call during a run gets that run's report. Never throws: without
    /// network or with bad content, what is installed stays and the outcome says why.
    ///
    /// A caller whose task is cancelled gets the failure `cancelled` at once; the run goes on for the
    /// others and stops when nobody waits for it. That costs no cooldown.
    /// - Parameter force: True to ask at once, whenever the last check was.
    /// - Returns: How the run ended and what it moved.
    @discardableResult
    public func run(force: Bool = false) async -> SyncReport {
        await runs.value { await self.runOnce(force: force) }
            ?? SyncReport(outcome: .failed(.cancelled), tally: SyncTally())
    }

    private func runOnce(force: Bool) async -> SyncReport {
        downloader.tally.reset()
        damaged = []
        hasRehashed = false
        emit(.started)
        let outcome = await drive(force: force)
        let report = SyncReport(outcome: outcome, tally: downloader.tally.value)
        logger.debug("sync ended", metadata: ["outcome": "\(outcome)"])
        emit(.ended(report))
        return report
    }

    /// Feeds events to the machine and does what it asks for, until it has finished.
    private func drive(force: Bool) async -> SyncOutcome {
        var machine = ContentSyncMachine(settings: settings, chance: .random(in: -1...1))
        let schedule: SyncSchedule
        do {
            schedule = SyncSchedule(text: try store.setting("schedule") ?? "")
        } catch {
            return .failed(SyncFailure(error))
        }
        return await withTaskGroup(of: ContentSyncMachine.Event.self) { group in
            var actions = machine.handle(.started(now: now(), force: force, schedule: schedule))
            while true {
                for action in actions {
                    if case .finish(let outcome, let schedule) = action {
                        group.cancelAll()
                        return keep(schedule, outcome)
                    }
                    group.addTask { await self.perform(action) }
                }
                guard let event = await group.next() else {
                    return .failed(SyncFailure(.storage, "The sync stopped without an end."))
                }
                actions = machine.handle(event)
            }
        }
    }

    private func keep(_ schedule: SyncSchedule, _ outcome: SyncOutcome) -> SyncOutcome {
        do {
            try store.set("schedule", schedule.text)
            return outcome
        } catch {
            return .failed(SyncFailure(error))
        }
    }

    // MARK: Doing what the machine asks for

    private func perform(_ action: ContentSyncMachine.Action) async -> ContentSyncMachine.Event {
        do {
            if Task.isCancelled { throw SyncFailure.cancelled }
            switch action {
            case .fetchManifest(let tag, let manifest, let attempt, let delay):
                return await fetchManifest(tag, of: manifest, attempt: attempt, delay: delay)
            case .rehash:
                damaged = try await rehash()
                hasRehashed = true
                return .rehashed
            case .plan:
                return .planned(try await plan())
            case .fetch(let document, let attempt, let delay):
                return await fetch(document, attempt: attempt, delay: delay)
            case .install:
                return try await install()
            case .finish:
                preconditionFailure("the end of a run is not performed")
            }
        } catch {
            return .storageFailed(SyncFailure(error))
        }
    }

    private func fetchManifest(
        _ tag: String?, of tagged: Checksum?, attempt: Int, delay: Duration
    ) async -> ContentSyncMachine.Event {
        do {
            try await Task.sleep(for: delay)
            let current = try store.currentManifest()
            let installed = current.map { Checksum(of: $0.bytes) }
            // "Unchanged" says something of the installed manifest only. One that was refused may have
            // been damaged on its way: it is fetched again.
            let usableTag = installed != nil && installed == tagged ? tag : nil
            guard let fetched = try await downloader.manifest(entityTag: usableTag) else {
                pendingManifest = current
                return .manifestUnchanged
            }
            let checksum = Checksum(of: fetched.bytes)
            pendingManifest = (try ReleaseReader.manifest(fetched.bytes).manifest, fetched.bytes)
            return .manifestArrived(
                isInstalled: installed == checksum, banReason: try store.banReason(checksum),
                entityTag: fetched.entityTag, manifest: checksum)
        } catch {
            return .manifestFailed(SyncFailure(error), attempt: attempt)
        }
    }

    /// Reads everything that is stored again; files fetched on demand that are damaged go.
    @concurrent private nonisolated func rehash() async throws -> Set<Checksum> {
        for checksum in try store.damagedLazyFiles() { try store.discardLazyFile(checksum) }
        return Set(try store.damagedBlobs())
    }

    private func plan() async throws -> [EagerDocument] {
        guard let pendingManifest else { return [] }
        let documents = try await missing(from: pendingManifest.manifest, damaged: damaged)
        let bytes = documents.reduce(0) { $0 + ($1.size ?? 0) }
        planned = documents.count
        emit(.planned(documents: documents.count, bytes: bytes))
        return documents
    }

    @concurrent private nonisolated func missing(
        from manifest: Manifest, damaged: Set<Checksum>
    ) async throws -> [EagerDocument] {
        let documents = manifest.eagerDocuments
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
            try await downloader.blob(
                document.checksum, size: document.size, readable: document.readablePath,
                contentBaseURL: contentBaseURL(pendingManifest?.manifest), store: store
            ) { file in
                try store.stage(try file.bytes(), as: document.checksum)
                file.discard()
            }
            downloader.tally.countDocument(document.kind)
            let done = downloader.tally.value.documents.values.reduce(0, +)
            emit(.fetched(document, done: done, of: planned))
            return .documentArrived(document)
        } catch {
            return .documentFailed(document, SyncFailure(error), attempt: attempt)
        }
    }

    /// Where blobs are: a manifest may name another host, but never a less secure one.
    func contentBaseURL(_ manifest: Manifest?) -> String {
        let own = downloader.baseURL
        guard let named = manifest?.contentBaseURL,
            ReleaseReader.isUsable(contentBaseURL: named, from: own)
        else { return own }
        return named.asBaseAddress
    }

    private func install() async throws -> ContentSyncMachine.Event {
        guard let pendingManifest else {
            return .storageFailed(SyncFailure(.storage, "There is no manifest to install."))
        }
        do {
            try await install(pendingManifest.bytes, refiles: hasRehashed)
            knownAssets = (
                Checksum(of: pendingManifest.bytes), pendingManifest.manifest.assets
            )
            return .installed(release: pendingManifest.manifest.release)
        } catch let error as StoreError where error.code == .vetoed {
            return .refused(reason: error.message)
        } catch let error as StoreError where error.code == .banned {
            return .banned(reason: error.message)
        }
    }

    @concurrent private nonisolated func install(_ bytes: [UInt8], refiles: Bool) async throws {
        try store.install(bytes, source: .downloaded, now: now(), decoder: decoder)
        if refiles { try store.refileQuestions() }
        try store.removeOrphans()
        try store.cleanUpLazyFiles(quotaBytes: settings.lazyFileQuotaBytes)
    }
}

extension EagerDocument {
    /// The readable path, for hosts in the original format that have no objects.
    var readablePath: String {
        switch kind {
        case .blueprint: ContentRoutes.blueprint(language: key)
        case .exam: ContentRoutes.exam(key)
        case .localization: ContentRoutes.localization(language: key)
        case .announcements: ContentRoutes.announcements
        case .asset: ContentRoutes.asset(key)
        }
    }
}
