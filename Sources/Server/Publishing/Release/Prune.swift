import ContentModel
import ServiceAPI

extension Publisher {
    /// Removes the releases before the last `keep`, and the objects that only they used.
    ///
    /// All other files stay. At least the last 33 releases of a signed directory are retained, since changesets lead
    /// from them; during a rollout also the release of the other devices.
    ///
    /// - Returns: The removed releases, and the number of removed objects.
    /// - Throws: `PublishingError` `invalidRequest` if the folder is not a release directory or a link leads out of
    ///   it, `noSuchRelease` if none is current; then nothing was removed. `unwritable` if a file cannot be removed;
    ///   the message lists what was removed.
    public func prune(keep: Int) throws -> PruneSummary {
        let directory = ReleaseDirectory(root: releaseDirectory, isForDevelopment: isForDevelopment)
        try ReleasePlace(directory: directory, content: folder).checkForRemoval()
        let lock = try directory.openExisting()
        defer {
            StagingFolder(of: directory).remove()
            withExtendedLifetime(lock) {}
        }
        guard let current = try directory.manifestBytes().flatMap({ try? Manifest($0) }) else {
            throw PublishingError(
                .noSuchRelease,
                "\(directory.path(.manifest)) names no release, so that nothing is known to"
                    + " be unused. `underway publish` says what to do.")
        }
        let all = directory.keptReleases
        // A killed publish may have left a kept manifest that never became current.
        let trust = try ReleaseTrust(directory)
        let least = trust == nil ? 1 : ChangesetLimits.releasesMax + 1
        // The devices that a rollout leaves out have, or get, the release before it.
        let before = current.rollout?.previous.release
        let newest = Set(all.suffix(max(keep, least)))
        let last = all.filter {
            $0 != current.release && (newest.contains($0) || $0 == before)
        }
        var used = Self.objects(of: current)
        for number in last {
            used.formUnion(Self.objects(of: try directory.manifest(release: number)))
        }
        if let signed = trust?.trusted.manifest?.checksum {
            // Devices that verify may still be on one that is not the current one.
            let bytes = try? Files.read(directory.path(.target(signed)))
            used.formUnion(bytes.flatMap { try? Manifest($0) }.map(Self.objects) ?? [])
        }
        var pruning = Pruning(directory: directory)
        do {
            try pruning.removeObjects(except: used)
            try pruning.removeReleases(all.filter { $0 != current.release && !last.contains($0) })
            try pruning.removeMetadata(before: trust)
        } catch var error as PublishingError {
            error.message +=
                " Removed before: \(pruning.releases.count) of the old releases, and"
                + " \(pruning.objects) objects. Release \(current.release) is untouched and still live."
            throw error
        }
        return PruneSummary(releases: pruning.releases, objects: pruning.objects)
    }

    private static func objects(of manifest: Manifest) -> Set<Checksum> {
        Set(manifest.entries.map(\.checksum))
    }

    /// Returns the number of releases to retain, from the settings of the content folder.
    public func keptReleases() throws -> Int {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try ContentFolder(root: folder).settings(report: report)
        return settings?.keptReleases ?? FolderSettings.keptReleasesDefault
    }
}

/// One removal of releases, and what it has removed so far.
///
/// Objects go before the manifests that name them: whatever stops it, a later one finds the rest.
private struct Pruning {
    let directory: ReleaseDirectory
    private(set) var releases: [Int] = []
    private(set) var objects = 0

    init(directory: ReleaseDirectory) { self.directory = directory }

    /// Removes all objects whose checksum is not in `used`, and what interrupted writes left.
    ///
    /// Only names that objects and their compressed forms have are looked at.
    /// - Throws: `PublishingError` `unwritable` at the first that cannot be removed.
    mutating func removeObjects(except used: Set<Checksum>) throws {
        for shard in try Files.names(in: directory.path("objects")) {
            let folder = directory.path("objects/\(shard)")
            guard shard.utf8.count == 2, Files.look(folder)?.kind == .folder else { continue }
            Files.removeTemporaries(in: folder)
            for name in try Files.names(in: folder) {
                guard let file = ReleasePath("objects/\(shard)/\(name)"),
                    case .object(let checksum) = file.target, !used.contains(checksum)
                else { continue }
                try Files.discard(directory.path(file))
                if file.packing == nil { objects += 1 }
            }
            Files.removeFolder(folder)
        }
    }

    /// Removes kept manifests, and folders in which a killed publish left none.
    ///
    /// A folder with anything else in it stays.
    /// - Throws: `PublishingError` `unwritable` at the first that cannot be removed.
    mutating func removeReleases(_ numbers: [Int]) throws {
        for number in numbers {
            guard let kept = ReleasePath.history(release: number) else { continue }
            // The manifest last: without it the others belong to no release.
            for file in kept.withSiblings.reversed() {
                try Files.discard(directory.path(file))
            }
            releases.append(number)
        }
        let kept = Set(directory.keptReleases)
        for number in directory.historyFolders where !kept.contains(number) {
            Files.removeFolder(directory.path("releases/\(number)"))
        }
    }

    /// Removes the signatures of earlier releases; the roots stay, because old apps follow them one by one.
    ///
    /// The last ones before stay too: a device may have read the timestamp a moment ago.
    /// - Throws: `PublishingError` `unwritable` at the first that cannot be removed.
    mutating func removeMetadata(before trust: ReleaseTrust?) throws {
        guard let trust else { return }
        let names = (try? Files.names(in: directory.path("metadata"))) ?? []
        let manifests = directory.keptReleases.compactMap { ReleasePath.history(release: $0) }
        // A release that comes back must have been signed.
        let signaturesKept = [TrustRole.snapshot: 1, .targets: max(1, manifests.count - 1)]
        for role in [TrustRole.snapshot, .targets] {
            let versions = names.compactMap { name -> Int? in
                guard case .metadata(role, let version)? = ReleasePath("metadata/\(name)")?.target
                else { return nil }
                return version
            }
            // A publish that was killed left higher ones that nothing names.
            let used = trust.trusted.file(role)?.version ?? 0
            for version in versions.sorted().filter({ $0 < used }).dropLast(
                signaturesKept[role] ?? 1)
            {
                guard let path = ReleasePath.metadata(role, version: version) else { continue }
                try Files.discard(directory.path(path))
            }
        }
        let kept = Set(
            try ([.manifest] + manifests).map { Checksum(of: try Files.read(directory.path($0))) }
                + [trust.trusted.manifest?.checksum].compactMap(\.self))
        for name in (try? Files.names(in: directory.path("targets"))) ?? [] {
            guard let path = ReleasePath("targets/\(name)"),
                case .target(let checksum) = path.target, !kept.contains(checksum)
            else { continue }
            // A compressed form is removed with its plain file, or by itself.
            try Files.discard(directory.path(path))
        }
    }
}
