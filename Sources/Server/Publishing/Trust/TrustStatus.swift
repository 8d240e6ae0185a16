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

    /// True when something must be done.
    package var needsAttention: Bool {
        !namesCurrentRelease || roles.contains(where: \.needsAttention)
    }
}

extension TrustAdministration {
    /// Reads who signs; nothing is changed.
    ///
    /// - Returns: `nil` for a release that nobody signs.
    /// - Throws: `PublishingError` `unreadable`.
    package func status() throws -> TrustStatus? {
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
        let manifest = try directory.manifestBytes()
        return TrustStatus(
            roles: roles,
            namesCurrentRelease: manifest.map { trust.names(Checksum(of: $0)) } ?? false)
    }
}
