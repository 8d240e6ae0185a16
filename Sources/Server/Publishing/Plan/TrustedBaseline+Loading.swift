import ContentModel

extension TrustedBaseline {
    /// Reads a release directory, the keys and the memory of a publisher, and changes nothing.
    ///
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
        let memory = PublisherMemory(folder: publisher.folder)
        try memory.checkRoom(folder: publisher.folder)
        if !directory.isForDevelopment {
            try memory.checkRoot(
                of: marks.identity, trust, folder: publisher.folder, directory: directory.root)
        }
        let found = try ReleaseState.load(
            directory, index: keys == nil ? directory.readIndex() : sealed?.index(by: seal),
            signed: trust?.trusted.manifest?.checksum)
        let signed = trust.flatMap { trust in
            trust.names(found.index.manifestChecksum) && !memory.lastWasRollout(trust)
                ? nil : trust.signedManifest
        }
        var baseline = TrustedBaseline(
            directory, trust: trust, keys: keys, marks: marks, memory: memory, found: found,
            signed: signed, keptReleases: directory.keptReleases)
        if let rollout = baseline.rollout { baseline.readKept(rollout.previous.release) }
        if publisher.rollout != nil { baseline.readKept(baseline.currentNumber) }
        return baseline
    }

    private mutating func readKept(_ release: Int) {
        guard let path = ReleasePath.history(release: release) else { return }
        do {
            let bytes = try Files.read(directory.path(path), limit: ContentLimits.manifestBytesMax)
            retain(ManifestFile(bytes, release: release, rollout: nil))
        } catch {
            retained[release] = .failure(PublishingError(error))
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
