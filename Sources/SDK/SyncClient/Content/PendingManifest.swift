import ContentModel

/// The manifest of a run, parsed at its first use.
///
/// Most runs find the installed one unchanged and never parse it.
struct PendingManifest: Sendable {
    private let bytes: [UInt8]
    private var read: VerifiedManifest?

    /// Creates the bytes of the installed manifest.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Creates a manifest that was parsed.
    init(_ verified: VerifiedManifest) {
        bytes = verified.bytes
        read = verified
    }

    /// Returns the manifest, verified.
    ///
    /// - Throws: `ManifestError`.
    mutating func verified() throws -> VerifiedManifest {
        if let read { return read }
        let verified = try VerifiedManifest(verifying: bytes)
        read = verified
        return verified
    }

    /// Returns the manifest as a device reads it.
    ///
    /// - Throws: `ManifestError`.
    mutating func manifest() throws -> Manifest { try verified().manifest }
}
