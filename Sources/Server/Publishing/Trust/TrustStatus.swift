package import ContentModel
package import Foundation

/// The signers of a release directory, and the expiry of the signatures.
package struct TrustStatus: Sendable {
    /// The signatures of one role.
    package struct Role: Sendable {
        package var role: TrustRole
        package var keyIDs: [String]
        package var threshold: Int
        /// The version in use; `nil` if the current keys have signed none.
        package var version: Int?
        package var expires: Date?
        /// True when it is missing, expired or expires soon.
        package var needsAttention: Bool
    }

    /// The roles, from root to targets.
    package var roles: [Role]
    /// True when a verifying device gets the current release.
    package var namesCurrentRelease: Bool

    /// A release that waits for signatures.
    package struct Pending: Sendable {
        package var progress: PendingProgress
        package var file: String
        /// True when newer signatures exist, so that it can no longer be completed.
        package var isStale: Bool

        /// The recommended action.
        package var advice: String {
            isStale
                ? "It cannot be finished any more, because keys or signatures have changed. Discard it with `underway trust discard`."
                : "It is in \(file). To finish it, run the command that made it again."
        }
    }

    /// The pending release; `nil` for none.
    package var pending: Pending?
    /// The reason why the file of a pending release is unreadable; `nil` for none.
    package var pendingProblem: String?

    /// The time until which devices trust that the release is the newest; `nil` if a signature is missing.
    package var confirmedUntil: Date? {
        let times = roles.compactMap(\.expires)
        return times.count == roles.count ? times.min() : nil
    }

    /// True when an action is needed.
    package var needsAttention: Bool {
        !namesCurrentRelease || roles.contains(where: \.needsAttention) || pendingProblem != nil
    }
}

extension TrustAdministration {
    /// Returns the signers and signatures, and changes nothing.
    ///
    /// - Returns: The status; `nil` for an unsigned release.
    /// - Throws: `PublishingError` `unreadable`, or `noSuchRelease` without a release.
    package func status() throws -> TrustStatus? {
        let manifest = try currentManifest()
        let trust = try ReleaseTrust(directory)
        try checkRoot(trust)
        guard let trust else { return nil }
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
        let target = try? Files.read(directory.path(.target(manifest.checksum)))
        var status = TrustStatus(
            roles: roles,
            namesCurrentRelease: trust.names(manifest.checksum) && target == manifest.bytes)
        do {
            status.pending = try pending(trust)
        } catch {
            status.pendingProblem = (error as? PublishingError)?.message ?? "\(error)"
        }
        return status
    }

    private func pending(_ trust: ReleaseTrust) throws -> TrustStatus.Pending? {
        let folder = PendingFolder(of: directory)
        // One that is live already is forgotten by the next publish.
        guard let pending = try folder.load(trust.trusted),
            !trust.names(Checksum(of: pending.manifest))
        else { return nil }
        return TrustStatus.Pending(
            progress: PendingProgress(pending, trust.trusted),
            file: folder.file(of: pending.release),
            isStale: pending.version <= trust.trusted.file(.targets)?.version ?? 0)
    }
}
