import ContentModel

/// The content of the next release, as it was built, restored, or left as it is.
struct ContentBuild: Sendable {
    /// The index of the current release with the units of the next one.
    var index: ReleaseIndex
    /// The settings of the content folder.
    var settings = FolderSettings.fallback
    /// The differences and problems that were found.
    var summary = PublishSummary()
    /// True when the manifest must be written.
    var differs: Bool
    /// The keys of the units that were built.
    var builtUnits: Set<String> = []
    /// The objects that were written.
    var writtenObjects: Set<Checksum> = []
    /// The documents that were built, by readable path, where somebody looks at them.
    var documents: [String: [UInt8]] = [:]
    /// True for an older release that comes back as it was.
    var restoresOlderRelease = false

    /// Begins with the current release.
    init(_ baseline: TrustedBaseline) {
        index = baseline.state.index
        differs = index.release == 0 || !baseline.isVouched
        summary.release = index.release
        summary.rollout = index.rollout.map(RolloutSummary.init)
    }

    /// Names the content over the release that it follows.
    func fingerprint(over baseline: TrustedBaseline) -> Checksum {
        let files = index.units.flatMap { unit in unit.files.map { "\($0.path) \($0.checksum)" } }
        let lines =
            ["release \(baseline.loaded.release)", index.contentBaseURL ?? ""] + files.sorted()
        return Checksum(of: Array(lines.joined(separator: "\n").utf8))
    }

    /// The units whose part of the manifest no device's reader has read: what was built now, and what
    /// the index does not know from an earlier publish.
    var unreadUnits: [IndexedUnit] {
        index.units.filter { (unit, reader) throws(IndexReader.Damage) in
            for _ in 0..<unit.fileCount { _ = try StoredFile(from: &reader) }
            return try reader.count() == 0
        } changed: { unit in
            unit.sources.isEmpty || builtUnits.contains(unit.key)
        }
    }

    /// Refuses content with errors.
    ///
    /// - Throws: `PublishingError` `contentErrors`, with all of them.
    static func refuseErrors(_ problems: [Problem]) throws(PublishingError) {
        let errors = problems.filter { $0.rule.severity == .error }.sorted()
        guard !errors.isEmpty else { return }
        throw PublishingError(
            .contentErrors,
            "The content has \(errors.count) error\(errors.count == 1 ? "" : "s");"
                + " nothing was published.", problems: errors)
    }
}
