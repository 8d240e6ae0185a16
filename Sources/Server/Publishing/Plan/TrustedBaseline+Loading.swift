import ContentModel

extension TrustedBaseline {
    /// What was read of a release directory and of the content folder's memory, before it is judged.
    struct Found: Sendable {
        var directory: ReleaseDirectory
        var trust: ReleaseTrust?
        var keys: [SigningKey]?
        var marks: ReleaseMarks
        var memory: PublishedNumbers
        var state: ReleaseState
        var keptReleases: [Int] = []
        var retained: [Int: Result<Rollout.Previous, PublishingError>] = [:]
    }

    /// Reads a release directory, and changes nothing.
    ///
    /// - Parameters:
    ///   - directory: The release directory.
    ///   - publisher: The content folder, the keys and the rollout.
    /// - Returns: The baseline.
    /// - Throws: `PublishingError` `unreadable` for a directory that is older than what the content folder remembers.
    static func load(
        _ directory: ReleaseDirectory, for publisher: Publisher
    ) throws -> TrustedBaseline {
        // The index of a signed release is read meanwhile, and judged when its authors are known.
        let (trust, sealed) = try alongside({
            directory.isForDevelopment ? nil : try ReleaseTrust(directory)
        }) {
            publisher.keys == nil ? nil : IndexSeal.Sealed(of: directory)
        }
        let keys = try trust == nil ? nil : publisher.loadedKeys()
        let seal = trust.flatMap { trust in keys.flatMap { IndexSeal($0, trust) } }
        let marks = directory.readMarks()
        let memory = PublishedNumbers(folder: publisher.folder)
        try memory.expectRoom(folder: publisher.folder)
        if !directory.isForDevelopment {
            try memory.expectRoot(
                of: marks.identity, trust, folder: publisher.folder, directory: directory.root)
        }
        let state = try ReleaseState.load(
            directory, index: keys == nil ? directory.readIndex() : sealed?.index(by: seal),
            signed: trust?.trusted.manifest?.checksum)
        var found = Found(
            directory: directory, trust: trust, keys: keys, marks: marks, memory: memory,
            state: state, keptReleases: directory.keptReleases)
        let signed = trust.flatMap { trust in
            trust.names(state.index.manifestChecksum) && !memory.lastWasRollout(trust)
                ? nil : trust.signedManifest
        }
        let isVouched = trust?.names(state.index.manifestChecksum) ?? true
        let rollout = isVouched ? state.index.rollout : signed?.rollout
        found.retain([
            rollout?.previous.release,
            publisher.rollout == nil ? nil : isVouched ? state.index.release : signed?.release,
        ])
        return TrustedBaseline(found, signed: signed)
    }
}

extension TrustedBaseline.Found {
    /// Reads the retained manifests of some releases.
    fileprivate mutating func retain(_ releases: [Int?]) {
        for case let release? in releases {
            guard let path = ReleasePath.history(release: release) else { continue }
            do {
                let bytes = try Files.read(
                    directory.path(path), limit: ContentLimits.manifestBytesMax)
                retained[release] = .success(
                    .init(release: release, manifest: Checksum(of: bytes), size: bytes.count))
            } catch {
                retained[release] = .failure(PublishingError(error))
            }
        }
    }
}

extension ReleaseTrust {
    /// The manifest that the signatures name; `nil` where they name none or it is gone.
    fileprivate var signedManifest: Manifest? {
        guard let checksum = trusted.manifest?.checksum,
            let bytes = try? Files.read(
                directory.path(.target(checksum)), limit: ContentLimits.manifestBytesMax),
            Checksum(of: bytes) == checksum
        else { return nil }
        return try? Manifest(bytes)
    }
}
