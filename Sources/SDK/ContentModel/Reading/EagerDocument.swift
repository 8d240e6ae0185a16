/// A document that every generation contains; it is fetched before it is shown.
public struct EagerDocument: Hashable, Sendable {
    /// The kind of a document, in the order in which a sync fetches them.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
        case blueprint
        case exam
        case localization
        case announcements
        case asset

        /// Orders by the time at which documents are fetched.
        public static func < (left: Kind, right: Kind) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    /// The kind.
    public var kind: Kind
    /// The language, `region/exam`, asset path, or empty.
    public var key: String
    /// The checksum of the document's bytes.
    public var checksum: Checksum
    /// The number of the document's bytes, if the manifest states it.
    public var size: Int?

    /// Creates a document.
    public init(kind: Kind, key: String, checksum: Checksum, size: Int?) {
        self.kind = kind
        self.key = key
        self.checksum = checksum
        self.size = size
    }
}

extension EagerDocument {
    /// Creates the document of an entry; `nil` for one that a device fetches on demand.
    package init?(_ entry: ManifestEntry) {
        guard entry.fetchClass == .eager, let kind = Kind(entry.kind) else { return nil }
        self.init(kind: kind, key: entry.key, checksum: entry.checksum, size: entry.size)
    }

    /// The readable path, for hosts in the original format that have no objects; `nil` for an invalid key.
    package var path: ReleasePath? { ReleasePath(kind.entryKind, key: key) }
}

extension EagerDocument.Kind {
    /// Creates the kind of document for a kind of entry; `nil` for files of lists.
    package init?(_ kind: ManifestEntry.Kind) {
        switch kind {
        case .blueprint: self = .blueprint
        case .exam: self = .exam
        case .localization: self = .localization
        case .announcements: self = .announcements
        case .asset: self = .asset
        case .audio, .media: return nil
        }
    }

    /// The kind of the entry that names such a document.
    package var entryKind: ManifestEntry.Kind {
        switch self {
        case .blueprint: .blueprint
        case .exam: .exam
        case .localization: .localization
        case .announcements: .announcements
        case .asset: .asset
        }
    }
}

extension Manifest {
    /// All documents that a generation of this release must have, in the order in which they are fetched.
    public var eagerDocuments: [EagerDocument] { entries.compactMap { EagerDocument($0) } }

    /// The checksums of all files that are fetched on demand.
    public var lazyChecksums: Set<Checksum> {
        Set(entries.lazy.filter { $0.fetchClass != .eager }.map(\.checksum))
    }
}
