/// A document that belongs to every generation and is fetched before it is shown.
public struct EagerDocument: Hashable, Sendable {
    /// What a document is, in the order in which a sync fetches them.
    public enum Kind: String, Sendable, Hashable, CaseIterable, Comparable {
        case blueprint
        case exam
        case localization
        case announcements
        case asset

        /// Earlier kinds are fetched first.
        public static func < (left: Kind, right: Kind) -> Bool {
            allCases.firstIndex(of: left) ?? 0 < allCases.firstIndex(of: right) ?? 0
        }
    }

    /// What it is.
    public var kind: Kind
    /// The language, `region/exam`, asset path, or empty.
    public var key: String
    /// The checksum of its bytes.
    public var checksum: Checksum
    /// The number of its bytes, where the manifest says it.
    public var size: Int?

    /// Describes a document.
    public init(kind: Kind, key: String, checksum: Checksum, size: Int?) {
        self.kind = kind
        self.key = key
        self.checksum = checksum
        self.size = size
    }
}

extension Manifest {
    /// All documents that a generation of this release must have, in the order of fetching.
    public var eagerDocuments: [EagerDocument] {
        var documents: [EagerDocument] = []
        func add(_ kind: EagerDocument.Kind, _ key: String, _ reference: ContentReference?) {
            guard let reference else { return }
            documents.append(
                .init(kind: kind, key: key, checksum: reference.checksum, size: reference.size))
        }
        for (language, entry) in languages {
            add(.blueprint, language, entry.blueprint)
            add(.localization, language, entry.localization)
        }
        for (key, entry) in exams { add(.exam, key, entry.blueprint) }
        add(.announcements, "", announcements)
        for (path, entry) in assets where entry.fetchClass == .eager {
            documents.append(
                .init(kind: .asset, key: path, checksum: entry.checksum, size: entry.size))
        }
        return documents.sorted { ($0.kind, $0.key) < ($1.kind, $1.key) }
    }

    /// The checksums of all files that are fetched on demand.
    public var lazyChecksums: Set<Checksum> {
        var checksums: Set<Checksum> = []
        for entry in languages.values {
            checksums.formUnion(entry.audio?.files.map(\.checksum) ?? [])
        }
        for entry in exams.values { checksums.formUnion(entry.media?.files.map(\.checksum) ?? []) }
        checksums.formUnion(assets.values.filter { $0.fetchClass != .eager }.map(\.checksum))
        return checksums
    }
}
