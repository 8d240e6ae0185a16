import ContentModel
import Foundation
import OfflineStorage

extension ContentSync {
    /// Returns the offered release if this device must not install it yet; else `nil`.
    ///
    /// A device that has a release of the same rollout gets its successors, even if the share has shrunk or the rollout
    /// is paused, since a successor may fix the installed one.
    /// - Throws: `StoreError`.
    nonisolated func held(_ offered: VerifiedManifest) throws -> DeferredRelease? {
        guard let rollout = offered.manifest.rollout else { return nil }
        let installed = try store.currentGeneration()?.freshness.release ?? 0
        // A release of this rollout, and not of a directory that began anew.
        let takesPart = rollout.since <= installed && installed <= offered.manifest.release
        let place = takesPart ? nil : rollout.place(of: try rolloutSeed())
        return rollout.obstacle(place: place, appVersion: store.appVersion).map {
            DeferredRelease(
                release: offered.manifest.release, obstacle: $0, manifest: offered.checksum)
        }
    }

    /// The random bytes from which this device's places are derived; drawn once, and they never leave it.
    private nonisolated func rolloutSeed() throws -> [UInt8] {
        if let seed = try store.setting(Self.seedName) { return Array(seed.utf8) }
        let seed = UUID().uuidString
        try store.set(Self.seedName, seed)
        return Array(seed.utf8)
    }

    /// The deferred release of the last check, as evaluated by this version of the app.
    ///
    /// - Throws: `StoreError`.
    nonisolated func heldRelease() throws -> DeferredRelease? {
        try store.setting(Self.heldName).flatMap {
            DeferredRelease(text: $0, appVersion: store.appVersion)
        }
    }

    /// Records the deferred release, for the condition of the next request.
    ///
    /// - Throws: `StoreError`.
    nonisolated func note(held: DeferredRelease?) throws {
        let text = held?.text(appVersion: store.appVersion) ?? ""
        guard try store.setting(Self.heldName) ?? "" != text else { return }
        try store.set(Self.heldName, text)
    }

    /// The manifest to install instead of a deferred release: the installed one, or the one before the rollout.
    ///
    /// - Returns: The manifest; the installed one if it is not older than the one before the rollout.
    /// - Throws: `SyncError`, `TransportError`, `ManifestError` or `StoreError`.
    func manifest(insteadOf rollout: Rollout) async throws -> VerifiedManifest {
        // An empty one stands for one that was lost.
        if let installed = try store.currentManifest(), !installed.manifest.isEmpty,
            installed.manifest.release >= rollout.previous.release
        {
            return installed
        }
        let bytes = try await downloader.manifest(of: rollout.previous)
        let manifest = try VerifiedManifest(
            verifying: bytes, expected: rollout.previous.manifest)
        guard manifest.manifest.release == rollout.previous.release else {
            throw SyncError(
                .badManifest,
                "The release before the rollout is release \(manifest.manifest.release), not"
                    + " \(rollout.previous.release) as it says. Publish it again.")
        }
        return manifest
    }

    static let seedName = "rolloutSeed"
    private static let heldName = "heldRelease"
}
