import ContentModel

/// The state of a release directory, whatever the last publish left behind.
struct ReleaseState {
    var index: ReleaseIndex
    /// The index as it is on the disk, where only the manifest's stamp is another one.
    var loaded: ReleaseIndex?
    /// True when `manifest.json` is not one that was published here.
    var manifestIsForeign = false
    /// The checksums of readable names by the last index, if a publish was killed before it wrote its own.
    var previous: [String: Checksum] = [:]
    /// The end of the last publish in nanoseconds since 1970; `nil` unless it completed.
    var published: Int?

    /// Loads the index, or makes one from the manifest when there is none that fits.
    ///
    /// - Parameters:
    ///   - directory: The release directory.
    ///   - index: Its index, as far as it may be believed.
    ///   - signed: The manifest that signatures name, which was published whatever is kept of it.
    /// - Returns: The state.
    /// - Throws: `PublishingError` `unreadable` for a manifest that cannot be read.
    static func load(
        _ directory: ReleaseDirectory, index: ReleaseIndex?, signed: Checksum? = nil
    ) throws -> ReleaseState {
        let stamp = Files.look(directory.path(.manifest))?.stamp
        if let index, let stamp, stamp == index.manifestStamp {
            let written = Files.look(directory.path(ReleaseIndex.path))?.stamp.changed
            return ReleaseState(index: index, published: written)
        }
        guard let stamp, let bytes = try directory.manifestBytes() else {
            return ReleaseState(index: empty)
        }
        let checksum = Checksum(of: bytes)
        if let loaded = index, loaded.manifestChecksum == checksum {
            // Its last rename marked it, after the index was written.
            var index = loaded
            index.manifestStamp = stamp
            return ReleaseState(index: index, loaded: loaded)
        }
        guard let manifest = try? Manifest(bytes),
            checksum == signed
                || ReleasePath.history(release: manifest.release)
                    .flatMap({ try? Files.read(directory.path($0)) })
                    == bytes
        else { return foreign(directory, index: index, stamp: stamp, checksum: checksum) }
        return ReleaseState(
            index: ReleaseIndex(
                release: manifest.release, manifestChecksum: checksum, manifestStamp: stamp,
                contentBaseURL: manifest.contentBaseURL, rollout: manifest.rollout,
                units: RecordTable(ManifestAssembly.units(of: manifest).values)),
            previous: Dictionary(
                (index?.units.flatMap(\.files) ?? []).map { ($0.path, $0.checksum) },
                uniquingKeysWith: { $1 }))
    }

    /// Returns the state for an edited manifest: the last published state, from the index or the newest retained
    /// manifest.
    private static func foreign(
        _ directory: ReleaseDirectory, index: ReleaseIndex?, stamp: FileStamp, checksum: Checksum
    ) -> ReleaseState {
        var state = ReleaseState(index: index ?? empty, manifestIsForeign: true)
        if index == nil, let newest = directory.keptReleases.last,
            let manifest = try? directory.manifest(release: newest)
        {
            state.index.release = newest
            state.index.rollout = manifest.rollout
            state.index.units = RecordTable(ManifestAssembly.units(of: manifest).values)
        }
        state.index.manifestStamp = stamp
        state.index.manifestChecksum = checksum
        return state
    }

    /// Returns the release that signatures name, in place of whatever stands there; nothing but numbers where they name
    /// none.
    ///
    /// - Parameters:
    ///   - trust: The signatures.
    ///   - manifest: The manifest that they name; `nil` where they name none or it is gone.
    ///   - newest: The number of the newest release that is known.
    ///   - isForeign: True when `manifest.json` is not one that was published here.
    /// - Returns: The state.
    static func signed(
        _ trust: ReleaseTrust, _ manifest: Manifest?, newest: Int, isForeign: Bool
    ) -> ReleaseState {
        var state = ReleaseState(index: empty, manifestIsForeign: isForeign)
        if let manifest, let checksum = trust.trusted.manifest?.checksum {
            state.index = ReleaseIndex(
                release: manifest.release, manifestChecksum: checksum,
                manifestStamp: empty.manifestStamp, contentBaseURL: manifest.contentBaseURL,
                rollout: manifest.rollout,
                units: RecordTable(ManifestAssembly.units(of: manifest).values))
        } else {
            state.index.release = newest
        }
        state.index.hasStrayFiles = true
        return state
    }

    /// The index of a directory in which nothing was published.
    static let empty = ReleaseIndex(
        manifestChecksum: Checksum(of: []),
        manifestStamp: FileStamp(size: -1, modified: 0, inode: 0))
}
