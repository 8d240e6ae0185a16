import ContentModel
import Foundation
import OfflineStorage
import ServiceAPI

/// A release that a host offers although the device has a newer one from it.
///
/// The edges of a content delivery network are updated one after the other, so a device may reach a stale one. A
/// rollback is different: it is a release of its own, with a higher number.
struct OlderRelease: Sendable, Equatable {
    /// The number of the release that is offered.
    var offered: Int
    /// The number of the one that is installed, and its manifest.
    var installed: Int
    var manifest: Checksum
    var installedAt: Date

    /// Compares two releases; `nil` when the offered one may be installed.
    ///
    /// | | it is older when |
    /// |---|---|
    /// | both have build times, which differ | it was built earlier: a recreated release folder begins at 1 again |
    /// | otherwise | its number is lower, or it is the release that the installed one replaced |
    ///
    /// A time after now is ignored. A release that was repaired without its manifest has no time, so any other replaces
    /// it.
    /// - Parameters:
    ///   - offered: The manifest that arrived, and its checksum.
    ///   - installed: The manifest of the current generation.
    ///   - generations: The current generation and the last good one.
    ///   - now: The wall clock.
    init?(
        _ offered: (manifest: Manifest, checksum: Checksum), installed: Manifest,
        _ generations: [Generation], now: Date
    ) {
        guard let current = generations.first, current.manifestChecksum != offered.checksum else {
            return nil
        }
        let isReplaced = generations.dropFirst().contains {
            $0.manifestChecksum == offered.checksum
        }
        guard Self.isOlder(offered.manifest, installed, isReplaced: isReplaced, now: now) else {
            return nil
        }
        self.offered = offered.manifest.release
        self.installed = installed.release
        manifest = current.manifestChecksum
        installedAt = current.freshness.installedAt
    }

    private static func isOlder(
        _ offered: Manifest, _ installed: Manifest, isReplaced: Bool, now: Date
    ) -> Bool {
        let latest = now + ServiceLimits.clockToleranceSeconds
        let built = offered.builtAt.flatMap { $0 <= latest ? $0 : nil }
        let before = installed.builtAt.flatMap { $0 <= latest ? $0 : nil }
        if let built, let before, built != before { return built < before }
        if built != nil, before == nil { return false }
        // The original format has no numbers.
        return isReplaced || (offered.release > 0 && offered.release < installed.release)
    }

    /// Returns the end of the wait for the newer release to be offered again; `nil` for no wait.
    ///
    /// The wait begins when the newer one was last seen at the same address.
    func deferredUntil(
        now: Date, origin: String, schedule: SyncSchedule, settings: SyncSettings
    ) -> Date? {
        var since = installedAt
        if schedule.manifest == manifest {
            if let other = schedule.origin, other != origin { return nil }
            since = schedule.seenAt ?? since
        }
        let until = since + settings.olderReleaseWait.seconds
        // Further off than it can be: the clock was moved.
        let isPlausible = until.timeIntervalSince(now) <= settings.olderReleaseWait.seconds
        return now < until && isPlausible ? until : nil
    }
}
