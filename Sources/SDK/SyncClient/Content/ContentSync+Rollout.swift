import ContentModel
import Foundation
import OfflineStorage

extension ContentSync {
    /// Judges whether this device takes a release; `nil` when it does.
    ///
    /// A device that has a release of the same rollout takes its successors, whatever the share is by now and while it is
    /// paused: they may be what mends the one that it has.
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

    /// The random bytes of which this device's places are made; drawn once, and they never leave it.
    private nonisolated func rolloutSeed() throws -> [UInt8] {
        if let seed = try store.setting(Self.seedName) { return Array(seed.utf8) }
        let seed = UUID().uuidString
        try store.set(Self.seedName, seed)
        return Array(seed.utf8)
    }

    /// The release that was held back when the host was last asked, as this version of the app judged it.
    ///
    /// - Throws: `StoreError`.
    nonisolated func heldRelease() throws -> DeferredRelease? {
        try store.setting(Self.heldName).flatMap {
            DeferredRelease(text: $0, appVersion: store.appVersion)
        }
    }

    /// Notes what is held back, for the next question's condition.
    ///
    /// - Throws: `StoreError`.
    nonisolated func note(held: DeferredRelease?) throws {
        let text = held?.text(appVersion: store.appVersion) ?? ""
        guard try store.setting(Self.heldName) ?? "" != text else { return }
        try store.set(Self.heldName, text)
    }

    /// The release that this device has, or the one before the rollout, in place of one that is held back.
    ///
    /// - Returns: The manifest; the installed one where that is not older than the one before the rollout.
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
