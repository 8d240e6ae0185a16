import ContentModel

/// The plan of a release, decided before any served file changes.
///
/// It is computed from values only, and reads and writes nothing: the same baseline, content and request give the same
/// plan. ``ReleaseCommit`` applies it.
struct ReleasePlan: Sendable {
    /// The effect of a plan.
    enum Outcome: Hashable, Sendable {
        /// No served file changes.
        case unchanged
        /// Names of the current release are repaired.
        case repair
        /// The current release gets newer signatures.
        case resign
        /// A new release gets this number.
        case release(Int)
        /// A release of this number waits for signatures.
        case pending(Int)
    }

    /// The signatures of a plan.
    enum Signatures: Sendable {
        /// No signatures are needed, or the current ones remain valid.
        case none
        /// The signatures take effect after the manifest.
        case made(SignedMetadata)
        /// Too few signatures: the release becomes pending, with the authors' existing signatures; `nil` for a new one.
        case missing(PendingRelease?, ReleaseSigning)
    }

    let outcome: Outcome
    /// The manifest of a new release; `nil` where the current one stays.
    let manifest: ManifestFile?
    /// The current manifest of a signed release, where it stays.
    let present: ManifestFile?
    /// The index to remember, without the stamps that files get when they are put in place.
    private(set) var index: ReleaseIndex
    /// The marks to remember, without those stamps.
    let marks: DirectoryIdentity
    /// The files that go, compressed forms too.
    let removed: [String]
    let signatures: Signatures
    /// The entry in the record of who made which release.
    let publication: Publication?
    private(set) var summary: PublishSummary
    /// The units with a file whose readable name is linked; found by one walk over the index.
    private(set) var unlinked: [IndexedUnit]

    /// Decides what a command makes of a release; `now` is in seconds since 1970.
    ///
    /// - Throws: `PublishingError` for what must not be: `contentErrors`, `drift`, `needsSignatures`, `pendingIsStale`,
    ///   `rootExpired`, `unreadable`, `invalidRequest`.
    static func make(
        _ baseline: TrustedBaseline, _ drift: DriftDecision, _ build: ContentBuild,
        _ names: StandingNames, _ request: PublishRequest, now: Int
    ) throws(PublishingError) -> ReleasePlan {
        var planning = ReleasePlanning(
            baseline: baseline, names: names, request: request, now: now, build: build,
            unlinked: build.index.units.unlinked)
        return try request.action == .look ? planning.look() : planning.make(drift)
    }

    /// Puts a plan together; `next` is the number of a new release.
    init(
        _ planning: ReleasePlanning, next: Int?, manifest: ManifestFile? = nil,
        _ signatures: Signatures = .none, action: Publication.Action = .publish
    ) {
        index = planning.build.index
        summary = planning.build.summary
        self.manifest = manifest
        present = next == nil ? planning.names.manifest : nil
        marks = planning.names.marks
        removed = planning.removed
        self.signatures = signatures
        unlinked = planning.unlinked
        // Apps under development have no record.
        let isRecorded = manifest != nil && !planning.baseline.directory.isForDevelopment
        publication =
            isRecorded
            ? Publication(
                release: index.release, seconds: planning.now,
                author: planning.request.publisher.author, action: action) : nil
        outcome =
            switch (signatures, next) {
            case (.missing, let next?): .pending(next)
            case (_, let next?): .release(next)
            case (.made, nil): .resign
            default: removed.isEmpty && unlinked.isEmpty ? .unchanged : .repair
            }
    }

    // MARK: Links

    /// The files whose readable names are linked, and whose objects must be there before.
    var links: [IndexedFile] {
        unlinked.flatMap(\.files).filter { $0.stamp == nil }
    }

    /// Rejects paths that no release has: an attacker who can write an index must not choose where files are created.
    static func checkPaths(of files: [IndexedFile]) throws(PublishingError) {
        for file in files where file.stamp == nil && ReleasePath(file.path) == nil {
            throw PublishingError(
                .unreadable,
                "\(ReleaseIndex.path) names \(file.path), which is no path of a release. Nothing was published. Remove that"
                    + " index: the next publish makes it anew.")
        }
    }

    /// Lets the readable names of more files be linked anew.
    ///
    /// - Throws: `PublishingError` `unreadable` for a path that no release has.
    mutating func relink(where isWrong: (IndexedFile) -> Bool) throws(PublishingError) {
        for var unit in Array(index.units) {
            for (position, file) in unit.files.enumerated()
            where file.stamp != nil && isWrong(file) {
                unit.files[position].stamp = nil
            }
            index.units[unit.recordKey] = unit
        }
        unlinked = index.units.unlinked
        try Self.checkPaths(of: links)
        noteRestored()
    }

    /// Names the files that are linked though neither the content nor an author changed them.
    mutating func noteRestored() {
        let known = Set(summary.changed).union(summary.drifted).union(summary.restored)
        summary.restored += links.map(\.path).filter { !known.contains($0) }
        summary.restored.sort()
    }
}
