import ContentModel

/// The current release as far as it may be believed.
///
/// Whoever can write to the release directory, and has no key, must not get anything signed. So of a signed release the
/// index, the manifest and the rollout in it count only as far as the signatures name them; what stands there beside is
/// read again from the content folder, and never signed as it lies.
struct PresentRelease: Sendable {
    /// False when the directory says of a signed release what its signatures do not.
    let isVouched: Bool
    /// The rollout under way; `nil` for none.
    let rollout: Rollout?
    /// The release; its checksum and size where signatures name it, else those of what stands there.
    private let release: (number: Int, manifest: Checksum?, size: Int?)?

    /// Compares what an index says with the signatures.
    ///
    /// - Parameters:
    ///   - index: The index.
    ///   - trust: The signatures; `nil` for a release that nobody signs.
    /// - Throws: `PublishingError` when the index cannot be put together.
    init(_ index: ReleaseIndex, _ trust: ReleaseTrust?) throws {
        guard let trust else {
            isVouched = true
            rollout = index.rollout
            release = index.release > 0 ? (index.release, nil, nil) : nil
            return
        }
        let signed = trust.trusted.manifest
        if let signed, let checksum = signed.checksum, checksum == index.manifestChecksum,
            try Checksum(of: ManifestAssembly.bytes(of: index)) == checksum
        {
            isVouched = true
            rollout = index.rollout
            release = (index.release, checksum, signed.length)
            return
        }
        isVouched = false
        let manifest = trust.signedManifest
        rollout = manifest?.manifest.rollout
        release = manifest.map { ($0.manifest.release, Checksum(of: $0.bytes), $0.bytes.count) }
    }

    /// The release that devices keep which a new rollout leaves out; `nil` for none.
    ///
    /// - Throws: `PublishingError` `unreadable`.
    func before(_ directory: ReleaseDirectory) throws -> Rollout.Previous? {
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

    static let rolloutIsUnsigned = PublishingError(
        .needsSignatures,
        "The manifest names other devices than the release that was signed last, as after a publish that was interrupted."
            + " Nothing was published. Say which devices get the release: `--rollout 100` for all, or another share."
    )
}

extension ReleaseTrust {
    /// The manifest that the signatures name; `nil` where they name none or it is gone.
    fileprivate var signedManifest: (bytes: [UInt8], manifest: Manifest)? {
        guard let checksum = trusted.manifest?.checksum,
            let bytes = try? Files.read(
                directory.path(.target(checksum)), limit: ContentLimits.manifestBytesMax),
            Checksum(of: bytes) == checksum, let manifest = try? Manifest(bytes)
        else { return nil }
        return (bytes, manifest)
    }
}

extension Publisher {
    /// The same publish, which takes nothing of the release directory for known.
    ///
    /// - Throws: `PublishingError` `needsSignatures` where it would take over what it does not read.
    func readingAll() throws -> Publisher {
        guard steps == Set(PublishStep.allCases) else {
            throw PublishingError(
                .needsSignatures,
                "The release directory is not as it was signed last, so that everything must be read again. Publish"
                    + " once without --only.")
        }
        var publisher = self
        publisher.verifies = true
        return publisher
    }
}
