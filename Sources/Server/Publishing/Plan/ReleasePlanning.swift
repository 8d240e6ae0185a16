import ContentModel

/// The making of a plan: values in, a plan or a refusal out.
struct ReleasePlanning {
    let baseline: TrustedBaseline
    let names: StandingNames
    let request: PublishRequest
    /// Seconds since 1970.
    let now: Int
    var build: ContentBuild
    /// The units with a file whose readable name is to be linked.
    let unlinked: [IndexedUnit]

    /// Says what a publish would do; only content that devices refuse is an error.
    mutating func look() throws(PublishingError) -> ReleasePlan {
        let next = build.differs ? try baseline.nextRelease : nil
        if let next { _ = try readableManifest(release: next, generatedAt: "") }
        build.summary.drifted = (build.summary.drifted + names.foreign).sorted()
        build.summary.restored.sort()
        noteStandingNames()
        return ReleasePlan(self, next: next)
    }

    /// Decides what becomes of the release.
    mutating func make(_ drift: DriftDecision) throws(PublishingError) -> ReleasePlan {
        if case .refuse(let error) = drift.action { throw error }
        build.differs = build.differs || drift.replacesManifest
        let changesRolloutOnly = build.differs ? false : try rolloutChanges()
        build.differs = build.differs || changesRolloutOnly
        try checkExpected()
        let signing = try signing()
        if let signing, waitsForAuthors(signing) || baseline.isBehind { build.differs = true }
        try checkPendingIsCurrent()
        try judgeForeignNames()
        noteStandingNames()
        try ReleasePlan.checkPaths(of: unlinked.flatMap(\.files))
        build.summary.isNew = build.differs
        let manifest = build.differs ? try nextManifest() : nil
        let signatures = try signatures(of: manifest, by: signing)
        forgetRecentSources()
        build.summary.release = build.index.release
        build.summary.rollout = build.index.rollout.map(RolloutSummary.init)
        var plan = ReleasePlan(
            self, next: manifest?.release, manifest: manifest, signatures,
            action: build.restoresOlderRelease
                ? .rollback : changesRolloutOnly ? .rollout : .publish)
        plan.noteRestored()
        return plan
    }

    /// Refuses to publish anything but what somebody was shown.
    private func checkExpected() throws(PublishingError) {
        guard let expected = request.publisher.expectedFingerprint,
            expected != build.fingerprint(over: baseline)
        else { return }
        throw PublishingError(
            .drift,
            "The content or the release changed since you were shown what would go out. Nothing was published; look at it again."
        )
    }

    /// Returns true if the requested rollout alone requires a release, although the content is unchanged.
    ///
    /// Without a current rollout, all devices already get unchanged content.
    private func rolloutChanges() throws(PublishingError) -> Bool {
        guard let change = request.publisher.rollout,
            build.index.rollout != nil || baseline.rollout != nil
        else { return false }
        return try baseline.nextRollout(change, release: baseline.nextRelease)
            != build.index.rollout
    }

    // MARK: Names

    /// Refuses files of others under names that this release has first, or notes that they are discarded.
    private mutating func judgeForeignNames() throws(PublishingError) {
        guard !names.foreign.isEmpty else { return }
        guard request.publisher.driftPolicy == .overwrite else {
            throw PublishingError(
                .drift,
                "These files have names that this release needs, and were not published here:"
                    + "\n\(names.foreign.map { "  " + $0 }.joined(separator: "\n"))\n"
                    + "Move them out of the release directory, or discard them with `--overwrite`.")
        }
        build.summary.drifted = (build.summary.drifted + names.foreign).sorted()
    }

    private mutating func noteStandingNames() {
        build.summary.revived = names.revived
        build.summary.foreign = names.unowned
    }

    /// The files under names that no unit owns any more, compressed forms too.
    var removed: [String] {
        let removed = build.summary.removed.compactMap { ReleasePath($0) }.flatMap(\.withSiblings)
        let files = removed.map(\.text) + build.summary.revived
        guard !files.isEmpty else { return [] }
        // One of them may have the name of a new file; by bytes, as in the file system.
        let owned = Set(build.index.units.paths.map { Array($0.utf8) })
        return files.filter { !owned.contains(Array($0.utf8)) }
    }

    /// Drops the stamps of sources that changed in the moment of reading: they could change again without a new stamp,
    /// so they are read once more next time (git calls such entries racy).
    private mutating func forgetRecentSources() {
        let limit = (now - 1) * 1_000_000_000
        // What is as it was stored was older than the publish that stored it.
        for (key, unit) in build.index.units.changed
        where unit.sources.contains(where: { $0.stamp.latest >= limit }) {
            build.index.units[key]?.sources = []
        }
        for (key, listing) in build.index.listings.changed where listing.stamp.latest >= limit {
            build.index.listings[key] = nil
        }
    }

    // MARK: The manifest

    private mutating func nextManifest() throws(PublishingError) -> ManifestFile {
        let number = try nextNumber()
        // What all devices had before goes to all of them.
        build.index.rollout =
            build.restoresOlderRelease
            ? nil : try baseline.nextRollout(request.publisher.rollout, release: number)
        let manifest = ManifestFile(
            try readableManifest(release: number, generatedAt: request.generatedAt),
            release: number, rollout: build.index.rollout)
        try checkPending(is: manifest)
        build.index.manifestChecksum = manifest.checksum
        build.index.release = number
        build.summary.blueprints = build.index.units.count(of: [.blueprints, .exams])
        build.summary.manifestBytes = manifest.bytes.count
        build.summary.continuedAfter = baseline.forgottenNumber
        return manifest
    }

    /// Returns the manifest of the next release, as a device has read it.
    ///
    /// - Throws: `PublishingError` `contentErrors` when a device would refuse it, or leave out a part
    ///   of it that is not part of an older release which comes back.
    private func readableManifest(
        release: Int, generatedAt: String
    ) throws(PublishingError) -> [UInt8] {
        func manifest(of units: RecordTable<IndexedUnit>) throws(PublishingError) -> [UInt8] {
            try PublishingError.catching {
                try ManifestAssembly.bytes(
                    units: units, release: release, generatedAt: generatedAt,
                    baseURL: build.index.contentBaseURL, rollout: build.index.rollout)
            }
        }
        let whole = try manifest(of: build.index.units)
        let unread = build.unreadUnits
        let isAll = unread.count == build.index.units.count
        let part = isAll ? whole : try manifest(of: RecordTable(unread))
        var problems = DeviceCheck.problems(
            ofManifest: part, wholeCount: whole.count, refusedOnly: build.restoresOlderRelease)
        if !build.restoresOlderRelease {
            problems += try PublishingError.catching {
                try AppCheck(UnitBuilder(root: "", settings: build.settings))
                    .problems(ofManifest: whole.count, rollout: build.index.rollout)
            }
            let areKnown = unread.allSatisfy { baseline.loaded.units[$0.key] != nil }
            if !areKnown { problems += DeviceCheck.clashes(among: build.index.units) }
        }
        try ContentBuild.refuseErrors(problems)
        return whole
    }
}
