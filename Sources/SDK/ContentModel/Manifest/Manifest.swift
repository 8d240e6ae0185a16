/// The index of a release: its files by checksum.
///
/// Dictionaries are keyed by validated names: language codes, `region/exam`, and safe asset paths.
///
/// ```swift
/// let manifest = Manifest(release: 1)
/// let read = try Manifest(manifest.canonicalBytes)
/// print(read == manifest, read.entries.isEmpty)
/// ```
public struct Manifest: Hashable, Sendable {
    /// The schema that this version writes, and the newest that it reads.
    public static let schemaVersion = 2

    /// The schema of the file that was read.
    public var schemaVersion: Int
    /// The number of the release; 0 in the original format, which has none.
    public var release: Int
    /// The time at which the release was built, in RFC 3339; a hint for people.
    public var generatedAt: String?
    /// The base address of the release's paths.
    public var contentBaseURL: String?
    /// The languages by language code.
    public var languages: [String: LanguageEntry]
    /// The exams by `region/exam`.
    public var exams: [String: ExamEntry]
    /// The assets by their path below `assets/`.
    public var assets: [String: AssetEntry]
    /// The file of announcements.
    public var announcements: ContentReference?
    /// The rule by which devices install the release; `nil` for all devices.
    public var rollout: Rollout?

    /// Creates a manifest.
    public init(
        schemaVersion: Int = Manifest.schemaVersion, release: Int, generatedAt: String? = nil,
        contentBaseURL: String? = nil, languages: [String: LanguageEntry] = [:],
        exams: [String: ExamEntry] = [:], assets: [String: AssetEntry] = [:],
        announcements: ContentReference? = nil, rollout: Rollout? = nil
    ) {
        self.schemaVersion = schemaVersion
        self.release = release
        self.generatedAt = generatedAt
        self.contentBaseURL = contentBaseURL
        self.languages = languages
        self.exams = exams
        self.assets = assets
        self.announcements = announcements
        self.rollout = rollout
    }
}

/// One blob of a release.
public struct ContentReference: Hashable, Sendable {
    /// A hint for people, never compared.
    public var version: String?
    /// The checksum of the raw bytes.
    public var checksum: Checksum
    /// The number of raw bytes; absent in the original format.
    public var size: Int?

    /// Creates a reference.
    public init(version: String? = nil, checksum: Checksum, size: Int?) {
        self.version = version
        self.checksum = checksum
        self.size = size
    }
}

/// One named file of a list of audio or media files.
public struct FileReference: Hashable, Sendable {
    /// A safe relative path.
    public var name: String
    /// The checksum of the raw bytes.
    public var checksum: Checksum
    /// The number of raw bytes; absent in the original format.
    public var size: Int?

    /// Creates a reference.
    public init(name: String, checksum: Checksum, size: Int?) {
        self.name = name
        self.checksum = checksum
        self.size = size
    }
}

/// A list of files with a version for people.
public struct FileList: Hashable, Sendable {
    /// A hint for people, never compared.
    public var version: String?
    /// The files, sorted by name.
    public var files: [FileReference]

    /// Creates a list.
    public init(version: String? = nil, files: [FileReference]) {
        self.version = version
        self.files = files
    }
}

/// The files of one language.
public struct LanguageEntry: Hashable, Sendable {
    /// The placement test.
    public var blueprint: ContentReference?
    /// The texts of the user interface.
    public var localization: ContentReference?
    /// The spoken clips.
    public var audio: FileList?

    /// Creates the entry of a language.
    public init(
        blueprint: ContentReference? = nil, localization: ContentReference? = nil,
        audio: FileList? = nil
    ) {
        self.blueprint = blueprint
        self.localization = localization
        self.audio = audio
    }
}

/// The files of one exam.
public struct ExamEntry: Hashable, Sendable {
    /// The time of an author's last change, in RFC 3339; a hint for people.
    public var contentUpdatedAt: String?
    /// The question bank.
    public var blueprint: ContentReference?
    /// The images of its questions.
    public var media: FileList?

    /// Creates the entry of an exam.
    public init(
        contentUpdatedAt: String? = nil, blueprint: ContentReference? = nil, media: FileList? = nil
    ) {
        self.contentUpdatedAt = contentUpdatedAt
        self.blueprint = blueprint
        self.media = media
    }
}

/// The time at which a device fetches an asset.
public enum AssetClass: String, Sendable, Hashable, CaseIterable {
    /// With every release, before the release is shown.
    case eager
    /// After a release was installed, on an unmetered network.
    case prefetch
    /// On the app's request.
    case onDemand
}

/// One asset.
public struct AssetEntry: Hashable, Sendable {
    /// The checksum of the raw bytes.
    public var checksum: Checksum
    /// The number of raw bytes.
    public var size: Int?
    /// The time at which a device fetches it.
    public var fetchClass: AssetClass

    /// Creates an asset.
    public init(checksum: Checksum, size: Int?, fetchClass: AssetClass) {
        self.checksum = checksum
        self.size = size
        self.fetchClass = fetchClass
    }
}

extension Manifest {
    /// The canonical JSON form of schema 2.
    public var json: JSONValue {
        .compact([
            "schemaVersion": .integer(Self.schemaVersion), "release": .integer(release),
            "generatedAt": generatedAt.map { .string($0) },
            "contentBaseUrl": contentBaseURL.map { .string($0) },
            "languages": .object(languages.mapValues(\.json)),
            "exams": exams.isEmpty ? nil : .object(exams.mapValues(\.json)),
            "assets": assets.isEmpty ? nil : .object(assets.mapValues(\.json)),
            "announcements": announcements?.json, "rollout": rollout?.json,
        ])
    }

    /// The bytes of `manifest.json`; equal manifests have equal bytes.
    public var canonicalBytes: [UInt8] { json.canonicalBytes }
}

extension ContentReference {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "version": version.map { .string($0) }, "checksum": .string(checksum.description),
            "size": size.map { .integer($0) },
        ])
    }
}

extension FileList {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact(["version": version.map { .string($0) }, "files": .array(files.map(\.json))])
    }
}

extension FileReference {
    var json: JSONValue {
        .compact([
            "name": .string(name), "checksum": .string(checksum.description),
            "size": size.map { .integer($0) },
        ])
    }
}

extension LanguageEntry {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "blueprint": blueprint?.json, "localization": localization?.json, "audio": audio?.json,
        ])
    }
}

extension ExamEntry {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "contentUpdatedAt": contentUpdatedAt.map { .string($0) },
            "blueprint": blueprint?.json, "media": media?.json,
        ])
    }
}

extension AssetEntry {
    /// The canonical JSON form.
    public var json: JSONValue {
        .compact([
            "checksum": .string(checksum.description), "size": size.map { .integer($0) },
            "class": .string(fetchClass.rawValue),
        ])
    }
}
