import ContentModel

/// The manifest of a release as bytes, whose checksum is taken once: that of a large one costs half a millisecond.
struct ManifestFile: Sendable {
    /// The bytes.
    let bytes: [UInt8]
    /// Their checksum.
    let checksum: Checksum
    /// The number of the release.
    let release: Int
    /// The devices that get the release; `nil` for all.
    let rollout: Rollout?

    init(_ bytes: [UInt8], release: Int, rollout: Rollout?) {
        self.bytes = bytes
        checksum = Checksum(of: bytes)
        self.release = release
        self.rollout = rollout
    }
}
