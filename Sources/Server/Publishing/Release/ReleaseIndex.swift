import ContentModel

/// What publishing remembers of a release directory, so that neither unchanged sources nor
/// unchanged served files are read again; kept as git keeps its index.
///
/// It is a cache: without it, everything is read once and the result is the same.
struct ReleaseIndex: Sendable, Equatable {
    /// Kept in a folder that is not served.
    static let path = ".underway/index"

    var release = 0
    var manifestChecksum: Checksum
    var manifestStamp: FileStamp
    /// What the settings said that changes how units are built.
    var settingsChecksum: Checksum?
    var contentBaseURL: String?
    /// True when the last publish saw files or folders under readable names that no unit owns.
    var hasUnownedNames = false
    var units: [String: IndexedUnit] = [:]
    var listings: [String: FolderListing] = [:]
}

/// A unit as it was last built.
struct IndexedUnit: Sendable, Equatable {
    var step: PublishStep
    var name: String
    /// Empty when the unit must be built again.
    var sources: [SourceFile] = []
    /// Its part of the manifest, as canonical JSON without `contentUpdatedAt`.
    var fragment: [UInt8]
    /// When an exam last changed.
    var updatedAt: String?
    var files: [IndexedFile]

    var key: String { Self.key(step, name) }

    static func key(_ step: PublishStep, _ name: String) -> String { step.rawValue + "/" + name }
}

/// A served file as it was last written.
struct IndexedFile: Sendable, Equatable {
    var path: String
    var checksum: Checksum
    var size: Int
    /// `nil` when the served file has not been looked at.
    var stamp: FileStamp?
}
