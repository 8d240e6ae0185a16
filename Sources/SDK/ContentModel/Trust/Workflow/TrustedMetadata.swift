public import Foundation

/// The metadata that a device trusts, and the checks by which newer metadata replaces it.
///
/// It is the client workflow of The Update Framework (specification 1.0.34, sections 5.2 to 5.6) as a value: its input
/// is bytes and a time, its output an error or a new state. A method that throws changes nothing. ``MetadataUpdate``
/// requests the files; ``TargetSearch`` finds a target.
///
/// ```swift
/// var trusted = try TrustedMetadata(root: bytes, verifiers: SignatureVerifiers([:]))
/// trusted.restore(timestamp: nil, snapshot: nil, targets: nil)
/// var update = MetadataUpdate(trusted, startedAt: now)
/// print(update.request?.path ?? "up to date")
/// ```
public struct TrustedMetadata: Sendable {
    /// A trusted file.
    public struct File: Hashable, Sendable {
        /// The bytes as received, for storage.
        public let bytes: [UInt8]
        /// The version, from 1.
        public let version: Int
        /// The time from which the file is no longer trusted for updates.
        public let expires: Date
    }

    let verifiers: SignatureVerifiers
    /// The functions by which hashes of files are verified.
    public let hashes: HashFunctions
    private(set) var rootMetadata: RootMetadata
    private(set) var timestampMetadata: TimestampMetadata?
    private(set) var snapshotMetadata: SnapshotMetadata?
    private(set) var targetsMetadata: TargetsMetadata?
    /// The bytes of delegated roles by name, as last received: a cache, verified at each use.
    public private(set) var delegated: [String: [UInt8]] = [:]

    /// Loads the root that an app ships, or one that a device stored (TUF 5.2).
    ///
    /// Its expiry is not checked here. It must be signed by its own keys.
    /// - Parameters:
    ///   - bytes: The file as received.
    ///   - verifiers: The supported signature schemes.
    ///   - hashes: The supported hash functions.
    /// - Throws: `TrustError` `tooLarge`, `invalid` or `untrusted`: the app must ship another root.
    public init(
        root bytes: [UInt8], verifiers: SignatureVerifiers, hashes: HashFunctions = .sha256
    ) throws(TrustError) {
        let root = try RootMetadata(bytes)
        try root.authority(.root).check(root.envelope, by: verifiers)
        rootMetadata = root
        self.verifiers = verifiers
        self.hashes = hashes
    }

    /// Loads the files that a device stored, or that a bundle in the app contains; it never replaces newer ones.
    ///
    /// Signatures are checked against the root, but expiry is not: versions only become a lower bound. A file that is
    /// not signed by keys of the present root is ignored, as after a rotation of keys (TUF 5.3.11).
    /// - Parameters:
    ///   - timestamp: The stored timestamp, if any.
    ///   - snapshot: The stored snapshot, if any.
    ///   - targets: The stored targets, if any.
    ///   - delegated: Stored files of delegated roles by name.
    public mutating func restore(
        timestamp: [UInt8]?, snapshot: [UInt8]?, targets: [UInt8]?,
        delegated: [String: [UInt8]] = [:]
    ) {
        // A file that cannot be read or verified is no floor, and is fetched again.
        if let stored = try? timestamp.map({ try TimestampMetadata($0) }),
            isTrusted(stored.envelope, .timestamp), stored.envelope.version > version(.timestamp)
        {
            timestampMetadata = stored
        }
        if let stored = try? snapshot.map({ try SnapshotMetadata($0) }),
            isTrusted(stored.envelope, .snapshot), stored.envelope.version > version(.snapshot)
        {
            snapshotMetadata = stored
        }
        if let stored = try? targets.map({ try TargetsMetadata($0, role: "targets") }),
            isTrusted(stored.envelope, .targets), stored.envelope.version > version(.targets)
        {
            targetsMetadata = stored
        }
        self.delegated.merge(delegated) { present, _ in present }
    }

    private func isTrusted(_ envelope: MetadataEnvelope, _ role: TrustRole) -> Bool {
        // What the keys have not signed is not trusted; why does not matter here.
        (try? rootMetadata.authority(role).check(envelope, by: verifiers)) != nil
    }

    private func version(_ role: TrustRole) -> Int { file(role)?.version ?? 0 }
}

extension TrustedMetadata {
    /// The trusted root.
    public var root: File { Self.file(rootMetadata.envelope) }

    /// True when names of metadata files include their version, and names of targets their hash.
    public var hasConsistentSnapshots: Bool { rootMetadata.hasConsistentSnapshots }

    /// Returns the trusted file of a role; `nil` if there is none yet.
    public func file(_ role: TrustRole) -> File? {
        switch role {
        case .root: root
        case .timestamp: timestampMetadata.map { Self.file($0.envelope) }
        case .snapshot: snapshotMetadata.map { Self.file($0.envelope) }
        case .targets: targetsMetadata.map { Self.file($0.envelope) }
        }
    }

    /// The ids of the keys that the trusted root gives a role.
    package func keyIDs(of role: TrustRole) -> [String] { rootMetadata.authority(role).keyIDs }

    /// The number of keys that must sign for a role.
    package func threshold(of role: TrustRole) -> Int { rootMetadata.authority(role).threshold }

    /// Returns the valid signatures of a document by keys of its role, in the order of the keys.
    ///
    /// Each key counts once; signatures of other keys, and damaged ones, are ignored.
    package func validSignatures(
        _ signatures: [MetadataDocument.Signature], of document: MetadataDocument
    ) -> [MetadataDocument.Signature] {
        let byKey = Dictionary(
            signatures.map { ($0.keyID, $0.bytes) }, uniquingKeysWith: { first, _ in first })
        return rootMetadata.authority(document.role)
            .signers(byKey, of: document.message, by: verifiers)
            .map { .init(keyID: $0, bytes: byKey[$0] ?? []) }
    }

    /// The public keys of the trusted root by id, as it has them.
    package var publicKeys: [String: JSONValue] { rootMetadata.publicKeys }

    /// The version that trusted metadata name for a role; `nil` for none, and for the root and timestamp.
    package func listedVersion(of role: TrustRole) -> Int? {
        switch role {
        case .root, .timestamp: nil
        case .snapshot: timestampMetadata?.snapshot.version
        case .targets: snapshotMetadata?.file(of: role.rawValue)?.version
        }
    }

    /// The manifest of the trusted release; `nil` if the trusted targets have none.
    package var manifest: TargetFile? { targetsMetadata?.target(MetadataDocument.manifestPath) }

    private static func file(_ envelope: MetadataEnvelope) -> File {
        File(bytes: envelope.bytes, version: envelope.version, expires: envelope.expires)
    }
}

extension TrustedMetadata {
    /// Replaces the root by the next one (TUF 5.3.4 to 5.3.8, 5.3.11).
    ///
    /// The trusted timestamp and snapshot are discarded if the new root lacks a key that either role had, so that
    /// versions raised with a stolen key no longer bind.
    /// - Throws: `TrustError` `untrusted` without a threshold of the old and of the new keys, `rolledBack` unless its
    ///   version is the next one, `tooLarge` or `invalid`: end the update.
    public mutating func update(root bytes: [UInt8]) throws(TrustError) {
        let new = try RootMetadata(bytes)
        try rootMetadata.authority(.root).check(new.envelope, by: verifiers)
        try new.authority(.root).check(new.envelope, by: verifiers)
        let expected = rootMetadata.envelope.version + 1
        guard new.envelope.version == expected else {
            throw .rootVersion(new.envelope.version, expected: expected)
        }
        let isRotated = [TrustRole.timestamp, .snapshot].contains {
            rootMetadata.authority($0).hasLostKey(in: new.authority($0))
        }
        rootMetadata = new
        guard isRotated else { return }
        timestampMetadata = nil
        snapshotMetadata = nil
    }

    /// Replaces the timestamp by a newer one (TUF 5.3.10, 5.4.2 to 5.4.4).
    ///
    /// - Parameters:
    ///   - bytes: The file as received.
    ///   - startedAt: The time at which the update began.
    /// - Returns: False when it has the trusted version; the trusted bytes remain then.
    /// - Throws: `TrustError` `untrusted`, `rolledBack`, `expired` (also for the root), `tooLarge` or
    ///   `invalid`: end the update.
    @discardableResult
    public mutating func update(
        timestamp bytes: [UInt8], startedAt: Date
    ) throws(TrustError) -> Bool {
        try checkExpiry(rootMetadata.envelope, startedAt)
        let new = try TimestampMetadata(bytes)
        try rootMetadata.authority(.timestamp).check(new.envelope, by: verifiers)
        if let old = timestampMetadata {
            guard new.envelope.version >= old.envelope.version else {
                throw .rolledBack(
                    "timestamp", "timestamp", version: new.envelope.version,
                    trusted: old.envelope.version)
            }
            if new.envelope.version == old.envelope.version {
                try checkExpiry(old.envelope, startedAt)
                return false
            }
            guard new.snapshot.version >= old.snapshot.version else {
                throw .rolledBack(
                    "timestamp", "snapshot.json", version: new.snapshot.version,
                    trusted: old.snapshot.version)
            }
        }
        try checkExpiry(new.envelope, startedAt)
        timestampMetadata = new
        return true
    }

    /// Replaces the snapshot by the one that the timestamp names (TUF 5.5.2 to 5.5.6).
    ///
    /// - Throws: `TrustError` `outOfOrder` without a current timestamp, `mismatched`, `untrusted`,
    ///   `rolledBack`, `expired`, `tooLarge` or `invalid`: end the update.
    public mutating func update(snapshot bytes: [UInt8], startedAt: Date) throws(TrustError) {
        let listed = try currentTimestamp(startedAt).snapshot
        try listed.check(bytes, of: "snapshot", by: hashes)
        let new = try SnapshotMetadata(bytes)
        try rootMetadata.authority(.snapshot).check(new.envelope, by: verifiers)
        guard new.envelope.version == listed.version else {
            throw .version("snapshot", new.envelope.version, expected: listed.version)
        }
        try checkRollback(to: new)
        try checkExpiry(new.envelope, startedAt)
        snapshotMetadata = new
    }

    /// Replaces the top-level targets by those that the snapshot names (TUF 5.6.2 to 5.6.5).
    ///
    /// - Throws: `TrustError` `outOfOrder` without a current snapshot, `mismatched`, `untrusted`, `expired`,
    ///   `tooLarge` or `invalid`: end the update.
    public mutating func update(targets bytes: [UInt8], startedAt: Date) throws(TrustError) {
        targetsMetadata = try verified(
            bytes, role: "targets", authority: rootMetadata.authority(.targets), startedAt)
    }

    /// Verifies a targets role, top-level or delegated, against the snapshot and its delegator's keys.
    func verified(
        _ bytes: [UInt8], role: String, authority: Authority, _ startedAt: Date
    ) throws(TrustError) -> TargetsMetadata {
        guard let listed = try currentSnapshot(startedAt).file(of: role) else {
            throw .notFound(role)
        }
        try listed.check(bytes, of: role, by: hashes)
        let new = try TargetsMetadata(bytes, role: role)
        try authority.check(new.envelope, by: verifiers)
        guard new.envelope.version == listed.version else {
            throw .version(role, new.envelope.version, expected: listed.version)
        }
        try checkExpiry(new.envelope, startedAt)
        return new
    }

    /// Caches the verified bytes of a delegated role for later searches.
    mutating func remember(_ bytes: [UInt8], of role: String) { delegated[role] = bytes }
}

extension TrustedMetadata {
    /// Checks for a freeze attack: the expiry must be later than the start of the update (TUF 5.3.10).
    func checkExpiry(_ envelope: MetadataEnvelope, _ startedAt: Date) throws(TrustError) {
        guard envelope.expires > startedAt else { throw .expired(envelope.signed.role) }
    }

    /// The trusted timestamp, if neither it nor the root has expired.
    func currentTimestamp(_ startedAt: Date) throws(TrustError) -> TimestampMetadata {
        try checkExpiry(rootMetadata.envelope, startedAt)
        guard let timestamp = timestampMetadata else {
            throw .outOfOrder("snapshot", needs: "timestamp")
        }
        try checkExpiry(timestamp.envelope, startedAt)
        return timestamp
    }

    /// The trusted snapshot, if it is the one that the current timestamp names.
    func currentSnapshot(_ startedAt: Date) throws(TrustError) -> SnapshotMetadata {
        let listed = try currentTimestamp(startedAt).snapshot
        guard let snapshot = snapshotMetadata, snapshot.envelope.version == listed.version else {
            throw .outOfOrder("targets", needs: "snapshot")
        }
        try listed.check(snapshot.envelope.bytes, of: "snapshot", by: hashes)
        try checkExpiry(snapshot.envelope, startedAt)
        return snapshot
    }

    /// Checks that a snapshot rolls back neither its files (TUF 5.5.5) nor its own version (TUF 4.3).
    private func checkRollback(to new: SnapshotMetadata) throws(TrustError) {
        guard let old = snapshotMetadata else { return }
        guard new.envelope.version >= old.envelope.version else {
            throw .rolledBack(
                "snapshot", "snapshot", version: new.envelope.version,
                trusted: old.envelope.version)
        }
        for (name, file) in old.files.sorted(by: { $0.key < $1.key }) {
            guard let listed = new.files.exactly(name) else { throw .unlisted(name) }
            guard listed.version >= file.version else {
                throw .rolledBack(
                    "snapshot", name, version: listed.version, trusted: file.version)
            }
        }
    }
}
