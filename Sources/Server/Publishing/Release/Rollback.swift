import ContentModel

extension Publisher {
    /// Makes the content of an older release current again, under a new number.
    ///
    /// The content folder does not change: the next publish publishes it again.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` if the release was pruned, `invalidRequest` if only some devices
    ///   got it.
    public func rollback(
        to number: Int, nowSeconds: Int, generatedAt: String
    ) throws -> PublishSummary {
        try run(.rollback(to: number), nowSeconds: nowSeconds, generatedAt: generatedAt)
    }
}

extension PublishRun {
    /// Reads an older release, once; of a signed one as the authors of today have signed it.
    ///
    /// - Throws: `PublishingError` `noSuchRelease`, `needsSignatures`, `invalidRequest`.
    func olderRelease(_ number: Int) throws -> Manifest {
        let (bytes, manifest) = try directory.keptManifest(release: number)
        guard manifest.release == number else {
            throw PublishingError(
                .noSuchRelease,
                "The folder of release \(number) has the manifest of release \(manifest.release). Nothing was published."
                    + " Choose another release; `underway history` lists them."
            )
        }
        guard let trust = baseline.trust, !trust.hasSigned(Checksum(of: bytes)) else {
            try Self.checkForAll(manifest)
            return manifest
        }
        throw PublishingError(
            .needsSignatures,
            "Release \(number) cannot be verified: it is older than the current signatures or keys, or it was changed."
                + " Nothing was published. Restore the content folder of that release, for example with git, and publish it."
        )
    }

    /// Refuses a release of a rollout: it would come back for all devices, and versions of the app that it left out were not
    /// asked whether they can read it.
    private static func checkForAll(_ manifest: Manifest) throws {
        guard let rollout = manifest.rollout.map(RolloutSummary.init) else { return }
        throw PublishingError(
            .invalidRequest,
            "Release \(manifest.release) went only to some devices (\(rollout.words)), and `rollback` would give it to all of"
                + " them. Nothing was published. Roll back to release \(rollout.previousRelease), which all devices had. Or"
                + " restore the content folder of release \(manifest.release), for example with git, and publish it with"
                + " `\(rollout.options)`.")
    }

    /// Takes the units of an older manifest for the current ones.
    mutating func restore(_ manifest: Manifest) throws {
        content.restoresOlderRelease = true
        let units = ManifestAssembly.units(of: manifest)
        for file in units.values.flatMap(\.files) {
            guard try directory.isIntact(file.checksum) else {
                throw PublishingError(
                    .noSuchRelease,
                    "Release \(manifest.release) cannot be restored: its file \(file.path) is missing or"
                        + " damaged. Choose another release, or restore the release directory from a backup."
                )
            }
        }
        let before = Dictionary(
            content.index.units.flatMap(\.files).map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        let restored = units.values.map { unit in
            var unit = unit
            for position in unit.files.indices {
                let file = unit.files[position]
                guard let known = before[file.path], known.checksum == file.checksum else {
                    content.summary.changed.append(file.path)
                    continue
                }
                unit.files[position].stamp = known.stamp
            }
            return unit
        }
        content.index.units = RecordTable(restored)
        let present = Set(units.values.flatMap { $0.files.map(\.path) })
        content.summary.removed = before.keys.filter { !present.contains($0) }.sorted()
        content.summary.changed.sort()
        content.index.contentBaseURL = manifest.contentBaseURL
        content.index.listings = RecordTable()
        content.differs = true
    }
}
