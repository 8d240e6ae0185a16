/// A path in a release: on any host, in a release directory and in a bundle alike.
///
/// Every value is valid: it is made from valid parts, or by parsing. So `ReleasePath(.exam, key:
/// "ca/az-104")` is `exams/ca/az-104.json`, and `ReleasePath("objects/../manifest.json")` is `nil`.
package struct ReleasePath: Hashable, Sendable, CustomStringConvertible {
    /// The target of a path.
    package enum Target: Hashable, Sendable {
        /// The current manifest; only it, the timestamp and changesets change under their names.
        case manifest
        /// The manifest of a release in the history.
        case history(release: Int)
        /// A blob by its checksum.
        case object(Checksum)
        /// A file of trust metadata; the timestamp alone has no version, and changes.
        case metadata(TrustRole, version: Int?)
        /// The changeset that leads from a release to the newest; it changes.
        case changes(from: Int)
        /// A manifest under the name that signed metadata give it.
        case target(Checksum)
        /// The readable name of an entry of the current manifest.
        case readable(ManifestEntry.Kind, key: String, name: String)
    }

    /// The compression of a sibling, a compressed copy beside a plain file.
    package enum Packing: String, Sendable, Hashable, CaseIterable {
        case gzip = "gz"
        case brotli = "br"
    }

    /// The target.
    package let target: Target
    /// The compression, of a sibling's path; `nil` for the plain file.
    package let packing: Packing?

    private init(_ target: Target, packing: Packing? = nil) {
        self.target = target
        self.packing = packing
    }

    // MARK: From parts

    /// The current manifest.
    package static let manifest = ReleasePath(.manifest)

    /// The announcements.
    package static let announcements = ReleasePath(.readable(.announcements, key: "", name: ""))

    /// Returns the path of a blob.
    package static func object(_ checksum: Checksum) -> ReleasePath {
        ReleasePath(.object(checksum))
    }

    /// Returns the path of a release's manifest in the history.
    ///
    /// - Returns: `nil` unless the number is positive.
    package static func history(release: Int) -> ReleasePath? {
        release > 0 ? ReleasePath(.history(release: release)) : nil
    }

    /// Returns the path of a file of trust metadata.
    ///
    /// - Returns: `nil` unless the timestamp has no version, and every other role a positive one.
    package static func metadata(_ role: TrustRole, version: Int?) -> ReleasePath? {
        let isValid = role == .timestamp ? version == nil : version.map { $0 > 0 } ?? false
        return isValid ? ReleasePath(.metadata(role, version: version)) : nil
    }

    /// Returns the path of the changeset that starts from a release.
    ///
    /// - Returns: `nil` for a negative number.
    package static func changes(from release: Int) -> ReleasePath? {
        release >= 0 ? ReleasePath(.changes(from: release)) : nil
    }

    /// Returns the path of the manifest with a checksum, as signed metadata name it.
    package static func target(_ manifest: Checksum) -> ReleasePath {
        ReleasePath(.target(manifest))
    }

    /// Creates the path of a manifest's entry; `nil` when the key or the name is not valid for that
    /// kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the entry.
    ///   - key: The language, `region/exam` or asset path; empty for announcements.
    ///   - name: The name within a list of audio or media files; empty for all other kinds.
    package init?(_ kind: ManifestEntry.Kind, key: String, name: String = "") {
        let isValid =
            switch kind {
            case .blueprint, .localization: Identifier.isValid(key) && name.isEmpty
            case .exam: Identifier.examKey(key) != nil && name.isEmpty
            case .announcements: key.isEmpty && name.isEmpty
            case .asset: ContentPath(key) != nil && name.isEmpty
            case .audio: Identifier.isValid(key) && ContentPath(name) != nil
            case .media: Identifier.examKey(key) != nil && ContentPath(name) != nil
            }
        guard isValid else { return nil }
        self.init(.readable(kind, key: key, name: name))
    }

    /// Returns the path of a plain file's sibling.
    package func packed(_ packing: Packing) -> ReleasePath {
        ReleasePath(target, packing: packing)
    }

    /// The path of the plain file beside a sibling; the path itself for a plain file.
    package var plain: ReleasePath { ReleasePath(target) }

    // MARK: Text

    /// The path, with `/` between its components.
    package var text: String {
        let plain =
            switch target {
            case .manifest: Self.manifestName
            case .history(let release): "releases/\(release)/\(Self.manifestName)"
            case .object(let checksum): "objects/\(checksum.hex.prefix(2))/\(checksum.hex)"
            case .metadata(let role, let version):
                "metadata/" + (version.map { "\($0)." } ?? "") + "\(role.rawValue).json"
            case .changes(let release): "changes/\(release)"
            case .target(let checksum): "targets/\(checksum.hex).\(Self.manifestName)"
            case .readable(let kind, let key, let name): Self.text(kind, key, name)
            }
        return packing.map { "\(plain).\($0.rawValue)" } ?? plain
    }

    /// The path itself.
    package var description: String { text }

    private static let manifestName = "manifest.json"

    private static func text(_ kind: ManifestEntry.Kind, _ key: String, _ name: String) -> String {
        switch kind {
        case .blueprint, .exam, .localization: "\(kind.folder)/\(key).json"
        case .announcements: "announcements.json"
        case .asset: "\(kind.folder)/\(key)"
        case .audio, .media: "\(kind.folder)/\(key)/\(name)"
        }
    }
}

extension ManifestEntry.Kind {
    /// The folder of readable names; empty for announcements, which are at the top.
    package var folder: String {
        switch self {
        case .blueprint: "blueprints"
        case .exam: "exams"
        case .localization: "localizations"
        case .announcements: ""
        case .asset: "assets"
        case .audio: "audio"
        case .media: "media"
        }
    }
}
