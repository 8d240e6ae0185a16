public import ContentModel

/// The addresses of a release below that of its host; other paths of a release are a `ReleasePath`.
public enum ContentRoutes {
    /// The path under which the server publishes the release; a static host may use any address.
    public static let prefix = "/api/content/v2"
    /// The path of the manifest, the only one whose content changes.
    public static let manifest = ReleasePath.manifest.text

    /// The path below which the server returns published questions from the content tables.
    public static let exams = "/api/v1/exams"

    /// Returns the path of a blob, whose content never changes.
    public static func object(_ checksum: Checksum) -> String {
        ReleasePath.object(checksum).text
    }
}
