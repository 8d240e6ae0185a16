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
    /// - Returns: The removed releases and how many objects went with them.
    public func prune(keep: Int) throws -> (releases: [Int], objects: Int) {
        let directory = ReleaseDirectory(root: release)
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let all = directory.keptReleases
        // A killed publish may have left a kept manifest that never became current.
        let current = try directory.manifestBytes().flatMap { try? Manifest($0) }?.release
        let kept = all.suffix(max(keep, 1)).filter { $0 != current } + all.filter { $0 == current }
        var used: Set<String> = []
        for number in kept {
            let units = ManifestAssembly.units(of: try directory.manifest(release: number))
            used.formUnion(units.values.flatMap { $0.files.map(\.checksum.hex) })
        }
        let removed = all.filter { !kept.contains($0) }
        for number in removed {
            directory.removeReadable(ContentRoutes.history(release: number))
            Files.removeFolder(directory.path("releases/\(number)"))
        }
        return (removed, try directory.removeObjects(except: used))
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
    func removeObjects(except used: Set<String>) throws -> Int {
        var count = 0
        for shard in try Files.names(in: path("objects")) {
            let folder = path("objects/\(shard)")
            Files.removeTemporaries(in: folder)
            for name in try Files.names(in: folder) {
                let hex = String(name.prefix(64))
                guard !used.contains(hex) else { continue }
                Files.remove(folder + "/" + name)
                if name.utf8.count == 64 { count += 1 }
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
