import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI

/// The result of the attempt to use a changeset.
enum ChangesetStep: Sendable {
    case taken(ChangesetOutcome)
    /// The run continues without a changeset.
    case plain
}

/// The outcome of a changeset.
struct ChangesetOutcome: Sendable {
    /// The manifest; `nil` when the installed one is still the newest.
    var manifest: [UInt8]?
    /// The validator for the next request.
    var validator: String?
    /// True when the newest release is known, and deferred on this device.
    var isHeld = false
}

extension ContentSync {
    /// Requests the changeset from the installed release: poll and update at once.
    ///
    /// The facts of a changeset are verified before its body is inflated, and its result like any other release. An
    /// internal failure is counted, and the same run fetches the files instead.
    /// - Parameters:
    ///   - trusted: The metadata trusted so far.
    ///   - installed: The installed manifest.
    ///   - validator: The validator of the last changeset or timestamp; `nil` for no condition.
    /// - Returns: The outcome of the changeset, or that the run continues without one.
    /// - Throws: `SyncError` `cancelled`, or `StoreError`.
    func changesetStep(
        after trusted: TrustedMetadata, _ installed: (checksum: Checksum, bytes: [UInt8]),
        validator: String?
    ) async throws -> ChangesetStep {
        guard let release = installedRelease(), release > 0, try mayAskForChanges(after: release)
        else { return .plain }
        let startedAt = clock()
        // A copy of the host that is behind is passed by the second time.
        for passesCaches in [false, true] {
            let reply = try await downloader.changeset(
                from: release, validator: passesCaches ? nil : validator,
                passesCaches: passesCaches)
            switch reply {
            case .unchanged:
                guard isCurrent(trusted, startedAt), let newest = trusted.manifest?.checksum
                else { continue }
                let isHeld = try heldRelease()?.manifest == newest
                guard isHeld || newest == installed.checksum else { continue }
                return .taken(
                    ChangesetOutcome(manifest: nil, validator: validator, isHeld: isHeld))
            case .none(let pause, let problem):
                changesetProblem = problem
                changesetPause = pause
                return .plain
            case .file(let bytes, let tag):
                var taken = try await take(
                    bytes, after: trusted, installed.bytes, release: release, tag, startedAt)
                if case .behind(let version) = taken {
                    taken = try await follow(to: version, from: trusted, startedAt) { trusted in
                        try await self.take(
                            bytes, after: trusted, installed.bytes, release: release, tag,
                            startedAt)
                    }
                }
                switch taken {
                case .outcome(let outcome): return .taken(outcome)
                case .stale where !passesCaches: continue
                case .stale: return .plain
                case .behind(let version): return refused(Self.isUnder(root: version).description)
                case .refused(let reason): return refused(reason)
                }
            }
        }
        return .plain
    }

    private func refused(_ reason: String) -> ChangesetStep {
        changesetProblem = reason
        return .plain
    }

    /// Fetches the roots up to the one under which a changeset is signed, one request each, and then verifies the
    /// changeset.
    ///
    /// - Parameters:
    ///   - version: The version of that root.
    ///   - trusted: The metadata trusted so far.
    ///   - startedAt: The time of the update.
    ///   - take: Verifies the changeset by the metadata trusted then.
    /// - Returns: The result of the attempt.
    /// - Throws: `SyncError` `cancelled`, or `StoreError`.
    private func follow(
        to version: Int, from trusted: TrustedMetadata, _ startedAt: Date,
        take: (TrustedMetadata) async throws -> Taken
    ) async throws -> Taken {
        var update = MetadataUpdate(trusted, startedAt: startedAt)
        while update.trusted.root.version < version, let request = update.request,
            request.role == TrustRole.root.rawValue
        {
            do {
                guard
                    case .file(let bytes, _) = try await downloader.metadata(
                        request, now: startedAt)
                else { return .refused(Self.isUnder(root: version).description) }
                try update.received(bytes)
            } catch let error as TrustError {
                return .refused(error.message)
            } catch {
                let failure = SyncError(error)
                guard failure.code != .cancelled else { throw failure }
                return .refused(failure.message)
            }
            try store.save(update.trusted)
        }
        var followed = update.trusted
        // Files that the new keys have signed too need not come again.
        followed.restore(
            timestamp: nil, snapshot: trusted.file(.snapshot)?.bytes,
            targets: trusted.file(.targets)?.bytes)
        return try await take(followed)
    }

    private static func isUnder(root version: Int) -> ChangesetError {
        .doesNotFit("it is signed under root \(version)")
    }

    /// True when no newer timestamp is needed yet.
    private nonisolated func isCurrent(_ trusted: TrustedMetadata, _ now: Date) -> Bool {
        [TrustRole.root, .timestamp, .snapshot, .targets].allSatisfy {
            trusted.file($0).map { $0.expires > now } ?? false
        }
    }

    /// The result of an attempt to apply a changeset.
    private enum Taken: Sendable {
        case outcome(ChangesetOutcome)
        /// The changeset is older than the trusted metadata: it comes from a stale copy of the host.
        case stale
        /// The changeset is signed under a newer root.
        case behind(root: Int)
        case refused(String)
    }

    @concurrent private nonisolated func take(
        _ bytes: [UInt8], after trusted: TrustedMetadata, _ base: [UInt8], release: Int,
        _ validator: String?, _ startedAt: Date
    ) async throws -> Taken {
        do {
            let changeset = try Changeset(bytes)
            guard changeset.from == release else {
                throw ChangesetError.doesNotFit("it begins at release \(changeset.from)")
            }
            guard changeset.rootVersion == trusted.root.version else {
                return changeset.rootVersion < trusted.root.version
                    ? .stale : .behind(root: changeset.rootVersion)
            }
            return .outcome(
                try outcome(of: changeset, after: trusted, base, validator, startedAt))
        } catch let error as TrustError {
            return error.code == .rolledBack ? .stale : .refused(error.message)
        } catch let error as ChangesetError {
            return .refused(error.description)
        }
    }

    /// Verifies a changeset, builds its result and stages it.
    private nonisolated func outcome(
        of changeset: Changeset, after trusted: TrustedMetadata, _ base: [UInt8],
        _ validator: String?, _ startedAt: Date
    ) throws -> ChangesetOutcome {
        var trusted = trusted
        let timestamp = try changeset.timestamp(after: trusted)
        try trusted.update(timestamp: timestamp, startedAt: startedAt)
        let snapshot =
            try changeset.snapshot(after: trusted) ?? trusted.file(.snapshot)?.bytes ?? []
        try trusted.update(snapshot: snapshot, startedAt: startedAt)
        let result = try ChangesetBody.rebuild(changeset, base: base) {
            try store.storedDocument($0)
        }
        let checksum = Checksum(of: result.manifest)
        let targets =
            try changeset.targets(
                after: trusted, manifest: checksum, length: result.manifest.count)
            ?? trusted.file(.targets)?.bytes ?? []
        try trusted.update(targets: targets, startedAt: startedAt)
        guard trusted.manifest?.checksum == checksum else {
            throw ChangesetError.doesNotFit("the signed release is another one")
        }
        let isNew = changeset.to > changeset.from
        if isNew {
            let verified = try VerifiedManifest(verifying: result.manifest, expected: checksum)
            // Of a release that is held back nothing is needed yet.
            if try held(verified) == nil { try stage(result, of: verified.manifest) }
        }
        try store.save(trusted)
        return ChangesetOutcome(
            manifest: isNew ? result.manifest : nil, validator: validator)
    }

    /// Stages the documents that the new manifest names.
    private nonisolated func stage(_ result: ChangesetResult, of manifest: Manifest) throws {
        for document in manifest.eagerDocuments {
            guard let bytes = result.objects[document.checksum] else { continue }
            try store.stage(bytes, as: document.checksum)
            downloader.tally.countDocument(document.kind)
        }
    }

    // MARK: Hosts without changesets

    private func mayAskForChanges(after release: Int) throws -> Bool {
        // A try before in this run has the same answer, unless a connection broke.
        guard changesetPause.map({ $0 == .untilNextPoll }) ?? true else { return false }
        let text = try store.setting(Self.pauseName) ?? ""
        return !ChangesetPause.lasts(text, release: release, now: clock())
    }

    /// Saves the pause of requests to the host for changesets, after its signatures arrived.
    ///
    /// - Throws: `StoreError`.
    func notePause() throws {
        guard let pause = changesetPause, pause != .untilNextPoll,
            let release = installedRelease()
        else { return }
        try store.set(Self.pauseName, pause.text(release: release, now: clock()))
    }

    private static let pauseName = "changesPaused"
}
