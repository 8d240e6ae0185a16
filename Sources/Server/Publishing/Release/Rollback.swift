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
        let directory = ReleaseDirectory(root: releaseDirectory)
        return try run(in: directory, lock: directory.openExisting) { run in
            let old = try directory.manifest(release: number)
            try run.demandSigned(number)
            try run.settleDrift()
            let generatedAt = try run.takeUpPending() ?? generatedAt
            try run.restore(old)
            try run.switchRelease(nowSeconds: nowSeconds, generatedAt: generatedAt)
        }
    }
}

extension PublishRun {
    /// Refuses to sign an older release again that the authors of today have not signed as it lies there.
    fileprivate func demandSigned(_ release: Int) throws {
        guard let trust, let path = ReleasePath.history(release: release) else { return }
        let manifest = try Files.read(
            directory.path(path), limit: ContentLimits.manifestBytesMax)
        guard try !trust.hasSigned(Checksum(of: manifest)) else { return }
        throw PublishingError(
            .needsSignatures,
            "Nothing shows that release \(release) is as the authors of today have signed it: it is older than the signatures"
                + " or the present keys, or \(directory.path(path)) was changed. Nothing was published. Bring the content"
                + " folder back to it, as by git, and publish.")
    }

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
            index.units.flatMap(\.files).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        let restored = units.values.map { unit in
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
        index.units = RecordTable(restored)
        let present = Set(units.values.flatMap { $0.files.map(\.path) })
        summary.removed = before.keys.filter { !present.contains($0) }.sorted()
        summary.changed.sort()
        index.contentBaseURL = manifest.contentBaseURL
        index.listings = RecordTable()
        markChanged()
    }
}
