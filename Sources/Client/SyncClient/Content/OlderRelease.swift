import ContentModel
import Foundation
import OfflineStore

/// A release that a host offers although the device has a newer one of it.
///
/// The edges of a network of hosts are renewed one after the other, so a device may be sent to one that
/// is behind. A rollback is no such case: it is a release of its own, with a higher number.
struct OlderRelease: Sendable, Equatable {
    /// The number of the release that is offered.
    var offered: Int
    /// The number of the one that is installed, and its manifest.
    var installed: Int
    var manifest: Checksum
    var installedAt: Date

    /// Compares; `nil` when the offered release may be installed.
    ///
    /// It is older when its number is lower and it was not built later (a release folder that was made
    /// anew begins at 1 again), or when it is the very release that the installed one took the place of.
    /// - Parameters:
    ///   - offered: The manifest that arrived, and its checksum.
    ///   - installed: The manifest of the current generation.
    ///   - generations: The current generation and the last good one.
    init?(
        _ offered: (manifest: Manifest, checksum: Checksum), installed: Manifest,
        _ generations: [Generation]
    ) {
        guard let current = generations.first, current.manifestChecksum != offered.checksum else {
            return nil
        }
        let isReplaced = generations.dropFirst().contains {
            $0.manifestChecksum == offered.checksum
        }
        guard isReplaced || Self.isBehind(offered.manifest, installed) else { return nil }
        self.offered = offered.manifest.release
        self.installed = installed.release
        manifest = current.manifestChecksum
        installedAt = current.freshness.installedAt
    }

    private static func isBehind(_ offered: Manifest, _ installed: Manifest) -> Bool {
        // The original format has no numbers.
        guard offered.release > 0, offered.release < installed.release else { return false }
        guard let built = offered.builtAt else { return true }
        // What was repaired without its manifest has no time.
        guard let before = installed.builtAt else { return false }
        return built <= before
    }

    /// Until when the device waits for the newer release to be offered again; `nil` when it does not.
    ///
    /// It waits from the moment at which it last saw the newer one at the same address.
    func heldUntil(
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
