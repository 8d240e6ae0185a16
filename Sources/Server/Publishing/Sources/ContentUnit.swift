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

/// The smallest part of a content folder that is built by itself: while none of its sources
/// changes, its last build stays valid.
struct ContentUnit: Sendable {
    /// The step, which decides the builder and the served paths that the unit may write.
    var step: PublishStep
    /// The language, `region/exam`, or empty for the units that exist once.
    var name: String
    /// The sources, relative to the content folder, sorted.
    var sources: [SourceFile]

    /// The key, unique among all units.
    var key: String { step.rawValue + "/" + name }
}

/// One file of a content folder.
struct SourceFile: Hashable, Sendable {
    /// The path, relative to the content folder.
    var path: String
    /// The stamp at the time of the scan.
    var stamp: FileStamp
}

/// The location of a built file's bytes.
enum BuiltBytes: Sendable {
    /// In memory, generated from sources.
    case made([UInt8])
    /// In a source file, copied unchanged; relative to the content folder.
    case source(String)
}

/// One built file of a release.
struct BuiltFile: Sendable {
    /// The readable path in the release.
    var path: String
    var checksum: Checksum
    var size: Int
    var bytes: BuiltBytes
}

/// The result of building a unit: its part of the manifest and its files.
struct BuiltUnit: Sendable {
    /// The unit's part of the manifest in canonical JSON.
    var fragment: [UInt8]
    var files: [BuiltFile]
    var problems: [Problem]

    /// True when its files must not be used.
    var hasErrors: Bool { problems.contains { $0.rule.severity == .error } }
}
