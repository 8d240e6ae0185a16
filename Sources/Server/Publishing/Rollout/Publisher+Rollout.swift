import ContentModel

extension Publisher {
    /// Changes the devices that get the current release, as a new release with the same content.
    ///
    /// Sources that were edited since the last publish stay unpublished. Newly included versions of the app are checked
    /// as by a publish.
    /// - Parameters:
    ///   - change: The change.
    ///   - nowSeconds: Seconds since 1970.
    ///   - generatedAt: The same time in RFC 3339, for the manifest.
    /// - Returns: The result; `isNew` is false if nothing changes.
    /// - Throws: `PublishingError` `invalidRequest` without a current rollout or for an impossible change,
    ///   `noSuchRelease` without a release, and the errors of a publish.
    public func changeRollout(
        _ change: RolloutChange, nowSeconds: Int, generatedAt: String
    ) throws -> PublishSummary {
        var publisher = self
        publisher.rollout = change
        return try publisher.run(.rollout, nowSeconds: nowSeconds, generatedAt: generatedAt)
    }

    /// Returns the rollout of an earlier release.
    ///
    /// - Returns: The rollout; `nil` for all devices.
    /// - Throws: `PublishingError` `noSuchRelease` if it was pruned.
    public func rollout(of release: Int) throws -> RolloutSummary? {
        try ReleaseDirectory(root: releaseDirectory).manifest(release: release).rollout
            .map(RolloutSummary.init)
    }

    /// Returns the current release and its rollout.
    ///
    /// - Returns: The rollout; `nil` for all devices.
    /// - Throws: `PublishingError` `noSuchRelease` without a release.
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
