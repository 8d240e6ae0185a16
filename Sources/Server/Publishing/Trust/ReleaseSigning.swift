import ContentModel
import Foundation
import ServiceAPI

/// New metadata of a release, in the order in which they take effect.
struct SignedMetadata: Sendable {
    /// Files under new names, which nobody reads before the timestamp names them.
    var files: [(path: ReleasePath, bytes: [UInt8])] = []
    /// The timestamp, with which they take effect; `nil` where the present one stays.
    var timestamp: [UInt8]?
    /// The trusted metadata of a device after applying them.
    var trusted: TrustedMetadata
}

/// Signs a release: its trust metadata, and the keys at hand.
struct ReleaseSigning: Sendable {
    let trust: ReleaseTrust
    let keys: [SigningKey]
    /// The time of signing.
    let now: Date
    /// The highest version that is remembered elsewhere.
    private let remembered: Int

    /// Prepares to sign.
    ///
    /// - Parameters:
    ///   - trust: The metadata.
    ///   - folder: The folder of keys; `nil` for none.
    ///   - content: The content folder, in which no keys may lie.
    ///   - now: The time.
    /// - Throws: `PublishingError` `needsSignatures` without a folder, and those of ``KeyFolder``.
    init(_ trust: ReleaseTrust, keys folder: String?, content: String, now: Date) throws {
        guard let folder else { throw Self.lacksKeys }
        let keys = try KeyFolder(folder).load(apart: [trust.directory.root, content]).map(\.key)
        self.init(trust, keys: keys, now: now)
    }

    init(_ trust: ReleaseTrust, keys: [SigningKey], now: Date, remembered: Int = 0) {
        self.trust = trust
        self.keys = keys
        self.now = now
        self.remembered = remembered
    }

    static let lacksKeys = PublishingError(
        .needsSignatures,
        "Devices require a signature of this release, and no keys were named. Nothing was published."
            + " Name the folder of keys with --keys, or with --desk-keys for a server with a desk.")

    /// Signs the targets, snapshot and timestamp of a manifest.
    ///
    /// - Parameters:
    ///   - manifest: The manifest.
    ///   - isReleased: True where devices have it already, with other signatures.
    /// - Returns: The new metadata.
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func sign(_ manifest: ManifestFile, isReleased: Bool = false) throws -> SignedMetadata {
        let isNew = !isReleased && !trust.names(manifest.checksum)
        let version = max(next(.targets), next(.snapshot), manifest.release)
        let targets = MetadataDocument.targets(
            version: version, expires: expiry(of: .targets), manifest: manifest.checksum,
            length: manifest.bytes.count)
        let file = try signed(targets)
        // Equal versions say that both are as the release was published (`ReleaseFacts`).
        return try sign(
            targets: (version, file), isNew: true, snapshotVersion: isNew ? version : version + 1)
    }

    /// Signs a release with the signatures that authors have made elsewhere, and those of the keys at hand.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func sign(_ pending: PendingRelease) throws -> SignedMetadata {
        let signatures = trust.trusted.validSignatures(
            pending.allSignatures, of: pending.document)
        let snapshot = next(.snapshot) - 1
        return try sign(
            targets: (pending.version, pending.document.file(signatures)), isNew: true,
            snapshotVersion: max(pending.version, snapshot + 1))
    }

    /// Prepares a release that waits for signatures, with those of the keys at hand.
    ///
    /// - Throws: `PublishingError` `needsSignatures` when none of the keys at hand is one of the release.
    func pending(_ manifest: ManifestFile) throws -> PendingRelease {
        try checkSigner()
        return try PendingRelease(
            manifest.bytes, version: max(next(.targets), next(.snapshot), manifest.release),
            expires: expiry(of: .targets), after: trust)
    }

    /// Refuses keys of which none signs the release.
    ///
    /// - Throws: `PublishingError` `needsSignatures`.
    func checkSigner() throws(PublishingError) {
        guard Self.publishingRoles.allSatisfy({ signers($0).isEmpty }) else { return }
        throw PublishingError(
            .needsSignatures,
            "None of the keys in the folder can sign this release. Nothing was published. `underway trust"
                + " status` lists the ids of the keys that can.")
    }

    /// Returns true if this directory can have made a pending release: it is newer than the current targets, and
    /// neither its version nor its expiry exceeds that of one made now.
    ///
    /// Otherwise an attacker with access to the directory could obtain signatures that never expire.
    func couldHaveMade(_ pending: PendingRelease) -> Bool {
        let next = max(next(.targets), next(.snapshot), pending.release)
        return pending.version > trust.trusted.file(.targets)?.version ?? 0
            && pending.version <= next && pending.expires > now
            && pending.expires <= expiry(of: .targets)
    }

    /// Returns a pending release with the signatures of the authors' keys at hand.
    func adding(to pending: PendingRelease) throws -> PendingRelease {
        var pending = pending
        let document = pending.document
        pending.add(try signers(.targets).map { try $0.sign(document) })
        return pending
    }

    /// The roles that sign at each publish.
    private static let publishingRoles = [TrustRole.targets, .snapshot, .timestamp]

    /// The roles whose keys at hand are too few for a publish.
    var shortRoles: [TrustRole] { Self.publishingRoles.filter { !canSign($0) } }

    /// Signs what lasts less than it should, with the keys at hand: always the timestamp.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func refresh(_ manifest: ManifestFile) throws -> SignedMetadata {
        for role in [TrustRole.targets, .snapshot] { try checkLasting(role) }
        return try signed(manifest) { file, role in
            role == .timestamp || lastsTooShortly(file, role) && canSign(role)
        }
    }

    /// Signs what the present root's keys have not signed; of a release that is signed as it is, nothing.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func complete(_ manifest: ManifestFile) throws -> SignedMetadata {
        try signed(manifest) { _, _ in false }
    }

    /// Signs the roles that lack a file or are due, and those above them.
    private func signed(
        _ manifest: ManifestFile, isDue: (TrustedMetadata.File, TrustRole) -> Bool
    ) throws -> SignedMetadata {
        guard let targets = trust.trusted.file(.targets), !isDue(targets, .targets) else {
            return try sign(manifest, isReleased: true)
        }
        guard let snapshot = trust.trusted.file(.snapshot), !isDue(snapshot, .snapshot) else {
            return try sign(
                targets: (targets.version, targets.bytes), isNew: false,
                snapshotVersion: max(next(.snapshot), targets.version + 1))
        }
        if let present = trust.trusted.file(.timestamp), !isDue(present, .timestamp) {
            return SignedMetadata(timestamp: nil, trusted: trust.trusted)
        }
        let timestamp = try signed(timestamp(snapshot.version))
        return SignedMetadata(
            timestamp: timestamp,
            trusted: try device(
                taking: timestamp, snapshot: snapshot.bytes, targets: targets.bytes))
    }

    private func sign(
        targets: (version: Int, bytes: [UInt8]), isNew: Bool, snapshotVersion: Int
    ) throws -> SignedMetadata {
        let snapshot = MetadataDocument.snapshot(
            version: snapshotVersion, expires: expiry(of: .snapshot),
            targetsVersion: targets.version)
        let snapshotFile = try signed(snapshot)
        let timestamp = try signed(timestamp(snapshot.version))
        var metadata = SignedMetadata(
            timestamp: timestamp,
            trusted: try device(
                taking: timestamp, snapshot: snapshotFile, targets: targets.bytes))
        if isNew, let path = ReleasePath.metadata(.targets, version: targets.version) {
            metadata.files.append((path, targets.bytes))
        }
        if let path = ReleasePath.metadata(.snapshot, version: snapshot.version) {
            metadata.files.append((path, snapshotFile))
        }
        return metadata
    }

    private func timestamp(_ snapshotVersion: Int) -> MetadataDocument {
        .timestamp(
            version: next(.timestamp), expires: expiry(of: .timestamp),
            snapshotVersion: snapshotVersion)
    }

    /// Says whose signatures a renewal lacks, in place of what devices would say.
    private func checkLasting(_ role: TrustRole) throws {
        guard let file = trust.trusted.file(role), file.expires <= now, !canSign(role) else {
            return
        }
        throw PublishingError(
            .needsSignatures,
            "The signatures of the role \(role.rawValue) expired on \(file.expires.formatted(.iso8601)), and the keys in the"
                + " folder cannot renew them. Nothing was changed."
                + (role == .targets
                    ? " Run `underway publish --keys`, so that the other authors can sign." : "")
                + " `underway trust status` lists the ids of the keys.")
    }

    /// True when the authors are to sign again soon, and too few of their keys are at hand.
    var needsAuthorsSoon: Bool {
        guard let targets = trust.trusted.file(.targets), !canSign(.targets) else { return false }
        return lastsTooShortly(targets, .targets)
    }

    /// True when the timestamp is to be signed again soon.
    var isTimestampShort: Bool {
        trust.trusted.file(.timestamp).map { lastsTooShortly($0, .timestamp) } ?? true
    }

    /// Verifies new metadata as a device would that has the present ones.
    private func device(
        taking timestamp: [UInt8], snapshot: [UInt8], targets: [UInt8]
    ) throws -> TrustedMetadata {
        var device = trust.trusted
        do {
            try device.update(timestamp: timestamp, startedAt: now)
            try device.update(snapshot: snapshot, startedAt: now)
            try device.update(targets: targets, startedAt: now)
            return device
        } catch let error where error.code == .expired && error.role == TrustRole.root.rawValue {
            throw PublishingError(
                .rootExpired,
                "The root has expired, so devices accept nothing that it names. Nothing was published."
                    + " Run `underway trust refresh` with the root keys to sign a new one.")
        } catch {
            throw PublishingError(
                .needsSignatures, "Devices would refuse the new metadata: \(error.message)")
        }
    }

    // MARK: Versions, times, signatures

    /// Returns an unused version: one more than the highest known or remembered one, and at least the time, so that it
    /// also exceeds the versions that a restored backup has lost.
    private func next(_ role: TrustRole) -> Int {
        let sure = max(trust.trusted.file(role)?.version ?? 0, remembered, Self.steps(now) - 1)
        // A name alone may be anybody's: what lies far ahead is no floor.
        let named = (trust.versions[role] ?? []).filter { $0 <= sure + Self.stepsAheadMax }
        return max(sure, named.max() ?? 0) + 1
    }

    /// The maximum distance of an unverified file's version above the verified ones: some days.
    private static let stepsAheadMax = 30_000

    /// Returns the steps of ten seconds since 2020: a version of metadata is at least that.
    static func steps(_ now: Date) -> Int {
        Int(now.timeIntervalSince1970 / 10) - MetadataDelta.firstDay * 8640
    }

    private func expiry(of role: TrustRole) -> Date { TrustLifetime.expiry(of: role, from: now) }

    private func lastsTooShortly(_ file: TrustedMetadata.File, _ role: TrustRole) -> Bool {
        TrustLifetime.isShort(file.expires, role, now: now)
    }

    /// Returns true when the keys at hand reach the threshold of a role.
    func canSign(_ role: TrustRole) -> Bool {
        signers(role).count >= trust.trusted.threshold(of: role)
    }

    /// Returns the keys at hand that a role has, in its order.
    private func signers(_ role: TrustRole) -> [SigningKey] {
        trust.trusted.keyIDs(of: role).compactMap { id in keys.first { $0.id == id } }
    }

    private func signed(_ document: MetadataDocument) throws -> [UInt8] {
        let (signers, needed) = (
            signers(document.role), trust.trusted.threshold(of: document.role)
        )
        guard signers.count >= needed else {
            throw PublishingError(
                .needsSignatures,
                "The role \(document.role.rawValue) needs \(needed) signature\(needed == 1 ? "" : "s"),"
                    + " and the keys in the folder make \(signers.count). Nothing was changed. Put the"
                    + " keys whose ids `underway trust status` lists into one folder.")
        }
        return document.file(try signers.map { try $0.sign(document) })
    }
}

/// The lifetimes of signatures.
enum TrustLifetime {
    /// Returns the days that a new file of a role lasts at least.
    static func days(_ role: TrustRole) -> Int {
        switch role {
        case .root: 730
        case .targets: 365
        case .snapshot: 90
        case .timestamp: 14
        }
    }

    /// Returns the days before its expiry in which a file counts as short.
    static func warningDays(_ role: TrustRole) -> Int {
        switch role {
        case .root: 180
        case .targets: 60
        case .snapshot: 30
        case .timestamp: 4
        }
    }

    /// Returns the day on which a file that is signed now expires, at 00:00 UTC.
    static func expiry(of role: TrustRole, from now: Date) -> Date {
        let day = (now.timeIntervalSince1970 / 86_400).rounded(.up)
        return Date(timeIntervalSince1970: (day + Double(days(role))) * 86_400)
    }

    /// Returns true when a file is to be signed again soon.
    static func isShort(_ expires: Date, _ role: TrustRole, now: Date) -> Bool {
        expires < now + Double(warningDays(role)) * 86_400
    }
}
