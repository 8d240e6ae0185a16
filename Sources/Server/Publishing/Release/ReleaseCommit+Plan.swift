import ContentModel

extension ReleaseCommit {
    /// Carries out a plan whose objects are there: prepares everything, switches the manifest, then what belongs to it.
    ///
    /// The content folder remembers the release.
    /// - Throws: `PublishingError`; `isPending` when the release waits for signatures, `progress` says what clients see.
    mutating func run(
        _ plan: ReleasePlan, over baseline: TrustedBaseline, now: Int, memory folder: String
    ) throws -> PublishSummary {
        if case .missing(let waiting, let signing) = plan.signatures, let manifest = plan.manifest {
            throw try leave(waiting, manifest, by: signing)
        }
        var (index, marks, summary) = (plan.index, plan.marks, plan.summary)
        remove(files: plan.removed)
        try linkNames(of: plan, in: &index.units, isFirst: baseline.loaded.release == 0)
        var metadata: SignedMetadata?
        if case .made(let made) = plan.signatures { metadata = made }
        let isSigned = metadata != nil
        var eager: Set<Checksum> = []
        if let manifest = plan.manifest {
            // To compress a manifest leaves a core idle.
            (eager, (index.manifestStamp, marks.siblings)) = try alongside({
                [units = index.units] in
                isSigned ? try units.eagerChecksums() : []
            }) {
                try stage(manifest: manifest, nowSeconds: now)
            }
            marks.manifest = manifest.checksum
        }
        if let publication = plan.publication { try stage(publication) }
        if marks != baseline.marks { try stage(record: marks.bytes, at: DirectoryIdentity.path) }
        if let present = plan.present, let trust = baseline.trust {
            summary.restored += try trust.mendCopies(of: present)
            summary.restored.sort()
        }
        // Signatures are on the disk before their timestamp is moved; they need not be with the manifest.
        let (records, signatures) = try flush {
            try alongside({ [self, index] in
                try stagedIndex(index, over: baseline, syncs: isSigned)
            }) {
                try metadata.flatMap { try staged($0, of: plan, eager, now: now) }
            }
        }
        if let signatures { stage(signatures) }
        for record in records { add(record) }
        try run()
        if plan.manifest == nil, baseline.trust != nil {
            try ChangesetFiles(directory: directory).discardStrays(of: index.release)
        }
        if baseline.pending != nil { try PendingFolder(of: directory).remove() }
        baseline.remember(index, signatures?.trusted, in: folder)
        return summary
    }

    /// Links each readable name whose file is new, changed, missing or edited.
    ///
    /// Nobody reads the names of a first release before its manifest is there; those of a later one
    /// are switched with it.
    private mutating func linkNames(
        of plan: ReleasePlan, in units: inout RecordTable<IndexedUnit>, isFirst: Bool
    ) throws {
        for unit in plan.unlinked {
            var unit = units[unit.recordKey] ?? unit
            for (position, file) in unit.files.enumerated() where file.stamp == nil {
                unit.files[position].stamp =
                    isFirst
                    ? try directory.link(file.path, to: file.checksum)
                    : try stage(name: file.path, to: file.checksum)
            }
            units[unit.recordKey] = unit
        }
    }

    /// Prepares the record of who made the release.
    private mutating func stage(_ publication: Publication) throws {
        var log = try directory.readPublications()
        log.add(publication)
        try stage(record: log.bytes, at: PublicationLog.path)
    }

    /// Prepares the index and its seal, if there is something new; signatures would wait for one that is not flushed.
    private func stagedIndex(
        _ index: ReleaseIndex, over baseline: TrustedBaseline, syncs: Bool
    ) throws -> [StagedFile] {
        guard index != baseline.loaded else { return [] }
        let bytes = index.bytes
        let staged = try staged(record: bytes, at: ReleaseIndex.path, syncs: syncs)
        guard let keys = baseline.keys, let trust = baseline.trust,
            let seal = IndexSeal(keys, trust)?.text(of: bytes)
        else { return [staged] }
        return [
            staged, try self.staged(record: Array(seal.utf8), at: IndexSeal.path, syncs: false),
        ]
    }

    /// Prepares signatures, and the changesets that carry them.
    private func staged(
        _ metadata: SignedMetadata, of plan: ReleasePlan, _ eager: Set<Checksum>, now: Int
    ) throws -> StagedSignatures? {
        guard let manifest = plan.manifest ?? plan.present else { return nil }
        let files = ChangesetFiles(directory: directory)
        let changes =
            plan.manifest == nil
            ? try files.refreshed(manifest, metadata.trusted)
            : try files.leading(
                to: manifest, metadata.trusted, eager: eager,
                before: manifest.rollout?.previous.release)
        return try StagedSignatures(
            metadata, of: manifest, packed: packedManifest, changes, in: directory,
            nowSeconds: now)
    }

    /// Lets a release wait for more signatures, and returns what says so: nothing that is served has changed.
    private func leave(
        _ waiting: PendingRelease?, _ manifest: ManifestFile, by signing: ReleaseSigning
    ) throws -> PublishingError {
        let pending = try waiting ?? signing.adding(to: signing.pending(manifest))
        let folder = PendingFolder(of: directory)
        try folder.save(pending, isNew: waiting == nil)
        return PublishingError(
            .isPending,
            PendingProgress(pending, signing.trust.trusted).message(
                file: folder.file(of: pending.release),
                lacking: signing.shortRoles.filter { $0 != .targets }))
    }
}

extension ReleaseTrust {
    /// Writes the kept and the signed copy of the signed manifest again where they are not as it is, and returns which.
    func mendCopies(of manifest: ManifestFile) throws -> [String] {
        guard names(manifest.checksum),
            let history = ReleasePath.history(release: manifest.release)
        else { return [] }
        var mended: [String] = []
        for path in [history, .target(manifest.checksum)]
        where (try? Files.read(directory.path(path))) != manifest.bytes {
            try Files.makeFolder(directory.path(path.folder))
            let seconds = directory.laterSecond(than: path, nowSeconds: 0)
            try directory.replace(
                directory.path(path), manifest.bytes, modifiedSeconds: seconds)
            mended.append(path.text)
        }
        return mended
    }
}

extension TrustedBaseline {
    /// Lets the content folder remember a release and what signs it.
    fileprivate func remember(
        _ index: ReleaseIndex, _ trusted: TrustedMetadata?, in folder: String
    ) {
        guard !directory.isForDevelopment else { return }
        var memory = memory
        memory.note(
            index.release, of: marks.identity,
            signed: trust.map { (trusted ?? $0.trusted, $0.lineage, index.rollout != nil) },
            folder: folder)
    }
}
