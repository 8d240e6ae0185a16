import ContentModel

/// The initial release of a command, read once: the content of its directory, as far as it can be trusted.
///
/// An attacker who can write to the release directory, without a key, must not get anything signed. For a signed
/// release, the manifest and its rollout are therefore trusted only as far as the signatures name them; anything else
/// there is replaced by a release rebuilt from the content folder.
struct TrustedBaseline: Sendable {
    let directory: ReleaseDirectory
    /// The trust metadata of a signed release; `nil` for one that nobody signs.
    let trust: ReleaseTrust?
    /// The keys at hand; `nil` without a folder of keys, and where nobody signs.
    let keys: [SigningKey]?
    /// The marks as they are on the disk.
    let marks: DirectoryIdentity
    /// The memory of the content folder.
    let memory: PublisherMemory
    /// The index, or one made of the manifest, and what a publish that was killed has left.
    let found: ReleaseState
    /// The manifest that the signatures name; `nil` where they name none, it is gone, or nobody needs it.
    let signed: Manifest?
    /// The numbers of the retained releases, ascending.
    let keptReleases: [Int]
    /// The retained manifests that a rollout may lead other devices to, by the number of their release.
    var retained: [Int: Result<Rollout.Previous, PublishingError>] = [:]
    /// The release that waits for signatures; `nil` for none, and where nobody publishes.
    var pending: PendingRelease?

    /// The state that counts: where nobody signed the manifest, the release that signatures name.
    let state: ReleaseState

    init(
        _ directory: ReleaseDirectory, trust: ReleaseTrust?, keys: [SigningKey]?,
        marks: DirectoryIdentity, memory: PublisherMemory, found: ReleaseState, signed: Manifest?,
        keptReleases: [Int]
    ) {
        (self.directory, self.trust, self.keys) = (directory, trust, keys)
        (self.marks, self.memory, self.keptReleases) = (marks, memory, keptReleases)
        (self.found, self.signed) = (found, signed)
        if let trust, !trust.names(found.index.manifestChecksum) {
            let known = memory.forgotten(by: marks.identity, current: 0) ?? 0
            state = .signed(
                trust, signed, newest: Self.newest(keptReleases, near: known),
                isForeign: found.manifestIsForeign)
        } else {
            state = found
        }
    }

    /// False when the manifest in the directory is not the one that was signed last.
    var isVouched: Bool { trust.map { $0.names(found.index.manifestChecksum) } ?? true }

    /// True for an index that may be believed: objects need no second look.
    var isKnown: Bool { trust == nil || isVouched && found.index.listings.count > 0 }

    /// The index as it is on the disk.
    var loaded: ReleaseIndex { state.loaded ?? state.index }

    /// True when signatures were made from this content folder that the release directory has lost, as by a backup.
    var isBehind: Bool { trust.map(memory.isBehind) ?? false }

    // MARK: Numbers

    /// The maximum distance of an unsigned release's number, as of a publish that was killed, above the known ones.
    private static let aheadMax = 10_000

    /// Returns the newest retained release that is not far ahead of a number, because its folder may be anybody's; 0
    /// for none.
    private static func newest(_ kept: [Int], near number: Int) -> Int {
        kept.last { $0 <= number + aheadMax } ?? 0
    }

    /// The number up to which was published before, when the current release lies below it: devices
    /// that have it take the current one for older, whatever is in it.
    var forgottenNumber: Int? {
        guard !directory.isForDevelopment else { return nil }
        return memory.forgotten(by: marks.identity, current: loaded.release)
    }

    /// The number of the release that a publish makes.
    ///
    /// - Throws: `PublishingError` `unreadable` when there is none after those that are known.
    var nextRelease: Int {
        get throws(PublishingError) {
            let (current, forgotten) = (state.index.release, forgottenNumber ?? 0)
            let kept =
                trust == nil
                ? keptReleases.last ?? 0 : Self.newest(keptReleases, near: max(current, forgotten))
            let known = max(current, kept)
            guard known < PublisherMemory.numberMax else {
                let name = kept == known ? "releases/\(kept)" : ReleasePath.manifest.text
                throw PublishingError(
                    .unreadable,
                    "\(directory.path(name)) is of release \(known), after which there is no other."
                        + " Move it out of the release directory.")
            }
            return max(known, forgotten) + 1
        }
    }
}
