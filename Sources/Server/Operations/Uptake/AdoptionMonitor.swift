import Accounts
package import Foundation

/// The monitor of a release's spread to half, most and nearly all of the devices.
package actor AdoptionMonitor {
    private static let pauseSeconds: TimeInterval = 30

    private let uptake: UptakeService
    private let clock: @Sendable () -> Date
    private var countedAt = Date.distantPast
    /// The release that is noted as served.
    private var served = 0

    package init(_ uptake: UptakeService, clock: @escaping @Sendable () -> Date) {
        self.uptake = uptake
        self.clock = clock
    }

    /// Records that a release is served, if that is new, and counts devices, at most every half minute.
    ///
    /// - Throws: `StorageError`.
    package func follow(_ release: Int) async throws {
        if release != served {
            try await note(release)
            served = release
        }
        try await count()
    }

    private func note(_ release: Int) async throws {
        let known = try await uptake.spread()
        guard release > 0, !known.contains(where: { $0.release == release }) else { return }
        try await uptake.storage.set(
            ReleaseSpread(release: release, servedAt: clock().millisecondsSince1970))
    }

    private func count() async throws {
        let now = clock()
        guard abs(now.timeIntervalSince(countedAt)) >= Self.pauseSeconds else { return }
        countedAt = now
        let open = try await uptake.spread().filter { $0.reachedAt.contains(nil) }
        guard !open.isEmpty else { return }
        let counts = try await uptake.uptake()
        for var spread in open {
            let before = spread
            spread.note(counts, at: now.millisecondsSince1970)
            if spread != before { try await uptake.storage.set(spread) }
        }
    }
}
