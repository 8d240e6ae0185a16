/// One file that a manifest names.
///
/// ```swift
/// let manifest = Manifest(release: 1)
/// let bytes = manifest.entries.filter { $0.kind == .audio }.reduce(0) { $0 + ($1.size ?? 0) }
/// print(bytes)
/// ```
public struct ManifestEntry: Hashable, Sendable {
    /// The kinds of files in a release, in the order in which a device fetches them.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A language's placement test.
        case blueprint
        /// An exam's question bank.
        case exam
        /// A language's texts of the user interface.
        case localization
        /// The announcements.
        case announcements
        /// An asset.
        case asset
        /// A spoken clip of a language.
        case audio
        /// An image of an exam.
        case media
    }

    /// The kind of the file.
    public let kind: Kind
    /// The language, `region/exam` or asset path of the file; empty for announcements.
    public let key: String
    /// The file's name within its list; empty for kinds with one file per key.
    public let name: String
    /// The checksum of the raw bytes.
    public let checksum: Checksum
    /// The number of raw bytes; absent in the original format.
    public let size: Int?
    /// The time at which a device fetches the file.
    public let fetchClass: AssetClass

    /// The readable path of the file in a release.
    ///
    /// - Precondition: The manifest's names are valid, as those of every parsed manifest are.
    package var path: ReleasePath {
        guard let path = ReleasePath(kind, key: key, name: name) else {
            preconditionFailure("The manifest has a \(kind) with the invalid name \(key) \(name).")
        }
        return path
    }
}

extension Manifest {
    /// All files that the release names, by kind, then by key; the files of a list in its order.
    ///
    /// Walks the whole manifest, O(n log n).
    public var entries: [ManifestEntry] {
        let languages = languages.sorted { $0.key < $1.key }
        let exams = exams.sorted { $0.key < $1.key }
        var walk = ManifestWalk()
        for kind in ManifestEntry.Kind.allCases {
            switch kind {
            case .blueprint:
                for (key, entry) in languages { walk.add(kind, key, entry.blueprint) }
            case .exam:
                for (key, entry) in exams { walk.add(kind, key, entry.blueprint) }
            case .localization:
                for (key, entry) in languages { walk.add(kind, key, entry.localization) }
            case .announcements:
                walk.add(kind, "", announcements)
            case .asset:
                for (key, entry) in assets.sorted(by: { $0.key < $1.key }) { walk.add(key, entry) }
            case .audio:
                for (key, entry) in languages { walk.add(kind, key, entry.audio) }
            case .media:
                for (key, entry) in exams { walk.add(kind, key, entry.media) }
            }
        }
        return walk.entries
    }
}

/// The entries that a walk over a manifest has collected.
private struct ManifestWalk {
    private(set) var entries: [ManifestEntry] = []

    mutating func add(_ kind: ManifestEntry.Kind, _ key: String, _ document: ContentReference?) {
        guard let document else { return }
        entries.append(
            ManifestEntry(
                kind: kind, key: key, name: "", checksum: document.checksum, size: document.size,
                fetchClass: .eager))
    }

    mutating func add(_ kind: ManifestEntry.Kind, _ key: String, _ list: FileList?) {
        for file in list?.files ?? [] {
            entries.append(
                ManifestEntry(
                    kind: kind, key: key, name: file.name, checksum: file.checksum,
                    size: file.size, fetchClass: .onDemand))
        }
    }

    mutating func add(_ path: String, _ asset: AssetEntry) {
        entries.append(
            ManifestEntry(
                kind: .asset, key: path, name: "", checksum: asset.checksum, size: asset.size,
                fetchClass: asset.fetchClass))
    }
}
