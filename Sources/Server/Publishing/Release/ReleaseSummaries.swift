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

    /// Describes what was written.
    public init(objects: Int, bytes: Int) {
        self.objects = objects
        self.bytes = bytes
    }
}
