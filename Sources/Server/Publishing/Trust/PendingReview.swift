import ContentModel
package import Foundation
import SignatureVerification

/// An author's review of a pending release before signing, and the signing of exactly that release.
///
/// It does not trust the file. The previous release is the one that the keys of the author's root have signed. The new
/// release is the manifest in the file, whose bytes are signed. Every differing document must be in the file or the
/// release directory, with the right checksum.
///
/// ```swift
/// let pending = try PendingRelease(bytes, path: path)
/// var review = try PendingReview(pending, against: .release("release"), now: now)
/// print(review.difference)
/// try review.sign(with: KeyFolder("keys").load(apart: []).map(\.key))
/// ```
package struct PendingReview: Sendable {
    /// The author's source of trust.
    package enum Anchor: Sendable {
        /// A release directory with its roots and the current release.
        case release(String)
        /// The root that the app pins.
        case root([UInt8])
    }

    /// The pending release, with the added signatures.
    package private(set) var pending: PendingRelease
    /// The number of the previous release.
    package let base: Int
    /// The difference between both releases.
    package let difference: ReleaseDiff
    /// The time at which the signatures of the previous release expired; `nil` if they are valid.
    ///
    /// A newer release may then exist that the file does not mention.
    package let baseExpired: Date?
    private let trusted: TrustedMetadata

    /// The latest expiry that a publisher gives, in days from now; with room for a clock that is behind.
    private static let daysMax = TrustLifetime.days(.targets) + 3
    /// The maximum distance of a version above the time (``ReleaseSigning/steps(_:)``) or the previous version: some
    /// days, for clocks that differ.
    private static let versionsAheadMax = 30_000

    /// The maximum distance of a release's number above the previous one: one for each publish that was killed or
    /// forgotten.
    private static let releasesAheadMax = 1_000_000

    /// Verifies a pending release, and compares it with the previous one.
    ///
    /// - Parameters:
    ///   - pending: The release.
    ///   - anchor: The author's source of trust.
    ///   - now: The time.
    /// - Throws: `PublishingError` `needsSignatures` if the root's keys have not signed the previous release,
    ///   `pendingIsStale` if another one is current, `rootExpired`, `unreadable`.
    package init(_ pending: PendingRelease, against anchor: Anchor, now: Date) throws {
        var directory: ReleaseDirectory?
        switch anchor {
        case .release(let path):
            let release = ReleaseDirectory(root: path)
            guard let trust = try ReleaseTrust(release) else {
                throw PublishingError(
                    .noSuchRelease,
                    "\(path) is not signed. Name the root that the app pins with --root.")
            }
            directory = release
            trusted = trust.trusted
        case .root(let bytes):
            trusted = try Self.trusted(from: bytes, pending)
        }
        self.pending = pending
        guard trusted.root.expires > now else {
            throw PublishingError(
                .rootExpired,
                "The root has expired. Nothing was signed. Run `underway trust refresh` to sign a new one."
            )
        }
        try Self.check(pending, follows: trusted, now: now)
        let (old, new) = (try Manifest(pending.baseManifest), try Manifest(pending.manifest))
        try Self.checkShown(new, pending)
        try Self.check(new.rollout, follows: old, pending)
        guard new.release > old.release, new.release - old.release <= Self.releasesAheadMax else {
            throw PublishingError(
                .pendingIsStale,
                "Release \(new.release) does not come soon after the signed release \(old.release)."
            )
        }
        base = old.release
        baseExpired = trusted.file(.targets).flatMap { $0.expires > now ? nil : $0.expires }
        var documents: [Checksum: [UInt8]] = [:]
        for checksum in PendingRelease.documentsThatDiffer(old, new) {
            guard let bytes = pending.documents[checksum] ?? (try? directory?.object(checksum))
            else {
                throw PublishingError(
                    .unreadable,
                    "The document \(checksum) is not in the file, so its changes cannot be shown."
                        + " Nothing was signed. Sign where the release directory is, with --release."
                )
            }
            documents[checksum] = bytes
        }
        try Self.checkShown(new, documents)
        var difference = try ReleaseDiff.between(old, and: new, documents: documents)
        if let rest = try Self.rest(pending) { difference.files.insert(rest, at: 0) }
        self.difference = difference
    }

    /// Follows the roots in the file from one that the author has, as a device does.
    private static func trusted(
        from root: [UInt8], _ pending: PendingRelease
    ) throws -> TrustedMetadata {
        do {
            var trusted = try TrustedMetadata(root: root, verifiers: .swiftCrypto)
            for next in pending.roots.dropFirst(trusted.root.version) {
                try trusted.update(root: next)
            }
            trusted.restore(timestamp: nil, snapshot: nil, targets: pending.baseTargets)
            return trusted
        } catch {
            throw PublishingError(
                .needsSignatures,
                "The pending release does not follow from the root: \(error.message) Nothing was signed."
            )
        }
    }

    /// Refuses a release that does not follow the one that the keys vouch for.
    private static func check(
        _ pending: PendingRelease, follows trusted: TrustedMetadata, now: Date
    ) throws {
        guard let manifest = trusted.manifest, let targets = trusted.file(.targets) else {
            throw PublishingError(
                .needsSignatures,
                "The release before is not signed by the authors of this root. Nothing was signed.")
        }
        let latest = now + Double(Self.daysMax * 86_400)
        let highest = max(targets.version, ReleaseSigning.steps(now)) + Self.versionsAheadMax
        func check(_ holds: Bool, _ reason: String) throws {
            guard !holds else { return }
            throw PublishingError(
                .pendingIsStale,
                "\(reason) Nothing was signed. If the clock here is right, ask for the release again where it was published."
            )
        }
        try check(
            manifest.checksum == Checksum(of: pending.baseManifest)
                && pending.version > targets.version,
            "The pending release does not follow the release that the authors have signed last.")
        try check(
            pending.expires > now,
            "The signatures that it asks for expired on \(pending.expires.formatted(.iso8601)).")
        try check(
            pending.version <= highest && pending.expires <= latest,
            "The signatures that it asks for are of a time to come, until \(pending.expires.formatted(.iso8601))."
        )
    }

    /// Refuses a manifest of which a part would be signed without being shown: members that this version does not know,
    /// or two files of one name.
    private static func checkShown(_ manifest: Manifest, _ pending: PendingRelease) throws {
        guard manifest.canonicalBytes == pending.manifest,
            Set(manifest.entries.map(\.path)).count == manifest.entries.count
        else {
            throw PublishingError(
                .unreadable,
                "The manifest has members that this version does not know, or two files with the same name, so their"
                    + " changes cannot be shown. Nothing was signed. Sign with the version that published it."
            )
        }
    }

    /// Refuses a bank of which a member would be signed without being shown.
    private static func checkShown(
        _ manifest: Manifest, _ documents: [Checksum: [UInt8]]
    ) throws {
        for entry in manifest.entries where entry.path.bank != nil {
            guard let bytes = documents[entry.checksum] else { continue }
            let bank = try Blueprint(released: bytes, file: entry.path.text)
            guard bank.json.canonicalBytes == bytes else {
                throw PublishingError(
                    .unreadable,
                    "\(entry.path) has members that this version does not know, so their changes cannot be shown."
                        + " Nothing was signed. Sign with the version that published it.")
            }
        }
    }

    /// Refuses a rollout that gives the other devices another release than the one before, which nobody has looked at.
    private static func check(
        _ rollout: Rollout?, follows old: Manifest, _ pending: PendingRelease
    ) throws {
        guard let rollout else { return }
        let base = Rollout.Previous(
            release: old.release, manifest: Checksum(of: pending.baseManifest),
            size: pending.baseManifest.count)
        guard rollout.follows(old.rollout, after: base, release: pending.release) else {
            throw PublishingError(
                .unreadable,
                "The rollout gives the other devices release \(rollout.previous.release) with a manifest that is not"
                    + " the one before. Nothing was signed.")
        }
    }

    /// Returns the differences of both manifests apart from files: the content's address, and members of later
    /// versions.
    private static func rest(_ pending: PendingRelease) throws -> ReleaseDiff.FileChange? {
        let hidden = ["generatedAt", "release"]
        let shown = [pending.baseManifest, pending.manifest].map { bytes in
            // Both were read as manifests before.
            Self.withoutFiles((try? JSONParser.parse(bytes).value) ?? .null)
        }
        var fields = Blueprint.fieldChanges(shown[0], shown[1]).filter {
            !hidden.contains($0.name) && !$0.name.hasPrefix("rollout.")
        }
        let rollouts = try [pending.baseManifest, pending.manifest].map { try Manifest($0) }
            .map { manifest in
                manifest.rollout.map { RolloutSummary($0).sentence(of: manifest.release) }
                    ?? "Release \(manifest.release) goes to every device."
            }
        if shown[0].hasRollout || shown[1].hasRollout {
            fields.append(.init(name: "rollout", old: rollouts[0], new: rollouts[1]))
        }
        guard !fields.isEmpty else { return nil }
        var change = ReleaseDiff.FileChange(path: ReleasePath.manifest.text, kind: .changed)
        change.questions = [.init(id: "", kind: .changed, fields: fields)]
        return change
    }

    /// Returns a manifest with one member for each text, number or flag in it, but for those that files are shown by.
    private static func withoutFiles(_ manifest: JSONValue) -> JSONValue {
        let lists = ["announcements.", "assets.", "exams.", "languages."]
        let ofFiles: Set<String> = ["checksum", "contentUpdatedAt", "name", "size", "version"]
        var members: [String: JSONValue] = [:]
        func walk(_ value: JSONValue, _ path: String, _ name: String) {
            switch value {
            case .object(let parts):
                for (name, part) in parts {
                    walk(part, path.isEmpty ? name : "\(path).\(name)", name)
                }
            case .array(let parts):
                for (position, part) in parts.enumerated() {
                    walk(part, "\(path).\(position)", "")
                }
            default:
                if ofFiles.contains(name), lists.contains(where: path.hasPrefix) { return }
                members[path] = value
            }
        }
        walk(manifest, "", "")
        return .object(members)
    }

    // MARK: Signing

    /// The progress of the signatures.
    package var progress: PendingProgress { PendingProgress(pending, trusted) }

    /// Signs with all authors' keys among the given keys.
    ///
    /// - Parameter keys: The keys at hand.
    /// - Returns: The ids of the keys that had not signed before; empty if all had.
    /// - Throws: `PublishingError` `needsSignatures` if none is an author's key under the current root.
    @discardableResult
    package mutating func sign(with keys: [SigningKey]) throws -> [String] {
        let authors = trusted.keyIDs(of: .targets)
        let own = keys.filter { authors.contains($0.id) }
        guard !own.isEmpty else {
            let ids = authors.map { String($0.prefix(12)) }.joined(separator: ", ")
            throw PublishingError(
                .needsSignatures,
                "None of the keys in the folder is an author's key of this release. Nothing was signed. Use one of \(ids)."
            )
        }
        let before = progress.signed
        let document = pending.document
        let new = own.filter { !before.contains($0.id) }
        pending.add(try new.map { try $0.sign(document) })
        return new.map(\.id)
    }
}

extension JSONValue {
    /// True for the members of a manifest that names devices.
    fileprivate var hasRollout: Bool {
        guard case .object(let members) = self else { return false }
        return members.keys.contains { $0.hasPrefix("rollout.") }
    }
}
