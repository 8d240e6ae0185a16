package import ContentModel
package import Foundation
import ServiceAPI

/// The signing of a release directory: who may sign, and the signatures that run out.
///
/// Each method takes the lock of the directory and leaves every file either as it was or verified.
package struct TrustAdministration: Sendable {
    /// The number of keys of each role, and how many of them must sign.
    package struct Plan: Sendable {
        package var rootKeys = 2
        package var rootThreshold = 1
        package var authors = 1
        package var threshold = 1

        package init() {}

        func counts(_ role: TrustRole) -> (keys: Int, threshold: Int) {
            switch role {
            case .root: (rootKeys, rootThreshold)
            case .targets: (authors, threshold)
            case .snapshot, .timestamp: (1, 1)
            }
        }
    }

    /// The most keys of a role.
    package static let keysMax = 8

    let directory: ReleaseDirectory
    let now: Date

    /// Names a release directory.
    ///
    /// - Parameters:
    ///   - releaseDirectory: Its path.
    ///   - now: The time of signing.
    package init(releaseDirectory: String, now: Date) {
        directory = ReleaseDirectory(root: releaseDirectory)
        self.now = now
    }

    // MARK: Beginning

    /// Makes the keys and the first root, and signs the current release.
    ///
    /// - Parameters:
    ///   - folder: The folder of the keys, new or empty of keys.
    ///   - plan: The numbers of keys.
    ///   - apart: The folders in which no keys may lie.
    /// - Returns: The path of the root, the file that an app ships.
    /// - Throws: `PublishingError`; nothing is signed then.
    package func begin(
        keys folder: KeyFolder, plan: Plan, apart: [String]
    ) throws -> String {
        try demand(plan)
        try folder.demandApart(from: apart + [directory.root])
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        guard let path = ReleasePath.metadata(.root, version: 1),
            Files.look(directory.path(path)) == nil
        else {
            throw PublishingError(
                .invalidRequest,
                "\(directory.root) is signed already; `underway trust rotate` changes its keys.")
        }
        let manifest = try currentManifest()
        var draft = RootDraft(version: 1)
        var entries: [KeyFolder.Entry] = []
        for role in TrustRole.allCases {
            let (count, threshold) = plan.counts(role)
            let drawn = folder.draw(count, for: role)
            for entry in drawn { draft.keys[entry.key.id] = entry.key.publicKey }
            draft.roles[role] = (drawn.map(\.key.id), threshold)
            entries += drawn
        }
        let root = try draft.signed(by: entries.map(\.key), expires: rootExpiry)
        try establish(
            root, version: 1, ReleaseTrust(directory, first: root), keys: entries.map(\.key),
            saving: entries, in: folder, manifest)
        return directory.path(path)
    }

    private func demand(_ plan: Plan) throws {
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

    /// Draws a new key for a role, in place of one or as one more, and signs the next root.
    ///
    /// Devices follow from root to root, so that one which was away for years arrives at the newest.
    /// - Parameters:
    ///   - role: The role.
    ///   - replaced: The id of the key that goes, or how it begins; `nil` for the only one of the role.
    ///   - adds: True to keep all keys and add one.
    ///   - folder: The folder of keys, with enough of the root's and, for the signatures that follow, of the
    ///     others'.
    /// - Returns: The new key's name, and the version of the new root.
    /// - Throws: `PublishingError`; nothing is signed then.
    package func rotate(
        _ role: TrustRole, replacing replaced: String?, adds: Bool, keys folder: KeyFolder
    ) throws -> (name: String, version: Int) {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let trust = try signedTrust()
        let present = try folder.load()
        var keyIDs = trust.trusted.keyIDs(of: role)
        let gone = adds ? nil : try Self.key(replaced, of: role, among: keyIDs)
        keyIDs.removeAll { $0 == gone }
        guard keyIDs.count < Self.keysMax else {
            throw PublishingError(
                .invalidRequest, "The role \(role.rawValue) has \(Self.keysMax) keys, the most.")
        }
        let manifest = try currentManifest()
        let entry = folder.draw(1, for: role)[0]
        var draft = RootDraft(trust.trusted)
        draft.keys[entry.key.id] = entry.key.publicKey
        draft.roles[role]?.keyIDs = keyIDs + [entry.key.id]
        let keys = present.map(\.key) + [entry.key]
        let root = try draft.signed(
            by: keys, alsoFor: trust.trusted.keyIDs(of: .root), expires: rootExpiry)
        try establish(
            root, version: draft.version, trust.following(root), keys: keys, saving: [entry],
            in: folder, manifest)
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

    /// Puts a root in place, with everything below it signed by its keys.
    ///
    /// All signatures are made and verified before the first file is written; new keys are on the disk before
    /// anything that they sign.
    private func establish(
        _ root: [UInt8], version: Int, _ trust: ReleaseTrust, keys: [SigningKey],
        saving entries: [KeyFolder.Entry], in folder: KeyFolder, _ manifest: Current
    ) throws {
        let metadata = try ReleaseSigning(trust, keys: keys, now: now)
            .sign(manifest: manifest.bytes, release: manifest.release)
        for entry in entries { try folder.save(entry) }
        try writeFiles(of: metadata, manifest)
        try write(root: root, version: version)
        try publish(timestamp: metadata.timestamp)
    }

    // MARK: Signing again

    /// Signs the timestamp again and, with their keys at hand, what expires soon.
    ///
    /// - Returns: The roles that were signed.
    /// - Throws: `PublishingError`.
    @discardableResult
    package func refresh(keys folder: KeyFolder) throws -> [TrustRole] {
        let lock = try directory.openExisting()
        defer { withExtendedLifetime(lock) {} }
        let trust = try signedTrust()
        let keys = try folder.load().map(\.key)
        let manifest = try currentManifest()
        var signing = ReleaseSigning(trust, keys: keys, now: now)
        var roles: [TrustRole] = []
        if TrustLifetime.isShort(trust.trusted.root.expires, .root, now: now),
            signing.canSign(.root)
        {
            let draft = RootDraft(trust.trusted)
            let root = try draft.signed(by: keys, expires: rootExpiry)
            signing = ReleaseSigning(try trust.following(root), keys: keys, now: now)
            try write(root: root, version: draft.version)
            roles.append(.root)
        }
        let metadata = try signing.refresh(manifest.bytes, release: manifest.release)
        try writeFiles(of: metadata, manifest)
        try publish(timestamp: metadata.timestamp)
        for file in metadata.files {
            if case .metadata(let role, _) = file.path.target { roles.append(role) }
        }
        return roles + [.timestamp]
    }

    // MARK: Files

    /// The manifest that is current.
    private struct Current {
        var bytes: [UInt8]
        var release: Int
    }

    private func currentManifest() throws -> Current {
        guard let bytes = try directory.manifestBytes(), let manifest = try? Manifest(bytes) else {
            throw PublishingError(
                .noSuchRelease,
                "\(directory.root) has no release to sign. `underway publish` makes one.")
        }
        return Current(bytes: bytes, release: manifest.release)
    }

    private func signedTrust() throws -> ReleaseTrust {
        guard let trust = try ReleaseTrust(directory) else {
            throw PublishingError(
                .noSuchRelease,
                "\(directory.root) is not signed. `underway trust init` begins it.")
        }
        return trust
    }

    private var rootExpiry: Date { TrustLifetime.expiry(of: .root, from: now) }

    /// Writes what nobody reads before the timestamp names it.
    private func writeFiles(of metadata: SignedMetadata, _ manifest: Current) throws {
        let target = ReleasePath.target(Checksum(of: manifest.bytes))
        if Files.look(directory.path(target)) == nil { try write(manifest.bytes, at: target) }
        for file in metadata.files { try write(file.bytes, at: file.path) }
    }

    private func write(root: [UInt8], version: Int) throws {
        guard let path = ReleasePath.metadata(.root, version: version) else { return }
        try write(root, at: path)
    }

    private func write(_ bytes: [UInt8], at path: ReleasePath) throws {
        try Files.makeFolder(directory.path(path.folder))
        try directory.replace(
            directory.path(path), bytes, modifiedSeconds: Int(now.timeIntervalSince1970))
    }

    private func publish(timestamp: [UInt8]) throws {
        guard let path = ReleasePath.metadata(.timestamp, version: nil) else { return }
        try directory.replace(
            directory.path(path), timestamp,
            modifiedSeconds: directory.laterSecond(
                than: path, nowSeconds: Int(now.timeIntervalSince1970)))
    }
}
