/// The bounds on every piece of content, for authors and devices alike.
public enum ContentLimits {
    /// The largest manifest that is read, in bytes (about 100,000 entries).
    public static let manifestBytesMax = 16 * 1024 * 1024
    /// The largest blueprint, localization or announcement file, in bytes.
    public static let documentBytesMax = 8 * 1024 * 1024
    /// The largest audio, media or asset file, in bytes.
    public static let fileBytesMax = 256 * 1024 * 1024
    /// The most entries of a manifest that a device names when it cannot read them; others are counted.
    public static let unreadEntriesListed = 100
    /// The most questions in one blueprint.
    public static let questionsMax = 20_000
    /// The most options of one question.
    public static let optionsMax = 64
    /// The longest text of a stem, an option or an explanation, in UTF-8 bytes.
    public static let textBytesMax = 16 * 1024
}
