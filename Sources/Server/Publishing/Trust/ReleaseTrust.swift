package import ContentModel
import Foundation
import SignatureVerification

/// The trust metadata of a release directory, verified as by a device.
package struct ReleaseTrust: Sendable {
    let directory: ReleaseDirectory
    /// The begin of the first root's checksum: the same in each copy of the directory.
    let lineage: String
    /// The metadata under the newest root.
    package internal(set) var trusted: TrustedMetadata
    /// All roots from version 1 to the newest, as they were verified: a file may be another one when it is read again.
    private(set) var roots: [[UInt8]]
    /// The versions that files here have, verified or not.
    private(set) var versions: [TrustRole: [Int]] = [:]

    /// Versions from it on are of nobody who counts signatures, and are no floor.
    static let plausibleVersionMax = 1 << 31
    /// The most snapshots that are tried where no timestamp names one.
    private static let snapshotsMax = 64

    /// Reads the metadata; `nil` for a release that nobody signs.
    ///
    /// - Throws: `PublishingError` `unreadable` when the chain of roots is broken, or lacks one.
    init?(_ directory: ReleaseDirectory) throws {
        versions = Self.versions(in: directory)
        guard let first = ReleasePath.metadata(.root, version: 1) else { return nil }
        guard Self.isBegun(in: directory) else {
            let timestamp = ReleasePath.metadata(.timestamp, version: nil).map(directory.path)
            // An init that was killed has left none of these.
            let isBegun =
                versions[.root]?.isEmpty == false || timestamp.flatMap { Files.look($0) } != nil
                || ChangesetFiles(directory: directory).areThere
            guard !isBegun else { throw Self.missing(1, directory) }
            return nil
        }
        self.directory = directory
        var version = 1
        let root = try Self.root(1, directory)
        lineage = Self.lineage(root)
        roots = [root]
        trusted = try Self.verifying(first.text) {
            try TrustedMetadata(root: root, verifiers: .swiftCrypto)
        }
        while let next = ReleasePath.metadata(.root, version: version + 1),
            Files.look(directory.path(next)) != nil
        {
            version += 1
            let root = try Self.root(version, directory)
            try Self.verifying(next.text) { try trusted.update(root: root) }
            roots.append(root)
        }
        guard version >= versions[.root]?.max() ?? 0 else {
            throw Self.missing(version + 1, directory)
        }
        restore()
    }

    /// Returns true where a first root is.
    static func isBegun(in directory: ReleaseDirectory) -> Bool {
        ReleasePath.metadata(.root, version: 1).flatMap { Files.look(directory.path($0)) } != nil
    }

    private static func missing(_ version: Int, _ directory: ReleaseDirectory) -> PublishingError {
        PublishingError(
            .unreadable,
            "\(directory.root)/metadata/\(version).root.json is missing, and devices follow the roots one"
                + " by one. Restore it from a backup or from a host.")
    }

    private static func lineage(_ root: [UInt8]) -> String {
        String(Checksum(of: root).hex.prefix(16))
    }

    /// Returns the versions that files have by their names.
    private static func versions(in directory: ReleaseDirectory) -> [TrustRole: [Int]] {
        var versions: [TrustRole: [Int]] = [:]
        for name in (try? Files.names(in: directory.path("metadata"))) ?? [] {
            guard case .metadata(let role, let version)? = ReleasePath("metadata/\(name)")?.target,
                (version ?? 0) < plausibleVersionMax
            else { continue }
            versions[role, default: []].append(version ?? 0)
        }
        return versions
    }

    /// Begins with a first root, which is not written yet.
    init(_ directory: ReleaseDirectory, first root: [UInt8]) throws {
        self.directory = directory
        lineage = Self.lineage(root)
        roots = [root]
        trusted = try TrustedMetadata(root: root, verifiers: .swiftCrypto)
    }

    /// Returns the same under the next root, which is not written yet.
    ///
    /// - Throws: `PublishingError` `needsSignatures` when devices would not follow.
    func following(_ root: [UInt8]) throws -> ReleaseTrust {
        var next = self
        do {
            try next.trusted.update(root: root)
            // Only what its keys have signed needs no new signature.
            next.trusted = try TrustedMetadata(root: root, verifiers: .swiftCrypto)
            next.roots.append(root)
        } catch {
            throw PublishingError(
                .needsSignatures,
                "Devices would not follow to the new root: \(error.message) Nothing was changed.")
        }
        next.trusted.restore(
            timestamp: trusted.file(.timestamp)?.bytes, snapshot: trusted.file(.snapshot)?.bytes,
            targets: trusted.file(.targets)?.bytes)
        return next
    }

    private static func root(_ version: Int, _ directory: ReleaseDirectory) throws -> [UInt8] {
        guard let path = ReleasePath.metadata(.root, version: version) else { return [] }
        return try Files.read(directory.path(path), limit: TrustLimits.rootBytesMax)
    }

    /// Turns what trust says into an error of publishing.
    static func verifying<Value>(_ path: String, _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as TrustError {
            throw PublishingError(
                .unreadable,
                "\(path) cannot be verified: \(error.message) Restore it from a backup.")
        }
    }

    /// Takes up the timestamp, snapshot and targets that are in use; what the present keys have not signed is
    /// signed anew.
    private mutating func restore() {
        let timestamp = read(.metadata(.timestamp, version: nil), TrustLimits.timestampBytesMax)
        let claimed = [
            timestamp.flatMap(Self.version),
            ChangesetFiles(directory: directory).timestampVersion,
        ].compactMap(\.self)
        versions[.timestamp] = claimed.filter { $0 < Self.plausibleVersionMax }
        trusted.restore(timestamp: timestamp, snapshot: nil, targets: nil)
        // Without a timestamp the newest snapshot that the keys have signed still says what they vouch for.
        let named = trusted.listedVersion(of: .snapshot).map { [$0] }
        for version in (named ?? versions[.snapshot] ?? []).sorted(by: >).prefix(Self.snapshotsMax)
        where trusted.file(.snapshot) == nil {
            trusted.restore(
                timestamp: nil,
                snapshot: read(
                    .metadata(.snapshot, version: version), TrustLimits.snapshotBytesMax),
                targets: nil)
        }
        guard let targets = trusted.listedVersion(of: .targets) else { return }
        trusted.restore(
            timestamp: nil, snapshot: nil,
            targets: read(.metadata(.targets, version: targets), TrustLimits.targetsBytesMax))
    }

    private func read(_ path: ReleasePath?, _ limit: Int) -> [UInt8]? {
        // A file that is gone is signed anew.
        path.flatMap { try? Files.read(directory.path($0), limit: limit) }
    }

    /// Returns the version in a file, without verifying its signatures.
    private static func version(_ bytes: [UInt8]) -> Int? {
        guard let document = try? JSONParser.parse(bytes, nodesMax: TrustLimits.valuesMax),
            case .integer(let version)? = document.member("signed")?.value.member("version")?.value
                .content
        else { return nil }
        return version
    }

    /// Returns true when the present authors have signed a manifest, now or earlier.
    func hasSigned(_ manifest: Checksum) -> Bool {
        if names(manifest) { return true }
        let root = roots.last ?? []
        let names = (try? Files.names(in: directory.path("metadata"))) ?? []
        return names.reversed().contains { name in
            guard let path = ReleasePath("metadata/\(name)"),
                case .metadata(.targets, _) = path.target,
                var authors = try? TrustedMetadata(root: root, verifiers: .swiftCrypto)
            else { return false }
            authors.restore(
                timestamp: nil, snapshot: nil, targets: read(path, TrustLimits.targetsBytesMax))
            return authors.manifest?.checksum == manifest
        }
    }

    /// Returns true when a device that verifies would get this manifest now.
    func names(_ manifest: Checksum) -> Bool { trusted.manifest?.checksum == manifest }
}
