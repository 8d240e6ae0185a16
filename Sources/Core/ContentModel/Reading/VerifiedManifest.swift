/// A manifest whose bytes were verified; only verification makes one.
///
/// Today that is the reading by the device's rules, and the checksum where one is known.
///
/// ```swift
/// let manifest = try VerifiedManifest(verifying: bytes)
/// try store.install(manifest, source: .downloaded, now: .now)
/// ```
public struct VerifiedManifest: Sendable {
    /// The bytes that were verified.
    public let bytes: [UInt8]
    /// The checksum of the bytes.
    public let checksum: Checksum
    /// The entries that this version can read, and some of those that it cannot.
    package let released: ReleasedManifest

    /// The entries that this version can read.
    public var manifest: Manifest { released.manifest }

    /// Verifies the bytes of a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of `manifest.json`.
    ///   - expected: The checksum that the bytes must have; `nil` where none is known.
    /// - Throws: `ManifestError` `wrongChecksum` for other bytes than the expected ones, `tooLarge`,
    ///   `unsupportedSchema`, or `invalid` when the head or every entry cannot be read.
    public init(verifying bytes: [UInt8], expected: Checksum? = nil) throws(ManifestError) {
        guard bytes.count <= ContentLimits.manifestBytesMax else { throw .tooLarge }
        let checksum = Checksum(of: bytes)
        guard expected == nil || checksum == expected else { throw .wrongChecksum }
        released = try ReleaseReader.manifest(bytes)
        self.bytes = bytes
        self.checksum = checksum
    }

    /// Returns what was read, with each unread entry named that the device shows.
    ///
    /// Reads the bytes again only when entries were left unnamed.
    /// - Parameter isShown: True for a document that the device shows; called only when the bytes are read
    ///   again.
    /// - Returns: The entries that were read, and those that were not.
    /// - Throws: `ManifestError`, never for bytes that were verified.
    package func released(
        naming isShown: @escaping (EagerDocument.Kind, String) -> Bool
    ) throws(ManifestError) -> ReleasedManifest {
        guard released.unlistedCount > 0 else { return released }
        return try ReleaseReader.manifest(bytes, isShown: isShown)
    }
}
