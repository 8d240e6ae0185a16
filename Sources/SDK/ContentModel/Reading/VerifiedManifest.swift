/// A manifest whose bytes were verified; only verification creates one.
///
/// Verification reads by the device's rules, and compares the checksum where one is known.
///
/// ```swift
/// let bytes = Manifest(release: 4).canonicalBytes
/// let verified = try VerifiedManifest(verifying: bytes, expected: Checksum(of: bytes))
/// print(verified.manifest.release)
/// ```
package struct VerifiedManifest: Sendable {
    /// The verified bytes.
    package let bytes: [UInt8]
    /// The checksum of the bytes.
    package let checksum: Checksum
    /// The readable entries, and some of the unreadable ones.
    package let released: ReleasedManifest

    /// The readable entries.
    package var manifest: Manifest { released.manifest }

    /// Verifies the bytes of a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of `manifest.json`.
    ///   - expected: The checksum that the bytes must have; `nil` when none is known.
    /// - Throws: `ManifestError` `wrongChecksum` for other bytes than the expected ones,
    ///   `tooLarge`, `unsupportedSchema`, or `invalid` when the head or every entry is unreadable.
    package init(verifying bytes: [UInt8], expected: Checksum? = nil) throws(ManifestError) {
        guard bytes.count <= ContentLimits.manifestBytesMax else { throw .tooLarge }
        let checksum = Checksum(of: bytes)
        guard expected == nil || checksum == expected else { throw .wrongChecksum }
        released = try ReleaseReader.manifest(bytes)
        self.bytes = bytes
        self.checksum = checksum
    }

    /// Returns the entries, with each unreadable one named that the device shows.
    ///
    /// Reads the bytes again only when entries were left unnamed.
    /// - Parameter isShown: True for a document that the device shows; called only when the bytes
    ///   are read again.
    /// - Returns: The readable and the unreadable entries.
    /// - Throws: `ManifestError`, never for verified bytes.
    package func released(
        naming isShown: @escaping (EagerDocument.Kind, String) -> Bool
    ) throws(ManifestError) -> ReleasedManifest {
        guard released.unlistedCount > 0 else { return released }
        return try ReleaseReader.manifest(bytes, isShown: isShown)
    }
}
