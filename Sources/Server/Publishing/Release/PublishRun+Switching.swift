import ContentModel
import Foundation
import ServiceAPI

extension PublishRun {
    /// Makes a release of what was built, if it differs from the current one.
    mutating func switchRelease(nowSeconds: Int, generatedAt: String) throws {
        // Before anything that is served changes.
        let signing = try signing(nowSeconds: nowSeconds)
        // Signatures that are older than those made before count for no device that has seen these.
        if let signing, !differs, waitsForAuthors(signing) || baseline.isBehind { markChanged() }
        if !differs, let pending { try demandPendingIsCurrent(pending) }
        try expectNoLinks()
        try settleForeignNames()
        if publisher.verifies { try verifySiblings() }
        judgeUnownedNames()
        commit.remove(files: filesToRemove)
        try linkReadableNames()
        var manifest: ManifestFile?
        var eager: Set<Checksum> = []
        if differs {
            // To compress a manifest leaves a core idle.
            (eager, manifest) = try alongside({ [units = index.units] in
                signing == nil ? [] : try units.eagerChecksums()
            }) {
                try stageManifest(nowSeconds: nowSeconds, generatedAt: generatedAt)
            }
            try stagePublication(nowSeconds: nowSeconds)
        } else if let signing {
            let present = ManifestFile(
                try directory.manifestBytes() ?? [], release: index.release, rollout: index.rollout)
            try demandSigned(present, by: signing)
            manifest = present
        }
        forgetRecentSources(nowSeconds: nowSeconds)
        if marks != baseline.marks { try commit.stage(record: marks.bytes, at: ReleaseMarks.path) }
        if !differs { try mendCopies() }
        // Signatures are on the disk before their timestamp is moved; they need not be with the manifest.
        let (records, signatures) = try commit.flush {
            try withRecords(syncs: signing != nil) {
                try stagedSignatures(of: manifest, eager, by: signing, nowSeconds: nowSeconds)
            }
        }
        if let signatures { commit.stage(signatures) }
        if let staged = records.staged { commit.add(staged) }
        if let index = records.index { try commit.stage(record: index, at: ReleaseIndex.path) }
        if let seal = records.seal {
            try commit.stage(record: Array(seal.utf8), at: IndexSeal.path)
        }
        try commit.run()
        if !differs, baseline.trust != nil {
            try ChangesetFiles(directory: directory).discardStrays(of: index.release)
        }
        if pending != nil { try PendingFolder(of: directory).remove() }
        summary.release = index.release
        summary.rollout = index.rollout.map(RolloutSummary.init)
        if !directory.isForDevelopment {
            var memory = baseline.memory
            memory.note(
                index.release, of: marks.identity,
                signed: baseline.trust.map {
                    (signatures?.trusted ?? $0.trusted, $0.lineage, index.rollout != nil)
                },
                folder: publisher.folder)
        }
    }

    /// The files under names that no unit owns any more, compressed forms too.
    private var filesToRemove: [String] {
        let removed = summary.removed.compactMap { ReleasePath($0) }.flatMap(\.withSiblings)
        let files = removed.map(\.text) + summary.revived
        guard !files.isEmpty else { return [] }
        // One of them may have the name of a new file; by bytes, as in the file system.
        let owned = Set(index.units.paths.map { Array($0.utf8) })
        return files.filter { !owned.contains(Array($0.utf8)) }
    }

    /// What signs the release; `nil` where nobody wants signatures, or those of the present one are in place and last.
    ///
    /// - Throws: `PublishingError` `needsSignatures` without keys, and those of ``KeyFolder``.
    private func signing(nowSeconds: Int) throws -> ReleaseSigning? {
        guard let trust = baseline.trust else { return nil }
        guard differs || baseline.keys != nil else { return nil }
        guard let keys = baseline.keys else { throw ReleaseSigning.lacksKeys }
        let signing = ReleaseSigning(
            trust, keys: keys, now: Date(timeIntervalSince1970: TimeInterval(nowSeconds)),
            remembered: baseline.memory.signedVersion(of: trust))
        return differs || baseline.isBehind || signing.isTimestampShort || waitsForAuthors(signing)
            ? signing : nil
    }

    /// True when the same content is to be released again, so that authors elsewhere renew their signatures.
    private func waitsForAuthors(_ signing: ReleaseSigning) -> Bool {
        publisher.leavesPending && signing.needsAuthorsSoon
    }

    /// Makes the index and its seal, if there is something new, on another thread while `body` runs.
    ///
    /// - Parameters:
    ///   - syncs: True to prepare the index there, and to wait until it is on the disk: signatures would wait for it.
    ///   - body: What else is to be done.
    /// - Returns: Both.
    /// - Throws: `PublishingError` `unwritable`, and what `body` throws.
    private func withRecords<Value>(
        syncs: Bool, _ body: () throws -> Value
    ) throws -> (records: Records, Value) {
        try alongside(
            { [index, baseline, commit] in
                guard index != baseline.loaded else { return Records() }
                let bytes = index.bytes
                var records = Records()
                if syncs {
                    records.staged = try commit.staged(record: bytes, at: ReleaseIndex.path)
                } else {
                    records.index = bytes
                }
                if let keys = baseline.keys, let trust = baseline.trust {
                    records.seal = IndexSeal(keys, trust)?.text(of: bytes)
                }
                return records
            }, body)
    }

    /// The index of a publish, prepared or as bytes, and its seal.
    private struct Records: Sendable {
        var staged: ReleaseCommit.StagedFile?
        var index: [UInt8]?
        var seal: String?
    }

    /// Writes the kept and the signed copy of the current manifest again where they are not as it is.
    mutating func mendCopies() throws {
        guard let trust = baseline.trust, let bytes = try directory.manifestBytes(),
            let history = ReleasePath.history(release: index.release)
        else { return }
        let manifest = ManifestFile(bytes, release: index.release, rollout: index.rollout)
        guard trust.names(manifest.checksum) else { return }
        for path in [history, .target(manifest.checksum)]
        where (try? Files.read(directory.path(path))) != manifest.bytes {
            try Files.makeFolder(directory.path(path.folder))
            let seconds = directory.laterSecond(than: path, nowSeconds: 0)
            try directory.replace(
                directory.path(path), manifest.bytes, modifiedSeconds: seconds)
            summary.restored.append(path.text)
        }
        baseline.retain(manifest)
        summary.restored.sort()
    }

    /// Refuses a manifest that is not the signed one any more: somebody has just put it there.
    private func demandSigned(_ manifest: ManifestFile, by signing: ReleaseSigning) throws {
        guard !signing.trust.names(manifest.checksum) else { return }
        throw PublishingError(
            .needsSignatures,
            "\(directory.path(.manifest)) changed while the content was read. Nothing was signed. Publish again."
        )
    }

    private func stagedSignatures(
        of manifest: ManifestFile?, _ eager: Set<Checksum>, by signing: ReleaseSigning?,
        nowSeconds: Int
    ) throws -> StagedSignatures? {
        guard let manifest, let signing else { return nil }
        let files = ChangesetFiles(directory: directory)
        let metadata: SignedMetadata
        let changes: ChangesetFiles.Change
        if signing.trust.names(manifest.checksum) {
            metadata = try signing.refresh(manifest)
            changes = try files.refreshed(manifest, metadata.trusted)
        } else {
            metadata = try sign(manifest, by: signing)
            changes = try files.leading(
                to: manifest, metadata.trusted, eager: eager,
                before: index.rollout?.previous.release)
        }
        return try StagedSignatures(
            metadata, of: manifest, packed: commit.packedManifest, changes, in: directory,
            nowSeconds: nowSeconds)
    }

    /// Prepares the manifest of the next release.
    ///
    /// - Returns: Its file.
    private mutating func stageManifest(
        nowSeconds: Int, generatedAt: String
    ) throws -> ManifestFile {
        let following = try baseline.nextRelease
        let next = try pendingNumber(next: following) ?? following
        index.rollout = try nextRollout(release: next)
        let manifest = ManifestFile(
            try readableManifest(release: next, generatedAt: generatedAt), release: next,
            rollout: index.rollout)
        try demandPending(is: manifest.bytes)
        let stamps = try commit.stage(manifest: manifest, nowSeconds: nowSeconds)
        index.manifestStamp = stamps.manifest
        index.manifestChecksum = manifest.checksum
        index.release = next
        marks.manifest = index.manifestChecksum
        marks.siblings = stamps.siblings
        summary.manifestBytes = manifest.bytes.count
        summary.continuedAfter = baseline.forgottenNumber
        return manifest
    }

    /// Prepares the record of who made the release; apps under development have none.
    private mutating func stagePublication(nowSeconds: Int) throws {
        guard !directory.isForDevelopment else { return }
        var log = try directory.readPublications()
        log.add(
            Publication(
                release: index.release, seconds: nowSeconds, author: publisher.author,
                action: restoresOlderRelease
                    ? .rollback : changesRolloutOnly ? .rollout : .publish))
        try commit.stage(record: log.bytes, at: PublicationLog.path)
    }

    /// Links each readable name whose file is new, changed, missing or edited.
    private mutating func linkReadableNames() throws {
        let expected = Set(summary.changed).union(summary.drifted)
        for var unit in unitsToLink {
            for (position, file) in unit.files.enumerated() where file.stamp == nil {
                try Self.demandReleasePath(file.path)
                if !expected.contains(file.path) {
                    summary.restored.append(file.path)
                }
                guard
                    try writtenObjects.contains(file.checksum)
                        || directory.isIntact(file.checksum)
                        || restoreObjects(of: [file]).isEmpty
                else {
                    throw PublishingError(
                        .unreadable,
                        "The object of \(file.path) is gone or damaged."
                            + " `publish --verify` writes it again.")
                }
                unit.files[position].stamp = try link(file)
            }
            // What was lost with an object is to be built again.
            if index.units[unit.recordKey]?.sources.isEmpty == true { unit.sources = [] }
            index.units[unit.recordKey] = unit
        }
        summary.restored.sort()
    }

    /// Refuses a path that no release has: whoever can write an index must not choose where files are made.
    private static func demandReleasePath(_ path: String) throws {
        guard ReleasePath(path) == nil else { return }
        throw PublishingError(
            .unreadable,
            "\(ReleaseIndex.path) names \(path), which is no path of a release. Nothing was published. Remove that index:"
                + " the next publish makes it anew.")
    }

    /// The units with a file whose readable name is to be linked.
    var unitsToLink: [IndexedUnit] {
        index.units.filter { (unit, reader) throws(IndexReader.Damage) in
            for _ in 0..<unit.fileCount where try StoredFile(from: &reader).stamp == nil {
                return true
            }
            return false
        } changed: { unit in
            unit.files.contains { $0.stamp == nil }
        }
    }

    /// Nobody reads the names of a first release before its manifest is there; those of a later one
    /// are switched with it.
    private mutating func link(_ file: IndexedFile) throws -> FileStamp? {
        baseline.loaded.release == 0
            ? try directory.link(file.path, to: file.checksum)
            : try commit.stage(name: file.path, to: file.checksum)
    }

    /// A source that changed in the same moment as it was read could change again without a new
    /// stamp, so it is read once more next time (git calls such entries racy).
    private mutating func forgetRecentSources(nowSeconds: Int) {
        let limit = (nowSeconds - 1) * 1_000_000_000
        // What is as it was stored was older than the publish that stored it.
        for (key, unit) in index.units.changed
        where unit.sources.contains(where: { $0.stamp.latest >= limit }) {
            index.units[key]?.sources = []
        }
        for (key, listing) in index.listings.changed where listing.stamp.latest >= limit {
            index.listings[key] = nil
        }
    }
}
