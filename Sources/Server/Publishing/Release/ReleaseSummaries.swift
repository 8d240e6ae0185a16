/// The result of `prune`.
public struct PruneSummary: Sendable, Hashable, Codable {
    /// The numbers of the removed releases.
    public var releases: [Int]
    /// The number of objects that went with them.
    public var objects: Int

    /// Describes what was removed.
    public init(releases: [Int], objects: Int) {
        self.releases = releases
        self.objects = objects
    }
}

/// The result of `bundle`.
public struct BundleSummary: Sendable, Hashable, Codable {
    /// The number of objects that were written.
    public var objects: Int
    /// Their size in bytes.
    public var bytes: Int

    /// The number of the release.
    public var release: Int
    /// Which devices take that release from a host; `nil` for all.
    ///
    /// Installations of the bundle have it at once.
    public var rollout: RolloutSummary?

    /// Describes what was written.
    public init(objects: Int, bytes: Int, release: Int, rollout: RolloutSummary? = nil) {
        self.objects = objects
        self.bytes = bytes
        self.release = release
        self.rollout = rollout
    }
}
