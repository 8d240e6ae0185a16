import ContentModel

extension Publisher {
    /// Changes which devices take the current release: the same content, as a release of its own.
    ///
    /// Sources that were edited since the last publish stay unpublished. Versions of the app that get it by a change are
    /// checked as by a publish.
    /// - Parameters:
    ///   - change: What changes.
    ///   - nowSeconds: Seconds since 1970.
    ///   - generatedAt: The same moment in RFC 3339, for the manifest.
    /// - Returns: What was done; `isNew` is false where everything is so already.
    /// - Throws: `PublishingError` `invalidRequest` when no rollout is under way or the change is none that can be,
    ///   `noSuchRelease` when there is no release, and those of a publish.
    public func changeRollout(
        _ change: RolloutChange, nowSeconds: Int, generatedAt: String
    ) throws -> PublishSummary {
        var publisher = self
        publisher.rollout = change
        return try publisher.run(.rollout, nowSeconds: nowSeconds, generatedAt: generatedAt)
    }

    /// Reads which devices took an earlier release when it was current.
    ///
    /// - Returns: `nil` for all.
    /// - Throws: `PublishingError` `noSuchRelease` when it was pruned.
    public func rollout(of release: Int) throws -> RolloutSummary? {
        try ReleaseDirectory(root: releaseDirectory).manifest(release: release).rollout
            .map(RolloutSummary.init)
    }

    /// Reads which devices take the current release.
    ///
    /// - Returns: `nil` for all.
    /// - Throws: `PublishingError` `noSuchRelease` when there is none.
    public func currentRollout() throws -> (release: Int, rollout: RolloutSummary?) {
        let directory = ReleaseDirectory(root: releaseDirectory)
        guard let manifest = try directory.manifestBytes().flatMap({ try? Manifest($0) }) else {
            throw PublishingError(
                .noSuchRelease,
                "\(directory.path(.manifest)) names no release. `underway publish` makes one.")
        }
        return (manifest.release, manifest.rollout.map(RolloutSummary.init))
    }
}
