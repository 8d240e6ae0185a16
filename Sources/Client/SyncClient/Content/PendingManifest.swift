import ContentModel

/// The manifest that a run carries out; it is read when it is first needed.
///
/// One that is installed already was judged then: most runs find it unchanged and need not read it again.
struct PendingManifest: Sendable {
    let bytes: [UInt8]
    private var read: Manifest?

    /// Takes the bytes, and what was read of them if it was.
    init(bytes: [UInt8], _ read: Manifest? = nil) {
        self.bytes = bytes
        self.read = read
    }

    /// Returns what a device reads of it.
    ///
    /// - Throws: `ManifestError`.
    mutating func manifest() throws -> Manifest {
        if let read { return read }
        let manifest = try ReleaseReader.manifest(bytes).manifest
        read = manifest
        return manifest
    }
}
