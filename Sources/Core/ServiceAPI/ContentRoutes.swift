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

/// The bounds that server and client keep, in one place.
public enum ServiceLimits {
    /// The most bytes of request headers that the server reads.
    public static let requestHeaderBytesMax = 16 * 1024
    /// How long a connection may idle, in seconds.
    public static let connectionIdleSeconds = 75
    /// How many connections the server holds at once.
    public static let connectionsMax = 10_000
    /// How many bytes of served files the server keeps in memory.
    public static let cacheBytesMax = 256 * 1024 * 1024
    /// The largest file that is kept in memory; larger ones are streamed.
    public static let cachedFileBytesMax = 1024 * 1024
    /// How many blobs a client fetches at once.
    public static let parallelDownloadsMax = 4
    /// How often one request is tried.
    public static let attemptsMax = 3
    /// The longest `Retry-After` that a client obeys, in seconds (one day).
    public static let retryAfterSecondsMax = 86_400
    /// The size bound of a blob whose size the manifest does not say, in bytes.
    public static let unsizedBlobBytesMax = 8 * 1024 * 1024
}
