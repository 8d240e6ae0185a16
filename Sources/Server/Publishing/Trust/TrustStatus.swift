package import ContentModel
package import Foundation
import ServiceAPI

/// Who signs a release directory, and how long the signatures last.
package struct TrustStatus: Sendable {
    /// What is signed for one role.
    package struct Role: Sendable {
        package var role: TrustRole
        package var keyIDs: [String]
        package var threshold: Int
        /// The version in use; `nil` where the present keys have signed none.
        package var version: Int?
        package var expires: Date?
        /// True when it is missing, has expired or expires soon.
        package var needsAttention: Bool
    }

    /// The roles, from root to targets.
    package var roles: [Role]
    /// True when a device that verifies gets the current release.
    package var namesCurrentRelease: Bool

    /// The signatures of the release that waits, and its file; `nil` when none waits.
    package var pending: (progress: PendingProgress, file: String)?

    /// The time until which devices count the release as the newest; `nil` where a signature is missing.
    package var confirmedUntil: Date? {
        let times = roles.compactMap(\.expires)
        return times.count == roles.count ? times.min() : nil
    }

    /// True when something must be done.
    package var needsAttention: Bool {
        !namesCurrentRelease || roles.contains(where: \.needsAttention)
    }
}

extension TrustAdministration {
    /// Reads who signs; nothing is changed.
    ///
    /// - Returns: `nil` for a release that nobody signs.
    /// - Throws: `PublishingError` `unreadable`, or `noSuchRelease` where there is none.
    package func status() throws -> TrustStatus? {
        let manifest = try currentManifest().bytes
        guard let trust = try ReleaseTrust(directory) else { return nil }
        let roles = TrustRole.allCases.map { role in
            let file = trust.trusted.file(role)
            return TrustStatus.Role(
                role: role, keyIDs: trust.trusted.keyIDs(of: role),
                threshold: trust.trusted.threshold(of: role), version: file?.version,
                expires: file?.expires,
                needsAttention: file.map {
                    TrustLifetime.isShort($0.expires, role, now: now)
                } ?? true)
        }
        let checksum = Checksum(of: manifest)
        let target = try? Files.read(directory.path(.target(checksum)))
        let folder = PendingFolder(of: directory)
        let pending = try folder.load(trust.trusted).flatMap { pending in
            // One that is live already is forgotten by the next publish.
            trust.names(Checksum(of: pending.manifest)) ? nil : pending
        }
        return TrustStatus(
            roles: roles,
            namesCurrentRelease: trust.names(checksum) && target == manifest,
            pending: pending.map {
                (PendingProgress($0, trust.trusted), folder.file(of: $0.release))
            })
    }
}
