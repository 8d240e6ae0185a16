/// The limits of content, for authors and devices alike.
package enum ContentLimits {
    /// The maximum size of a manifest, in bytes (about 100,000 entries).
    package static let manifestBytesMax = 16 * 1024 * 1024
    /// The maximum size of a blueprint, localization or announcement file, in bytes.
    package static let documentBytesMax = 8 * 1024 * 1024
    /// The maximum size of an audio, media or asset file, in bytes.
    package static let fileBytesMax = 256 * 1024 * 1024
    /// The maximum number of unreadable manifest entries that a device names; others are counted.
    package static let unreadEntriesListed = 100
    /// The maximum number of questions in one blueprint.
    package static let questionsMax = 20_000
    /// The maximum number of corrections of keys in one blueprint.
    package static let correctionsMax = 10_000
    /// The maximum number of versions that one correction names.
    package static let correctedVersionsMax = 100
    /// The maximum number of options of one question.
    package static let optionsMax = 64
    /// The maximum size of a stem, an option or an explanation, in UTF-8 bytes.
    package static let textBytesMax = 16 * 1024
}
