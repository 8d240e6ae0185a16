import ContentModel

/// The current release as far as it may be believed.
///
/// Whoever can write to the release directory, and has no key, must not get anything signed. So of a signed release the
/// manifest and the rollout in it count only as far as the signatures name them; what stands there beside gives way to a
/// new release that is made of the content folder.
struct PresentRelease: Sendable {
    /// False when the manifest that stands there is not the one that was signed last.
    let isVouched: Bool
    /// The rollout under way; `nil` for none.
    let rollout: Rollout?
    /// True when a manifest that nobody has signed names other devices, as after a publish that was interrupted.
    let isRolloutUnclear: Bool
    /// True when the last release went to some devices only, and its signatures are lost.
    let isRolloutLost: Bool
    /// The release; its checksum and size where signatures name it, else those of what stands there.
    private let release: (number: Int, manifest: Checksum?, size: Int?)?
    /// True when signatures are missing for a release that stands there.
    private let lacksSignatures: Bool

    /// Compares what is known of a directory with the signatures.
    ///
    /// - Parameters:
    ///   - index: The index, sealed or made of the manifest.
    ///   - trust: The signatures; `nil` for a release that nobody signs.
    ///   - numbers: What the content folder remembers.
    init(_ index: ReleaseIndex, _ trust: ReleaseTrust?, _ numbers: PublishedNumbers) {
        let signed = trust?.trusted.manifest
        isRolloutLost =
            trust.map {
                numbers.lastWasRollout($0) && (numbers.isBehind($0) || $0.signedManifest == nil)
            } ?? false
        if trust == nil || signed?.checksum == index.manifestChecksum {
            isVouched = true
            isRolloutUnclear = false
            lacksSignatures = false
            rollout = index.rollout
            release =
                index.release > 0
                ? (index.release, signed?.checksum, signed?.length) : nil
            return
        }
        isVouched = false
        let manifest = trust?.signedManifest
        rollout = manifest?.manifest.rollout
        isRolloutUnclear = index.rollout != rollout
        lacksSignatures = manifest == nil
        release = manifest.map { ($0.manifest.release, Checksum(of: $0.bytes), $0.bytes.count) }
    }

    /// The release that devices keep which a new rollout leaves out; `nil` for none.
    ///
    /// - Throws: `PublishingError` `unreadable`, `needsSignatures` where no signature names a release.
    func before(_ directory: ReleaseDirectory) throws -> Rollout.Previous? {
        guard !lacksSignatures else {
            throw PublishingError(
                .needsSignatures,
                "The present keys have signed no release yet that the other devices could keep, as after a change of keys that"
                    + " was interrupted. Nothing was published. `underway publish --rollout 100` signs one for all"
                    + " devices: bring the content to what all may have before.")
        }
        guard let release else { return nil }
        if let manifest = release.manifest, let size = release.size {
            return Rollout.Previous(release: release.number, manifest: manifest, size: size)
        }
        guard let path = ReleasePath.history(release: release.number) else { return nil }
        let bytes = try Files.read(
            directory.path(path), limit: ContentLimits.manifestBytesMax)
        return Rollout.Previous(
            release: release.number, manifest: Checksum(of: bytes), size: bytes.count)
    }

    /// Refuses to guess which devices get a release.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func demandClearRollout() throws {
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

extension ReleaseTrust {
    /// The manifest that the signatures name; `nil` where they name none or it is gone.
    var signedManifest: (bytes: [UInt8], manifest: Manifest)? {
        guard let checksum = trusted.manifest?.checksum,
            let bytes = try? Files.read(
                directory.path(.target(checksum)), limit: ContentLimits.manifestBytesMax),
            Checksum(of: bytes) == checksum, let manifest = try? Manifest(bytes)
        else { return nil }
        return (bytes, manifest)
    }
}
