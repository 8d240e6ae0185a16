import ContentModel

/// The writer of the bundled generation, which an app ships so that its first start needs no network.
public enum BundleWriter {
    /// The audio of a bundle, in addition to all eager documents.
    public enum Audio: Sendable {
        case none
        case all
        case languages(Set<String>)
    }

    /// Copies the manifest and the objects of the current release that a device needs at once.
    ///
    /// - Parameters:
    ///   - releaseDirectory: The release directory.
    ///   - output: A folder that does not exist or is empty.
    ///   - audio: The spoken clips to include.
    ///   - root: The root that the app pins, which must be one of the release's roots; `nil` to trust the roots in
    ///     the directory.
    /// - Returns: The number of written objects, and their size in bytes.
    /// - Throws: `PublishingError`; `invalidRequest` for a release with a partial or paused rollout.
    public static func write(
        releaseDirectory: String, to output: String, audio: Audio = .none, root: [UInt8]? = nil
    ) throws -> BundleSummary {
        let directory = ReleaseDirectory(root: releaseDirectory)
        guard let manifestBytes = try directory.manifestBytes() else {
            throw PublishingError(
                .noSuchRelease,
                "\(releaseDirectory) has no manifest.json. `underway publish` makes one.")
        }
        if Files.look(output) != nil {
            guard try Files.names(in: output).isEmpty else {
                throw PublishingError(
                    .invalidRequest, "\(output) is not empty. Name a new folder for the bundle.")
            }
        }
        let manifest = try Manifest(manifestBytes)
        try checkForInstallations(manifest)
        let trust = try signatures(of: Checksum(of: manifestBytes), directory)
        if let root { try check(trust, in: directory, follows: root) }
        let wanted = checksums(of: manifest, audio: audio)
        var bytes = 0
        for checksum in wanted {
            let object = try directory.object(checksum)
            bytes += object.count
            let path = ReleasePath.object(checksum)
            try Files.makeFolder(output + "/" + path.folder)
            try Files.replace(output + "/" + path.text, object)
        }
        if let trust { try write(trust, to: output) }
        try Files.replace(output + "/" + ReleasePath.manifest.text, manifestBytes)
        return BundleSummary(
            objects: wanted.count, bytes: bytes, release: manifest.release,
            rollout: manifest.rollout.map(RolloutSummary.init))
    }

    /// Refuses a release that some devices have first: with a bundle every installation of the app has it at once.
    ///
    /// A range of versions may be that of the app which is built.
    private static func checkForInstallations(_ manifest: Manifest) throws {
        guard let rollout = manifest.rollout, rollout.isPaused || rollout.percent < 100 else {
            return
        }
        let resume = rollout.isPaused ? ", then `underway rollout resume`" : ""
        throw PublishingError(
            .invalidRequest,
            "Release \(manifest.release) is in a rollout (\(RolloutSummary(rollout).words)), but each installation of an app"
                + " with this bundle would have it at once. Nothing was written. Release to all devices first (`underway rollout set"
                + " 100`\(resume)), or roll back (`underway rollback \(rollout.previous.release)`). Then write the bundle."
        )
    }

    /// Reads the signatures of a release; `nil` for one that nobody signs.
    private static func signatures(
        of manifest: Checksum, _ directory: ReleaseDirectory
    ) throws -> ReleaseTrust? {
        guard let trust = try ReleaseTrust(directory) else { return nil }
        guard trust.names(manifest) else {
            throw PublishingError(
                .needsSignatures,
                "The signatures do not match the current release. Run `underway publish --keys` to sign it."
            )
        }
        return trust
    }

    /// Refuses a release that an app does not take which pins a root.
    private static func check(
        _ trust: ReleaseTrust?, in directory: ReleaseDirectory, follows root: [UInt8]
    ) throws {
        guard trust?.roots.contains(root) != true else { return }
        throw PublishingError(
            .needsSignatures,
            "\(directory.root) is not signed under the root that --root names, or one that follows it. Nothing was written. If that is the"
                + " root that the app pins, bring back `metadata` from a backup or a host, and run `underway publish --keys`."
        )
    }

    /// Writes the signatures, which a new device takes for the oldest that it accepts.
    private static func write(_ trust: ReleaseTrust, to output: String) throws {
        try Files.makeFolder(output + "/trust")
        for role in TrustRole.allCases {
            guard let file = trust.trusted.file(role) else { continue }
            try Files.replace("\(output)/trust/\(role.rawValue).json", file.bytes)
        }
    }

    private static func checksums(of manifest: Manifest, audio: Audio) -> Set<Checksum> {
        let wanted = manifest.entries.filter { entry in
            switch entry.kind {
            case .blueprint, .exam, .localization, .announcements: true
            case .asset: entry.fetchClass == .eager
            case .audio: audio.includes(entry.key)
            // The images of a bank that works offline from the first start must be there too.
            case .media: true
            }
        }
        return Set(wanted.map(\.checksum))
    }
}

extension BundleWriter.Audio {
    fileprivate func includes(_ language: String) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .languages(let languages): languages.contains(language)
        }
    }
}
