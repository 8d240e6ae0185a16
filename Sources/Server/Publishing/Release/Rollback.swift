import ContentModel
import ServiceAPI

extension Publisher {
    /// Makes the content of an older release current again, under a new number.
    ///
    /// The content folder is not changed: the next publish publishes it again.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` when the release was pruned.
    public func rollback(
        to number: Int, nowSeconds: Int, generatedAt: String
    ) throws -> PublishSummary {
        try demandFolders()
        let directory = ReleaseDirectory(root: release)
        return try run(in: directory, lock: directory.openExisting) { run in
            let old = try directory.manifest(release: number)
            try run.settleDrift()
            try run.restore(old)
            try run.switchRelease(nowSeconds: nowSeconds, generatedAt: generatedAt)
        }
    }

    /// Removes the releases before the last `keep`, and the objects that only they used.
    ///
    /// Nothing else is touched, whatever stands beside them.
    ///
    /// - Returns: The removed releases and how many objects went with them.
    /// - Throws: `PublishingError` `invalidRequest` when the folder is not a release directory or leads out
    ///   of it by a link, `noSuchRelease` when none is current; nothing was removed then.
    public func prune(keep: Int) throws -> PruneSummary {
        let directory = ReleaseDirectory(root: release, isForDevelopment: isForDevelopment)
        try ReleasePlace(directory: directory, content: folder).demandForRemoval()
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
        let last = all.suffix(max(keep, 1)).filter { $0 != current.release }
        var used = Self.objects(of: current)
        for number in last {
            used.formUnion(Self.objects(of: try directory.manifest(release: number)))
        }
        let removed = all.filter { $0 != current.release && !last.contains($0) }
        for number in removed {
            guard let kept = ReleasePath.history(release: number) else { continue }
            for file in kept.withSiblings { Files.remove(directory.path(file)) }
            Files.removeFolder(directory.path(kept.folder))
        }
        return PruneSummary(
            releases: removed, objects: try directory.removeObjects(except: used))
    }

    private static func objects(of manifest: Manifest) -> Set<Checksum> {
        Set(manifest.entries.map(\.checksum))
    }

    /// How many releases the settings of the content folder keep.
    public func keptReleases() throws -> Int {
        let report = DecodingReport(file: FolderSettings.fileName, strictness: .authored)
        let settings = try ContentFolder(root: folder).settings(report: report)
        return settings?.keptReleases ?? FolderSettings.keptReleasesDefault
    }
}

extension ReleaseDirectory {
    /// Removes all objects whose checksum is not in `used`, and what interrupted writes left.
    ///
    /// Only names that objects and their compressed forms have are looked at.
    func removeObjects(except used: Set<Checksum>) throws -> Int {
        var count = 0
        for shard in try Files.names(in: path("objects")) {
            let folder = path("objects/\(shard)")
            guard shard.utf8.count == 2, Files.look(folder)?.kind == .folder else { continue }
            Files.removeTemporaries(in: folder)
            for name in try Files.names(in: folder) {
                guard let file = ReleasePath("objects/\(shard)/\(name)"),
                    case .object(let checksum) = file.target, !used.contains(checksum)
                else { continue }
                Files.remove(path(file))
                if file.packing == nil { count += 1 }
            }
            Files.removeFolder(folder)
        }
        return count
    }
}

extension PublishRun {
    /// Takes the units of an older manifest for the current ones.
    mutating func restore(_ manifest: Manifest) throws {
        restoresOlderRelease = true
        let units = ManifestAssembly.units(of: manifest)
        for file in units.values.flatMap(\.files) {
            guard try directory.isIntact(file.checksum) else {
                throw PublishingError(
                    .noSuchRelease,
                    "Release \(manifest.release) cannot come back: the object of \(file.path)"
                        + " is gone or damaged.")
            }
        }
        let before = Dictionary(
            index.units.values.flatMap(\.files).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        index.units = units.mapValues { unit in
            var unit = unit
            for position in unit.files.indices {
                let file = unit.files[position]
                guard let known = before[file.path], known.checksum == file.checksum else {
                    summary.changed.append(file.path)
                    continue
                }
                unit.files[position].stamp = known.stamp
            }
            return unit
        }
        let present = Set(units.values.flatMap { $0.files.map(\.path) })
        summary.removed = before.keys.filter { !present.contains($0) }.sorted()
        summary.changed.sort()
        index.contentBaseURL = manifest.contentBaseURL
        index.listings = [:]
        markChanged()
    }
}
