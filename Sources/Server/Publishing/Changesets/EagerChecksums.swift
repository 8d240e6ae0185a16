import ContentModel

extension RecordTable<IndexedUnit> {
    /// Returns the checksums of the documents that devices fetch with a release.
    ///
    /// They are those of `Manifest.eagerDocuments`. Since parsing the manifest of a large library takes ten times as
    /// long as walking over an index, only the assets, which declare it themselves, are parsed.
    ///
    /// - Throws: `ManifestError`.
    func eagerChecksums() throws -> Set<Checksum> {
        var checksums = try eagerAssets()
        checksums.reserveCapacity(count)
        for position in storedPositions {
            let step = step(at: position)
            forEachFile(at: position) { file in
                guard Self.isEager(step, file.path.string), let checksum = file.checksum.checksum
                else { return }
                checksums.insert(checksum)
            }
        }
        for unit in changed.values {
            for file in unit.files where Self.isEager(unit.step, file.path) {
                checksums.insert(file.checksum)
            }
        }
        return checksums
    }

    private static func isEager(_ step: PublishStep, _ path: @autoclosure () -> String) -> Bool {
        switch step {
        case .blueprints, .localizations, .announcements: true
        case .exams: ReleasePath(path())?.bank != nil
        case .audio, .assets: false
        }
    }

    private func eagerAssets() throws -> Set<Checksum> {
        guard let assets = self[.assets, ""] else { return [] }
        let part = try ManifestAssembly.bytes(
            units: RecordTable([assets]), release: 1, generatedAt: "1970-01-01T00:00:00Z",
            baseURL: nil)
        return Set(try Manifest(part).eagerDocuments.map(\.checksum))
    }
}
