package import ContentModel

/// The question banks of the current release.
package struct ReleasedBanks: Sendable {
    private let directory: ReleaseDirectory
    /// The checksums of the banks, by name.
    package let checksums: [String: Checksum]

    /// Reads the manifest of a release directory; without a manifest there are no banks.
    ///
    /// - Throws: `PublishingError` `unreadable`, an error of the manifest.
    package init(_ root: String) throws {
        directory = ReleaseDirectory(root: root)
        guard let bytes = try directory.manifestBytes() else {
            checksums = [:]
            return
        }
        let manifest = try Manifest(bytes)
        var checksums: [String: Checksum] = [:]
        for (name, entry) in manifest.languages { checksums[name] = entry.blueprint?.checksum }
        for (name, entry) in manifest.exams { checksums[name] = entry.blueprint?.checksum }
        self.checksums = checksums
    }

    /// Returns the stamp of a release directory's manifest; `nil` before the first release.
    package static func stamp(_ root: String) -> FileStamp? {
        Files.look(ReleaseDirectory(root: root).path(.manifest))?.stamp
    }

    /// Reads the questions of a bank by their ids; none for an unreleased bank.
    ///
    /// - Throws: `PublishingError` `noSuchRelease` if its file is missing or damaged, `ContentError`.
    package func questions(of bank: String) throws -> [String: Question] {
        guard let checksum = checksums[bank] else { return [:] }
        let blueprint = try Blueprint(released: try directory.object(checksum))
        return Dictionary(
            blueprint.questions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
