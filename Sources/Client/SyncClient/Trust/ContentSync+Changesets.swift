import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI

/// What a changeset has led to.
struct ChangesetOutcome: Sendable {
    /// The manifest; `nil` when the installed one is still the newest.
    var manifest: [UInt8]?
    /// The validator for the next question.
    var entityTag: String?
    /// True when the newest one is known, and held back on this device.
    var isHeld = false
    /// The expiry of a timestamp that came with it.
    var confirmedUntil: Date?
}

extension ContentSync {
    /// Asks for what leads on from the installed release: poll and update at once.
    ///
    /// The facts of a changeset are verified before its body is inflated, and its result like any other release. What
    /// goes wrong inside is counted, and the plain way is taken in the same run.
    /// - Parameters:
    ///   - trusted: What is trusted so far.
    ///   - installed: The installed manifest.
    ///   - entityTag: The validator of the last changeset or timestamp; `nil` for no condition.
    /// - Returns: `nil` to take the plain way.
    /// - Throws: `SyncError`, `TransportError` or `StoreError`: the network, or this device.
    func changesetOutcome(
        after trusted: TrustedMetadata, _ installed: (checksum: Checksum, bytes: [UInt8]),
        entityTag: String?
    ) async throws -> ChangesetOutcome? {
        guard let release = installedRelease(), release > 0, try mayAskForChanges(after: release)
        else { return nil }
        let startedAt = clock()
        // A copy of the host that is behind is passed by the second time.
        for passesCaches in [false, true] {
            let reply = try await downloader.changeset(
                from: release, entityTag: passesCaches ? nil : entityTag,
                passesCaches: passesCaches)
            switch reply {
            case .unchanged:
                guard isCurrent(trusted, startedAt), let newest = trusted.manifest?.checksum
                else { continue }
                let isHeld = try heldRelease()?.manifest == newest
                guard isHeld || newest == installed.checksum else { continue }
                return ChangesetOutcome(manifest: nil, entityTag: entityTag, isHeld: isHeld)
            case .absent:
                try noteNoChanges(after: release)
                return nil
            case .file(let bytes, let tag):
                let taken = try await take(
                    bytes, after: trusted, installed.bytes, release: release, tag, startedAt)
                switch taken {
                case .outcome(let outcome):
                    confirmedUntil = outcome.confirmedUntil
                    return outcome
                case .stale where !passesCaches: continue
                case .stale: return nil
                case .refused(let reason):
                    changesetProblem = reason
                    return nil
                }
            }
        }
        return nil
    }

    /// True when no newer timestamp is needed yet.
    private nonisolated func isCurrent(_ trusted: TrustedMetadata, _ now: Date) -> Bool {
        [TrustRole.root, .timestamp, .snapshot, .targets].allSatisfy {
            trusted.file($0).map { $0.expires > now } ?? false
        }
    }

    /// What became of a changeset.
    private enum Taken: Sendable {
        case outcome(ChangesetOutcome)
        /// It is older than what is trusted: of a copy of the host that is behind.
        case stale
        case refused(String)
    }

    @concurrent private nonisolated func take(
        _ bytes: [UInt8], after trusted: TrustedMetadata, _ base: [UInt8], release: Int,
        _ entityTag: String?, _ startedAt: Date
    ) async throws -> Taken {
        do {
            return .outcome(
                try outcome(of: bytes, after: trusted, base, release, entityTag, startedAt))
        } catch let error as TrustError {
            return error.code == .rolledBack ? .stale : .refused(error.message)
        } catch let error as ChangesetError {
            return .refused(error.description)
        }
    }

    /// Verifies a changeset, builds its result and stages it.
    private nonisolated func outcome(
        of bytes: [UInt8], after trusted: TrustedMetadata, _ base: [UInt8], _ release: Int,
        _ entityTag: String?, _ startedAt: Date
    ) throws -> ChangesetOutcome {
        let changeset = try Changeset(bytes)
        guard changeset.from == release else {
            throw ChangesetError.doesNotFit("it begins at release \(changeset.from)")
        }
        guard changeset.rootVersion == trusted.root.version else {
            throw ChangesetError.doesNotFit("it is signed under root \(changeset.rootVersion)")
        }
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
            manifest: isNew ? result.manifest : nil, entityTag: entityTag,
            confirmedUntil: trusted.file(.timestamp)?.expires)
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

    /// A host without changesets is asked again after a week, or when there is another release.
    private static let absenceSeconds: TimeInterval = 7 * 86_400

    private func mayAskForChanges(after release: Int) throws -> Bool {
        let parts = try store.setting(Self.absenceName)?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0] == "\(release)", let noted = Double(parts[1]) else {
            return true
        }
        let passed = clock().timeIntervalSince1970 - noted
        return passed < 0 || passed >= Self.absenceSeconds
    }

    private func noteNoChanges(after release: Int) throws {
        try store.set(
            Self.absenceName, "\(release) \(clock().timeIntervalSince1970)")
    }

    private static let absenceName = "changesAbsent"
}
