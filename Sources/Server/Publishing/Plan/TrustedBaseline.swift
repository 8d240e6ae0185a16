import ContentModel

/// The release that a command begins with, read once: what is in its directory, and how far that may be believed.
///
/// Whoever can write to the release directory, and has no key, must not get anything signed. So of a signed release the
/// manifest and the rollout in it count only as far as the signatures name them; anything else there gives way to a
/// new release that is made of the content folder.
struct TrustedBaseline: Sendable {
    let directory: ReleaseDirectory
    /// The trust metadata of a signed release; `nil` for one that nobody signs.
    let trust: ReleaseTrust?
    /// The keys at hand; `nil` without a folder of keys, and where nobody signs.
    let keys: [SigningKey]?
    /// The marks as they are on the disk.
    let marks: ReleaseMarks
    /// What the content folder remembers.
    let memory: PublishedNumbers
    /// The index, the release that it describes, and what a publish that was killed has left.
    let state: ReleaseState
    /// The numbers of the retained releases, ascending.
    let keptReleases: [Int]
    /// The retained manifests that a rollout may lead other devices to, by the number of their release.
    private(set) var retained: [Int: Result<Rollout.Previous, PublishingError>]

    /// True for an index that may be believed: objects need no second look.
    let isKnown: Bool
    /// False when the manifest in the directory is not the one that was signed last.
    let isVouched: Bool
    /// The rollout under way; `nil` for none.
    let rollout: Rollout?
    /// True when a manifest that nobody has signed names other devices, as after a publish that was interrupted.
    private let isRolloutUnclear: Bool
    /// True when the last release went to some devices only, and its signatures are lost.
    private let isRolloutLost: Bool
    /// The release that devices have; its checksum and size where signatures name it.
    private let current: Rollout.Previous?
    /// The number of that release where no signature gives its checksum and size.
    private let currentNumber: Int?
    /// True when signatures are missing for a release that is there.
    private let lacksSignatures: Bool

    /// Compares what is known of a directory with the signatures.
    ///
    /// - Parameters:
    ///   - found: What was read.
    ///   - signed: The manifest that the signatures name; `nil` where they name none or it is gone.
    init(_ found: Found, signed: Manifest?) {
        (directory, trust, keys) = (found.directory, found.trust, found.keys)
        (marks, memory, keptReleases) = (found.marks, found.memory, found.keptReleases)
        retained = found.retained
        let index = found.state.index
        let named = trust?.trusted.manifest
        isVouched = trust.map { $0.names(index.manifestChecksum) } ?? true
        isRolloutLost =
            trust.map {
                found.memory.lastWasRollout($0) && (found.memory.isBehind($0) || signed == nil)
            } ?? false
        rollout = isVouched ? index.rollout : signed?.rollout
        isRolloutUnclear = !isVouched && index.rollout != rollout
        lacksSignatures = !isVouched && signed == nil
        let number = isVouched ? index.release : signed?.release ?? 0
        current =
            if number > 0, let named, let checksum = named.checksum {
                .init(release: number, manifest: checksum, size: named.length)
            } else { nil }
        currentNumber = number > 0 ? number : nil
        guard let trust, !isVouched else {
            isKnown = trust == nil || index.listings.count > 0
            state = found.state
            return
        }
        let known = found.memory.forgotten(by: found.marks.identity, current: 0) ?? 0
        state = .signed(
            trust, signed, newest: Self.newest(found.keptReleases, near: known),
            isForeign: found.state.manifestIsForeign)
        isKnown = false
    }
}

extension TrustedBaseline {
    /// The index; its release is what devices may believe.
    var index: ReleaseIndex { state.index }

    /// The index as it is on the disk.
    var loaded: ReleaseIndex { state.loaded ?? state.index }

    /// True when signatures were made from this content folder that the release directory has lost, as by a backup.
    var isBehind: Bool { trust.map(memory.isBehind) ?? false }

    // MARK: Numbers

    /// How far ahead of what is known a release may lie that nobody has signed, as one of a publish that was killed.
    private static let aheadMax = 10_000

    /// The newest retained release that is not far ahead of a number, because its folder may be anybody's; 0 for none.
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
            let numbered = max(index.release, forgottenNumber ?? 0)
            let kept =
                trust == nil ? keptReleases.last ?? 0 : Self.newest(keptReleases, near: numbered)
            let known = max(index.release, kept)
            guard known < PublishedNumbers.numberMax else {
                let name =
                    kept == known ? "releases/\(kept)" : ReleasePath.manifest.text
                throw PublishingError(
                    .unreadable,
                    "\(directory.path(name)) is of release \(known), after which there is no other."
                        + " Move it out of the release directory.")
            }
            return max(known, forgottenNumber ?? 0) + 1
        }
    }

    /// Takes note that the retained copy of a manifest is right now.
    mutating func retain(_ manifest: ManifestFile) {
        retained[manifest.release] = .success(
            .init(
                release: manifest.release, manifest: manifest.checksum, size: manifest.bytes.count))
    }

    // MARK: What a command needs

    /// Refuses a directory that is older than what was signed from this content folder.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func demandNewest() throws(PublishingError) {
        if let trust { try memory.expectNewest(trust, directory: directory.root) }
    }

    /// Refuses to make a release of what is in the directory alone, which nobody has signed.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func demandVouched() throws(PublishingError) {
        guard !isVouched else { return }
        throw PublishingError(
            .needsSignatures,
            "The current release is not as it was signed last, as after a publish that was interrupted. Nothing was changed."
                + " `underway publish --keys` signs a release; --rollout says for which devices.")
    }

    /// The release that devices keep which a new rollout leaves out; `nil` for none.
    ///
    /// - Throws: `PublishingError` `unreadable`, `needsSignatures` where no signature names a release.
    func before() throws(PublishingError) -> Rollout.Previous? {
        guard !lacksSignatures else {
            throw PublishingError(
                .needsSignatures,
                "The present keys have signed no release yet that the other devices could keep, as after a change of keys that"
                    + " was interrupted. Nothing was published. `underway publish --rollout 100` signs one for all"
                    + " devices: bring the content to what all may have before.")
        }
        if let current { return current }
        guard let currentNumber else { return nil }
        guard let found = retained[currentNumber] else {
            preconditionFailure("a change of the rollout reads the current release")
        }
        return try found.get()
    }

    /// Refuses to guess which devices get a release.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func demandClearRollout() throws(PublishingError) {
        guard !isRolloutLost else {
            throw PublishingError(
                .needsSignatures,
                "The last release that was signed from this content folder went to some devices only, and the release directory has"
                    + " lost it, as by a backup. Nothing was published. `underway publish --rollout 100` gives the content to"
                    + " all devices: bring it to what all may have before.")
        }
        guard isRolloutUnclear else { return }
        throw PublishingError(
            .needsSignatures,
            "The manifest names other devices than the release that was signed last, as after a publish that was interrupted."
                + " Nothing was published. Say which devices get the release: `--rollout 100` for all"
                + (lacksSignatures ? "." : ", or another share."))
    }
}
