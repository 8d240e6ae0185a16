import ContentModel

/// The manifest of a release as bytes, whose checksum is taken once: that of a large one costs half a millisecond.
struct ManifestFile: Sendable {
    /// The bytes.
    let bytes: [UInt8]
    /// Their checksum.
    let checksum: Checksum
    /// The number of the release.
    let release: Int
    /// Which devices take it; `nil` for all.
    let rollout: Rollout?

    init(_ bytes: [UInt8], release: Int, rollout: Rollout?) {
        self.bytes = bytes
        checksum = Checksum(of: bytes)
        self.release = release
        self.rollout = rollout
    }
}
