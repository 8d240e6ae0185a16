import ContentModel
import Foundation
import ServiceAPI

/// New metadata of a release, in the order in which they take effect.
struct SignedMetadata: Sendable {
    /// Files under new names, which nobody reads before the timestamp names them.
    var files: [(path: ReleasePath, bytes: [UInt8])] = []
    /// The timestamp, with which they take effect.
    var timestamp: [UInt8] = []
}

/// Signs a release: its trust metadata, and the keys at hand.
struct ReleaseSigning: Sendable {
    let trust: ReleaseTrust
    let keys: [SigningKey]
    /// The time of signing.
    let now: Date

    /// Prepares to sign.
    ///
    /// - Parameters:
    ///   - trust: The metadata.
    ///   - folder: The folder of keys; `nil` for none.
    ///   - now: The time.
    /// - Throws: `PublishingError` `needsSignatures` without a folder, and those of ``KeyFolder/load()``.
    init(_ trust: ReleaseTrust, keys folder: String?, now: Date) throws {
        guard let folder else {
            throw PublishingError(
                .needsSignatures,
                "Devices want this release to be signed, and no keys were named. Nothing was published."
                    + " Name the folder of keys with --keys.")
        }
        let keys = try KeyFolder(folder).load().map(\.key)
        self.init(trust, keys: keys, now: now)
    }

    init(_ trust: ReleaseTrust, keys: [SigningKey], now: Date) {
        self.trust = trust
        self.keys = keys
        self.now = now
    }

    /// Signs the targets, snapshot and timestamp of a manifest.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func sign(manifest: [UInt8], release: Int) throws -> SignedMetadata {
        let targets = MetadataDocument.targets(
            version: max(next(.targets), release), expires: expiry(of: .targets),
            manifest: Checksum(of: manifest), length: manifest.count)
        let file = try signed(targets)
        return try sign(
            targets: (targets.version, file), isNew: true, snapshotVersion: release)
    }

    /// Signs what lasts less than it should, with the keys at hand: always the timestamp.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `rootExpired`.
    func refresh(_ manifest: [UInt8], release: Int) throws -> SignedMetadata {
        guard let targets = trust.trusted.file(.targets), trust.names(Checksum(of: manifest)) else {
            return try sign(manifest: manifest, release: release)
        }
        if lastsTooShortly(targets, .targets), canSign(.targets) {
            return try sign(manifest: manifest, release: release)
        }
        guard let snapshot = trust.trusted.file(.snapshot) else {
            return try sign(
                targets: (targets.version, targets.bytes), isNew: false, snapshotVersion: release)
        }
        if lastsTooShortly(snapshot, .snapshot), canSign(.snapshot) {
            return try sign(
                targets: (targets.version, targets.bytes), isNew: false, snapshotVersion: release)
        }
        let timestamp = try signed(timestamp(snapshot.version))
        let metadata = SignedMetadata(timestamp: timestamp)
        try check(metadata, snapshot: snapshot.bytes, targets: targets.bytes)
        return metadata
    }

    private func sign(
        targets: (version: Int, bytes: [UInt8]), isNew: Bool, snapshotVersion: Int
    ) throws -> SignedMetadata {
        let snapshot = MetadataDocument.snapshot(
            version: max(next(.snapshot), snapshotVersion), expires: expiry(of: .snapshot),
            targetsVersion: targets.version)
        let snapshotFile = try signed(snapshot)
        var metadata = SignedMetadata(timestamp: try signed(timestamp(snapshot.version)))
        if isNew, let path = ReleasePath.metadata(.targets, version: targets.version) {
            metadata.files.append((path, targets.bytes))
        }
        if let path = ReleasePath.metadata(.snapshot, version: snapshot.version) {
            metadata.files.append((path, snapshotFile))
        }
        try check(metadata, snapshot: snapshotFile, targets: targets.bytes)
        return metadata
    }

    private func timestamp(_ snapshotVersion: Int) -> MetadataDocument {
        .timestamp(
            version: next(.timestamp), expires: expiry(of: .timestamp),
            snapshotVersion: snapshotVersion)
    }

    /// Verifies new metadata as a device would that has the present ones.
    private func check(
        _ metadata: SignedMetadata, snapshot: [UInt8], targets: [UInt8]
    ) throws {
        var device = trust.trusted
        do {
            try device.update(timestamp: metadata.timestamp, startedAt: now)
            try device.update(snapshot: snapshot, startedAt: now)
            try device.update(targets: targets, startedAt: now)
        } catch let error where error.code == .expired && error.role == TrustRole.root.rawValue {
            throw PublishingError(
                .rootExpired,
                "The root has expired, so that devices take nothing that it names. Nothing was"
                    + " published. `underway trust refresh` with the root's keys signs a new one.")
        } catch {
            throw PublishingError(
                .needsSignatures, "Devices would refuse the new metadata: \(error.message)")
        }
    }

    // MARK: Versions, times, signatures

    private func next(_ role: TrustRole) -> Int {
        max(trust.versions[role] ?? 0, trust.trusted.file(role)?.version ?? 0) + 1
    }

    private func expiry(of role: TrustRole) -> Date { TrustLifetime.expiry(of: role, from: now) }

    private func lastsTooShortly(_ file: TrustedMetadata.File, _ role: TrustRole) -> Bool {
        TrustLifetime.isShort(file.expires, role, now: now)
    }

    /// True when the keys at hand reach the threshold of a role.
    func canSign(_ role: TrustRole) -> Bool {
        signers(role).count >= trust.trusted.threshold(of: role)
    }

    /// The keys at hand that a role has, in its order.
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
                    + " and the keys at hand make \(signers.count). Nothing was changed. Bring the"
                    + " keys whose ids `underway trust status` lists into one folder.")
        }
        return document.file(try signers.map { try $0.sign(document) })
    }
}

/// How long signatures last.
enum TrustLifetime {
    /// The days that a new file of a role lasts.
    static func days(_ role: TrustRole) -> Int {
        switch role {
        case .root: 730
        case .targets: 365
        case .snapshot: 90
        case .timestamp: 14
        }
    }

    /// The days before its expiry in which a file counts as short.
    static func warningDays(_ role: TrustRole) -> Int {
        switch role {
        case .root: 180
        case .targets: 60
        case .snapshot: 30
        case .timestamp: 4
        }
    }

    /// The day on which a file that is signed now expires, at 00:00 UTC.
    static func expiry(of role: TrustRole, from now: Date) -> Date {
        let day = (now.timeIntervalSince1970 / 86_400).rounded(.down)
        return Date(timeIntervalSince1970: (day + Double(days(role))) * 86_400)
    }

    /// True when a file is to be signed again soon.
    static func isShort(_ expires: Date, _ role: TrustRole, now: Date) -> Bool {
        expires < now + Double(warningDays(role)) * 86_400
    }
}
