/// The result of `prune`.
public struct PruneSummary: Sendable, Hashable, Codable {
    /// The numbers of the removed releases.
    public var releases: [Int]
    /// The number of removed objects.
    public var objects: Int

    /// Creates a summary.
    public init(releases: [Int], objects: Int) {
        self.releases = releases
        self.objects = objects
    }
}

/// The result of `bundle`.
public struct BundleSummary: Sendable, Hashable, Codable {
    /// The number of written objects.
    public var objects: Int
    /// Their size in bytes.
    public var bytes: Int

    /// The number of the release.
    public var release: Int
    /// The devices that get that release from a host; `nil` for all.
    ///
    /// Installations of the bundle have it at once.
    public var rollout: RolloutSummary?

    /// Creates a summary.
    public init(objects: Int, bytes: Int, release: Int, rollout: RolloutSummary? = nil) {
        self.objects = objects
        self.bytes = bytes
        self.release = release
        self.rollout = rollout
    }
}
