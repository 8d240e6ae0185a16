package import ContentModel
package import Foundation

/// The administration of a release directory's signatures: keys, thresholds and expiring signatures.
///
/// Each method locks the directory, and leaves every file either unchanged or verified.
package struct TrustAdministration: Sendable {
    /// The number of keys and the threshold of each role.
    package struct Plan: Sendable {
        package var rootKeys = 2
        package var rootThreshold = 1
        package var authors = 1
        package var threshold = 1
        /// True for a new root beside a root that signed this content before.
        package var beginsAnew = false

        package init() {}

        func counts(_ role: TrustRole) -> (keys: Int, threshold: Int) {
            switch role {
            case .root: (rootKeys, rootThreshold)
            case .targets: (authors, threshold)
            case .snapshot, .timestamp: (1, 1)
            }
        }
    }

    /// The maximum number of keys of a role.
    package static let keysMax = 8

    let directory: ReleaseDirectory
    let now: Date
    /// The content folder, which remembers roots, if it is at hand.
    private let content: String?

    /// Creates the administration of a release directory.
    ///
    /// - Parameters:
    ///   - releaseDirectory: Its path.
    ///   - now: The time of signing.
    ///   - content: The content folder, which remembers roots; ignored if it does not exist.
    package init(releaseDirectory: String, now: Date, content: String? = nil) {
        directory = ReleaseDirectory(root: releaseDirectory)
        self.now = now
        self.content = content.flatMap {
            Files.look("\($0)/\(FolderSettings.fileName)") == nil ? nil : $0
        }
    }

    // MARK: Beginning

    /// Creates the keys and the first root, and signs the current release.
    ///
    /// - Parameters:
    ///   - folder: The folder of the keys; new or without keys.
    ///   - plan: The numbers of keys.
    ///   - apart: The folders that must not contain keys.
    /// - Returns: The path of the root, the file for the app.
    /// - Throws: `PublishingError`; then nothing is signed.
    package func begin(
        keys folder: KeyFolder, plan: Plan, apart: [String]
    ) throws -> String {
        try check(plan)
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let names = (try? Files.names(in: directory.path("metadata"))) ?? []
        let isBegun = names.contains { $0.hasSuffix("root.json") || $0 == "timestamp.json" }
        guard let path = ReleasePath.metadata(.root, version: 1), !isBegun else {
            throw PublishingError(
                .invalidRequest,
                "\(directory.root) is signed already: it has \(directory.root)/metadata. `underway trust"
                    + " rotate` changes its keys.")
        }
        try checkRoot(nil)
        try checkFirst(plan)
        try folder.checkNone()
        let manifest = try currentManifest()
        try checkPublished(manifest)
        var draft = RootDraft(version: 1)
        var entries: [KeyFolder.Entry] = []
        for role in TrustRole.allCases {
            let (count, threshold) = plan.counts(role)
            let drawn = (0..<count).map { _ in KeyFolder.draw(for: role) }
            for entry in drawn { draft.keys[entry.key.id] = entry.key.publicKey }
            draft.roles[role] = (drawn.map(\.key.id), threshold)
            entries += drawn
        }
        let keys = entries.map(\.key)
        let root = try draft.signed(by: keys, expires: rootExpiry)
        let trust = try ReleaseTrust(directory, first: root)
        let metadata = try ReleaseSigning(trust, keys: keys, now: now)
            .sign(manifest)
        for entry in entries { try folder.save(entry, apart: apart + [directory.root]) }
        try put(metadata, (root, 1), manifest, of: trust.lineage)
        return directory.path(path)
    }

    /// Refuses a directory that is older than what the content folder remembers of it.
    func checkRoot(_ trust: ReleaseTrust?) throws {
        guard let content else { return }
        try PublisherMemory(folder: content).checkRoot(
            of: directory.readMarks().identity, trust, folder: content,
            directory: directory.root)
    }

    /// Refuses a second first root by accident: devices that pin the former follow nothing of it.
    private func checkFirst(_ plan: Plan) throws {
        guard let content, !plan.beginsAnew, PublisherMemory(folder: content).remembersRoots else {
            return
        }
        throw PublishingError(
            .invalidRequest,
            "This content was already published with signatures (\(content)/\(PublisherMemory.name)), and devices accept no other"
                + " root. Nothing was changed. If the release directory was lost, restore it, with `metadata`, from the host or"
                + " a backup. For another directory, or an app that pins a new root, add --new-root."
        )
    }

    /// Refuses to renew signatures that are older than those made before.
    private func checkNewest(_ trust: ReleaseTrust) throws {
        guard let content else { return }
        try PublisherMemory(folder: content).checkNewest(trust, directory: directory.root)
    }

    /// Refuses a content folder that could not remember the next root.
    private func checkMemory() throws {
        guard let content, !Files.isWritable(content) else { return }
        throw PublishingError(
            .unwritable,
            "\(content) cannot be written, and has to remember the new root in \(PublisherMemory.name). Nothing was changed."
        )
    }

    private func check(_ plan: Plan) throws {
        for role in TrustRole.allCases {
            let (count, threshold) = plan.counts(role)
            guard (1...Self.keysMax).contains(count), (1...count).contains(threshold) else {
                throw PublishingError(
                    .invalidRequest,
                    "The role \(role.rawValue) can have 1 to \(Self.keysMax) keys, and 1 to all of them"
                        + " must sign; \(threshold) of \(count) is not possible.")
            }
        }
    }

    // MARK: Changing keys

    /// Generates a new key for a role, as a replacement or an additional key, and signs the next root.
    ///
    /// Devices follow from root to root, so a device that was offline for years reaches the newest.
    /// - Parameters:
    ///   - role: The role.
    ///   - replaced: The id of the replaced key, or its first digits; `nil` for the role's only key.
    ///   - adds: True to add the key and replace none.
    ///   - folder: The folder of keys, with enough keys of the root, and of the other roles for the signatures that
    ///     follow.
    /// - Returns: The new key's name, and the new root's version.
    /// - Throws: `PublishingError`; then nothing is signed.
    package func rotate(
        _ role: TrustRole, replacing replaced: String?, adds: Bool, keys folder: KeyFolder
    ) throws -> (name: String, version: Int) {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let trust = try signedTrust()
        try checkNewest(trust)
        try checkMemory()
        let present = try folder.load(apart: [directory.root])
        var keyIDs = trust.trusted.keyIDs(of: role)
        let gone = adds ? nil : try Self.key(replaced, of: role, among: keyIDs)
        keyIDs.removeAll { $0 == gone }
        guard keyIDs.count < Self.keysMax else {
            throw PublishingError(
                .invalidRequest, "The role \(role.rawValue) has \(Self.keysMax) keys, the most.")
        }
        let manifest = try currentManifest()
        try checkSigned(manifest, trust)
        guard ReleaseSigning(trust, keys: present.map(\.key), now: now).canSign(.root) else {
            throw PublishingError(
                .needsSignatures,
                "The folder has too few root keys: a change of keys needs \(trust.trusted.threshold(of: .root))."
                    + " Nothing was changed. Add root keys; `underway trust status` lists their ids."
            )
        }
        let entry = KeyFolder.draw(for: role)
        var draft = RootDraft(trust.trusted)
        draft.keys[entry.key.id] = entry.key.publicKey
        draft.roles[role]?.keyIDs = keyIDs + [entry.key.id]
        let keys = present.map(\.key) + [entry.key]
        let root = try draft.signed(
            by: keys, alsoFor: trust.trusted.keyIDs(of: .root), expires: rootExpiry)
        let metadata = try ReleaseSigning(trust.following(root), keys: keys, now: now)
            .complete(manifest)
        try folder.save(entry, apart: [directory.root])
        try put(metadata, (root, draft.version), manifest, of: trust.lineage)
        return (entry.name, draft.version)
    }

    private static func key(
        _ text: String?, of role: TrustRole, among ids: [String]
    ) throws -> String {
        let found = ids.filter { id in text.map { id.hasPrefix($0.lowercased()) } ?? true }
        guard found.count == 1, let id = found.first else {
            throw PublishingError(
                .invalidRequest,
                "Name one key of the role \(role.rawValue) with --replace, by the beginning of its id: "
                    + ids.map { String($0.prefix(12)) }.joined(separator: ", ") + ".")
        }
        return id
    }

    // MARK: Signing again

    /// Renews the timestamp, and the signatures that expire soon and whose keys are at hand.
    ///
    /// - Returns: The renewed roles.
    /// - Throws: `PublishingError`.
    @discardableResult
    package func refresh(keys folder: KeyFolder) throws -> [TrustRole] {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        return try refresh(
            signedTrust(), with: folder.load(apart: [directory.root]).map(\.key))
    }

    /// Renews the timestamp if it was not signed today, with its key only.
    ///
    /// - Parameter key: The timestamp's key.
    /// - Returns: The expiry of the timestamp, and whether it was renewed.
    /// - Throws: `PublishingError`, `busy` during another publish (retry).
    package func renewTimestamp(with key: SigningKey) throws -> (until: Date, isSigned: Bool) {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let trust = try signedTrust()
        let latest = TrustLifetime.expiry(of: .timestamp, from: now)
        if let present = trust.trusted.file(.timestamp), present.expires >= latest {
            return (present.expires, false)
        }
        try refresh(trust, with: [key])
        return (latest, true)
    }

    /// Checks in advance that a key can sign the timestamp; an unsigned release needs none.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `unreadable`.
    package func checkTimestampKey(_ key: SigningKey) throws {
        guard let trust = try ReleaseTrust(directory) else { return }
        guard ReleaseSigning(trust, keys: [key], now: now).canSign(.timestamp) else {
            throw PublishingError(
                .needsSignatures,
                "The key \(key.id.prefix(12)) does not sign the timestamp of \(directory.root). `underway trust"
                    + " status` lists the ids of the keys that do.")
        }
    }

    @discardableResult
    private func refresh(_ trust: ReleaseTrust, with keys: [SigningKey]) throws -> [TrustRole] {
        try checkNewest(trust)
        let manifest = try currentManifest()
        try checkSigned(manifest, trust)
        var signing = ReleaseSigning(trust, keys: keys, now: now)
        var root: (bytes: [UInt8], version: Int)?
        if TrustLifetime.isShort(trust.trusted.root.expires, .root, now: now),
            signing.canSign(.root)
        {
            let draft = RootDraft(trust.trusted)
            let bytes = try draft.signed(by: keys, expires: rootExpiry)
            signing = ReleaseSigning(try trust.following(bytes), keys: keys, now: now)
            root = (bytes, draft.version)
        }
        // Whoever keeps the root alone renews it alone.
        let isRootAlone = root != nil && !signing.canSign(.timestamp)
        let metadata =
            isRootAlone
            ? try signing.complete(manifest)
            : try signing.refresh(manifest)
        try put(metadata, root, manifest, of: trust.lineage)
        let signed = metadata.files.compactMap { file -> TrustRole? in
            guard case .metadata(let role, _) = file.path.target else { return nil }
            return role
        }
        return (root == nil ? [] : [.root]) + signed
            + (metadata.timestamp == nil ? [] : [.timestamp])
    }

    // MARK: Releases that wait

    /// Discards the pending release, with its signatures.
    ///
    /// - Returns: The release's number.
    /// - Throws: `PublishingError` `noSuchRelease` if none is pending, `unwritable`.
    package func discardPending() throws -> Int {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let folder = PendingFolder(of: directory)
        guard let release = folder.release else {
            throw PublishingError(.noSuchRelease, "No release waits for signatures.")
        }
        try folder.remove()
        return release
    }

    // MARK: Files

    /// Returns the manifest that is current.
    func currentManifest() throws -> ManifestFile {
        guard let bytes = try directory.manifestBytes(), let manifest = try? Manifest(bytes) else {
            throw PublishingError(
                .noSuchRelease,
                "\(directory.root) has no release to sign. `underway publish` makes one.")
        }
        return ManifestFile(bytes, release: manifest.release, rollout: manifest.rollout)
    }

    private func signedTrust() throws -> ReleaseTrust {
        guard let trust = try ReleaseTrust(directory) else {
            try checkRoot(nil)
            throw PublishingError(
                .noSuchRelease,
                "\(directory.root) is not signed. `underway trust init` begins it.")
        }
        try checkRoot(trust)
        return trust
    }

    private var rootExpiry: Date { TrustLifetime.expiry(of: .root, from: now) }

    /// Refuses a manifest that the keys do not vouch for: somebody else may have put it there.
    private func checkSigned(_ manifest: ManifestFile, _ trust: ReleaseTrust) throws {
        guard trust.names(manifest.checksum) else {
            throw PublishingError(
                .needsSignatures,
                "\(directory.path(.manifest)) is not the manifest that was signed last. Nothing was"
                    + " changed. `underway publish --keys` looks at it and signs a release.")
        }
    }

    /// Refuses a manifest that no publish has left here.
    private func checkPublished(_ manifest: ManifestFile) throws {
        guard let kept = ReleasePath.history(release: manifest.release),
            (try? Files.read(directory.path(kept))) == manifest.bytes
        else {
            throw PublishingError(
                .drift,
                "\(directory.path(.manifest)) is not as release \(manifest.release) was published."
                    + " Nothing was signed. `underway publish` says what is different.")
        }
    }

    /// Puts new metadata in place; all of it is on the disk under other names before the first is moved.
    private func put(
        _ metadata: SignedMetadata, _ root: (bytes: [UInt8], version: Int)?,
        _ manifest: ManifestFile, of lineage: String
    ) throws {
        defer { StagingFolder(of: directory).remove() }
        let signatures = try StagedSignatures(
            metadata, root: root, of: manifest,
            ChangesetFiles(directory: directory).refreshed(manifest, metadata.trusted),
            in: directory, nowSeconds: Int(now.timeIntervalSince1970))
        if !directory.syncsEachFile { try Files.syncFileSystem(of: directory.root) }
        try signatures.move()
        try signatures.finish()
        guard let content else { return }
        var numbers = PublisherMemory(folder: content)
        let identity = directory.readMarks().identity
        // A root counts beside the number of a release.
        numbers.note(
            manifest.release, of: identity,
            signed: (metadata.trusted, lineage, manifest.rollout != nil), folder: content)
    }
}
