public import ContentModel

/// The paths of a release, on any host and in a release directory alike.
public enum ContentRoutes {
    /// Where the server mounts the release; a static host may use any address.
    public static let prefix = "/api/content/v2"
    /// The only path whose content changes without its name.
    public static let manifest = "manifest.json"

    /// Every blob once, by its checksum; never changes.
    public static func object(_ checksum: Checksum) -> String {
        "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
    }

    /// The readable name of a language's placement test.
    public static func blueprint(language: String) -> String { "blueprints/\(language).json" }

    /// The readable name of a language's texts.
    public static func localization(language: String) -> String {
        "localizations/\(language).json"
    }

    /// The readable name of a spoken clip.
    public static func audio(language: String, name: String) -> String {
        "audio/\(language)/\(name)"
    }

    /// The readable name of an exam's question bank.
    public static func exam(_ key: String) -> String { "exams/\(key).json" }

    /// The readable name of an image of an exam.
    public static func media(exam key: String, name: String) -> String { "media/\(key)/\(name)" }

    /// The readable name of an asset.
    public static func asset(_ path: String) -> String { "assets/\(path)" }

    /// The readable name of the announcements.
    public static let announcements = "announcements.json"

    /// The kept manifest of an older release.
    public static func history(release: Int) -> String { "releases/\(release)/manifest.json" }
}
