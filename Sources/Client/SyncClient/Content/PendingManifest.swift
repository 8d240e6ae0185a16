import ContentModel

/// The manifest that a run carries out; it is read when it is first needed.
///
/// One that is installed already was judged then: most runs find it unchanged and need not read it again.
struct PendingManifest: Sendable {
    private let bytes: [UInt8]
    private var read: VerifiedManifest?

    /// Takes the bytes of the installed manifest.
    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Takes a manifest that was read.
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

    /// Returns what a device reads of it.
    ///
    /// - Throws: `ManifestError`.
    mutating func manifest() throws -> Manifest { try verified().manifest }
}
