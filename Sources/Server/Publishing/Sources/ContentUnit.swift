import ContentModel

/// The steps of publishing; each served path belongs to exactly one.
public enum PublishStep: String, Sendable, Hashable, CaseIterable {
    /// `languages/<iso>/blueprint.*` to `blueprints/`.
    case blueprints
    /// `languages/<iso>/localization.*` to `localizations/`.
    case localizations
    /// `languages/<iso>/audio/` to `audio/`.
    case audio
    /// `exams/<region>/<exam>/` to `exams/` and `media/`.
    case exams
    /// `assets/`, `assets.yaml` and `schemas/` to `assets/`.
    case assets
    /// `announcements/` to `announcements.json`.
    case announcements
}

/// The smallest part of a content folder that is built by itself: when none of its sources
/// changed, what it gave last time is still right.
struct ContentUnit: Sendable {
    /// Who builds it, and which served paths it may write.
    var step: PublishStep
    /// The language, `region/exam`, or empty for the units that exist once.
    var name: String
    /// Relative to the content folder, sorted.
    var sources: [SourceFile]

    /// Unique among all units.
    var key: String { step.rawValue + "/" + name }
}

/// One file of a content folder.
struct SourceFile: Hashable, Sendable {
    /// Relative to the content folder.
    var path: String
    /// Its state when the folder was scanned.
    var stamp: FileStamp
}

/// Where a built file's bytes are.
enum BuiltBytes: Sendable {
    /// Made from sources.
    case made([UInt8])
    /// As they stand in a source file, relative to the content folder.
    case source(String)
}

/// One file of a release, as it was built.
struct BuiltFile: Sendable {
    /// The readable path in the release.
    var path: String
    var checksum: Checksum
    var size: Int
    var bytes: BuiltBytes
}

/// What a unit gives: its part of the manifest and its files.
struct BuiltUnit: Sendable {
    /// The canonical JSON of its part of the manifest.
    var fragment: [UInt8]
    var files: [BuiltFile]
    var problems: [Problem]

    /// True when its files must not be used.
    var hasErrors: Bool { problems.contains { $0.rule.severity == .error } }
}
