import ContentModel
import Foundation

/// The signatures of a plan, and the release that waits for some.
///
/// A pending release is never published as it is. The publish rebuilds the release from the content folder under the
/// pending number and time, and continues only if both are identical, byte for byte.
extension ReleasePlanning {
    /// Returns the signing of the release; `nil` for an unsigned release, and while the current signatures remain
    /// valid.
    ///
    /// - Throws: `PublishingError` `needsSignatures` without keys.
    func signing() throws(PublishingError) -> ReleaseSigning? {
        guard let trust = baseline.trust, build.differs || baseline.keys != nil else { return nil }
        guard let keys = baseline.keys else { throw ReleaseSigning.lacksKeys }
        let signing = ReleaseSigning(
            trust, keys: keys, now: Date(timeIntervalSince1970: TimeInterval(now)),
            remembered: baseline.memory.signedVersion(of: trust))
        return build.differs || baseline.isBehind || signing.isTimestampShort
            || waitsForAuthors(signing) ? signing : nil
    }

    /// Returns true when the same content is to be released again, so that authors elsewhere renew their signatures.
    func waitsForAuthors(_ signing: ReleaseSigning) -> Bool {
        request.publisher.leavesPending && signing.needsAuthorsSoon
    }

    /// Signs a new manifest, lets it wait for more signatures, or signs what lasts too shortly of the current one.
    ///
    /// - Throws: `PublishingError` `needsSignatures`, `pendingIsStale`, `rootExpired`.
    func signatures(
        of manifest: ManifestFile?, by signing: ReleaseSigning?
    ) throws(PublishingError) -> ReleasePlan.Signatures {
        guard let signing else { return .none }
        guard let manifest else { return try .made(renewed(by: signing)) }
        let isShort = !signing.shortRoles.isEmpty
        guard let waiting = baseline.pending else {
            if isShort, request.publisher.leavesPending {
                try signing.checkSigner()
                return .missing(nil, signing)
            }
            return .made(try PublishingError.catching { try signing.sign(manifest) })
        }
        guard signing.couldHaveMade(waiting) else { throw isStale(waiting) }
        let signed = try PublishingError.catching { try signing.adding(to: waiting) }
        let progress = PendingProgress(signed, signing.trust.trusted)
        if progress.isReached, signing.shortRoles.allSatisfy({ $0 == .targets }) {
            return .made(try PublishingError.catching { try signing.sign(signed) })
        }
        guard request.publisher.leavesPending else {
            throw PublishingError(
                .needsSignatures,
                progress.sentence + " Nothing was published; `underway trust status` says more.")
        }
        return .missing(signed, signing)
    }

    /// Refuses a manifest that is not the signed one any more: somebody has just put it there.
    private func renewed(by signing: ReleaseSigning) throws(PublishingError) -> SignedMetadata {
        guard let manifest = names.manifest, signing.trust.names(manifest.checksum) else {
            throw PublishingError(
                .needsSignatures,
                "\(baseline.directory.path(.manifest)) changed while the content was read. Nothing was signed. Publish again."
            )
        }
        return try PublishingError.catching { try signing.refresh(manifest) }
    }

    // MARK: The release that waits

    /// Returns the number of the next release: that of the one that waits, if there is one.
    ///
    /// - Throws: `PublishingError` `pendingIsStale` when a publish could not make it any more, `unreadable`.
    func nextNumber() throws(PublishingError) -> Int {
        let next = try baseline.nextRelease
        guard let pending = baseline.pending else { return next }
        let known = max(build.index.release, baseline.forgottenNumber ?? 0)
        // A publish that was killed may have left a manifest under the number itself.
        guard pending.release > known, pending.release <= next else { throw isStale(pending) }
        return pending.release
    }

    /// Refuses to publish anything but the release that waits.
    func checkPending(is manifest: ManifestFile) throws(PublishingError) {
        guard let pending = baseline.pending, pending.manifest != manifest.bytes else { return }
        throw isStale(pending)
    }

    /// Refuses to go on without a new release, unless the current one is what waits for signatures.
    func checkPendingIsCurrent() throws(PublishingError) {
        guard let pending = baseline.pending, !build.differs,
            Checksum(of: pending.manifest) != build.index.manifestChecksum
        else { return }
        throw isStale(pending)
    }

    private func isStale(_ pending: PendingRelease) -> PublishingError {
        PublishingError(
            .pendingIsStale,
            "Release \(pending.release) still needs signatures, and this would be another release. The content, the current"
                + " release or its signatures have changed, or release \(pending.release) was made by another command"
                + " (such as `rollback`) or with other options (such as `--rollout`). Nothing was published. To finish it,"
                + " run that command with that content. To discard it with its signatures, run"
                + " `underway trust discard --release \(baseline.directory.root.shellWord)`.")
    }
}
