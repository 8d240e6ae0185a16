public import ContentModel

/// The addresses of a release below that of its host; every other path is a `ReleasePath`.
public enum ContentRoutes {
    /// The path under which the server mounts the release; a static host may use any address.
    public static let prefix = "/api/content/v2"
    /// The only path whose content changes without its name.
    public static let manifest = ReleasePath.manifest.text

    /// Returns the path of a blob, which never changes.
    public static func object(_ checksum: Checksum) -> String {
        ReleasePath.object(checksum).text
    }
}
