import ContentModel

extension PublishRun {
    /// Reads and builds what a request needs, and decides what becomes of the release.
    ///
    /// Nothing that is served changes, but for objects, compressed manifests and copies of the signed manifest that are not
    /// as they were published. An edit that is adopted is written into its source, and a release that waits is forgotten
    /// once it is live.
    mutating func plan(_ request: PublishRequest, now: Int) throws -> ReleasePlan {
        var request = request
        let older = try check(request)
        let drift = try settleDrift(request)
        if request.action != .look {
            request.generatedAt = try takeUpPending() ?? request.generatedAt
        }
        switch request.action {
        case .look: try build(writes: false, generatedAt: "")
        case .publish: try build(writes: true, generatedAt: request.generatedAt)
        case .rollback: if let older { try restore(older) }
        case .rollout:
            // A pause is for what went wrong, and needs no leave.
            guard case .set = publisher.rollout else { break }
            try checkSupport(
                of: baseline.nextRollout(publisher.rollout, release: baseline.nextRelease))
        }
        let names = try standingNames(request)
        return try .make(baseline, drift, content, names, request, now: now)
    }

    /// Refuses what cannot be, before anything is built for it; returns the release that comes back.
    private mutating func check(_ request: PublishRequest) throws -> Manifest? {
        switch request.action {
        case .look: break
        case .publish:
            if let rollout = publisher.rollout {
                try rollout.checkShareMatters(in: baseline.rollout)
                // The others are led to one of them.
                if let present = try presentManifest, let trust = baseline.trust,
                    trust.names(present.checksum)
                {
                    content.summary.restored += try trust.mendCopies(of: present)
                    baseline.retain(present)
                }
            }
            // What is of other steps is taken as it is.
            if publisher.steps != Set(PublishStep.allCases) { try checkNewest() }
        case .rollback(let number): return try olderRelease(number)
        case .rollout:
            guard baseline.isVouched else {
                throw PublishingError(
                    .needsSignatures,
                    "The signatures do not match the current release, for example because a publish was interrupted. Nothing was changed."
                        + " Run `underway publish --keys`, and name the devices with --rollout."
                )
            }
            try checkNewest()
            guard baseline.rollout != nil else { throw RolloutChange.nothingToChange }
        }
        return nil
    }

    /// Refuses a directory that is older than what was signed from this content folder.
    private func checkNewest() throws {
        guard let trust = baseline.trust else { return }
        try baseline.memory.checkNewest(trust, directory: directory.root)
    }

    /// Looks for a release that waits; one that is live already is forgotten.
    ///
    /// - Returns: The time with which it was built, for the manifest of this run.
    /// - Throws: `PublishingError` `unreadable` when what lies there is something else.
    private mutating func takeUpPending() throws -> String? {
        guard !directory.isForDevelopment, let trust = baseline.trust else { return nil }
        let folder = PendingFolder(of: directory)
        guard let found = try folder.load(trust.trusted) else { return nil }
        let checksum = Checksum(of: found.manifest)
        if checksum == content.index.manifestChecksum, trust.names(checksum) {
            try folder.remove()
            return nil
        }
        baseline.pending = found
        return found.generatedAt
    }

    /// Looks at what is in the place of names of the next release.
    private mutating func standingNames(_ request: PublishRequest) throws -> StandingNames {
        if request.action == .look {
            content.summary.restored =
                try drift.missing
                + wrongManifestSiblings().map { ReleasePath.manifest.packed($0).text }
            content.summary.damagedObjects = try damagedObjects().map(\.path)
        }
        try checkNoLinks()
        var names = StandingNames(foreign: try foreignNames(), marks: marks)
        (names.revived, names.unowned) = strayFiles
        if request.action != .look, !content.differs { names.manifest = try presentManifest }
        return names
    }

    /// The current manifest of a signed release as it is in the directory.
    private var presentManifest: ManifestFile? {
        get throws {
            guard baseline.trust != nil, let bytes = try directory.manifestBytes() else {
                return nil
            }
            let index = content.index
            return ManifestFile(bytes, release: index.release, rollout: index.rollout)
        }
    }

    /// Makes right on the disk what a plan needs before the switch: objects, and with `verifies` their compressed forms.
    ///
    /// - Throws: `PublishingError` `unreadable` for an object whose bytes exist nowhere any more.
    mutating func prepareObjects(of plan: inout ReleasePlan) throws {
        if publisher.verifies, !directory.isForDevelopment {
            let files = content.index.units.filter { publisher.steps.contains($0.step) }
                .flatMap(\.files)
            let mended = try mendSiblings(of: Set(files.map(\.checksum)))
            try plan.relink { [directory] in
                mended.contains($0.checksum) || !directory.siblingsAgree($0.path, $0.checksum)
            }
        }
        for file in plan.links where !content.writtenObjects.contains(file.checksum) {
            guard
                try directory.isIntact(file.checksum) || restoreObjects(of: [file]).isEmpty
            else {
                throw PublishingError(
                    .unreadable,
                    "The released file \(file.path) is missing or damaged."
                        + " Run `underway publish --verify` to write it again.")
            }
        }
    }
}
